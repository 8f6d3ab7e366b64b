within Linkage.Vehicles;
model HeightField "Ground whose heights are given over a grid, smooth between its lines"
  extends Road;
  parameter Units.Length x_0 = 0 "x of the first row";
  parameter Units.Length y_0 = 0 "y of the first column";
  parameter Units.Length dx(min = 0) = 1 "Distance of the rows; not zero";
  parameter Units.Length dy(min = 0) = 1 "Distance of the columns; not zero";
  parameter Units.Length z[:, :] = zeros(2, 2)
    "Heights: z[i, j] is that at x_0 + (i - 1)*dx, y_0 + (j - 1)*dy";
protected
  final parameter Units.Length x_grid[:] = {x_0 + (i - 1)*dx for i in 1:size(z, 1)} "x of the rows";
  final parameter Units.Length y_grid[:] = {y_0 + (j - 1)*dy for j in 1:size(z, 2)}
    "y of the columns";
  Real here[3] "Height (m), derivatives by x and by y";
equation
  here = cubicHeight(x, y, x_0, y_0, dx, dy, z);
  h = here[1];
  h_x = here[2];
  h_y = here[3];
  annotation(
    __rung(look(surface(x = x_grid, y = y_grid, z = z))),
    Documentation(info = "<html>
<p>Cubic in each direction (<a
href=\"modelica://Linkage.Vehicles.cubicHeight\">cubicHeight</a>): through all given heights, with continuous slopes;
heights that are quadratic in x and y are met exactly inside. Beyond its edges the ground goes on
level.</p>
</html>"));
end HeightField;
