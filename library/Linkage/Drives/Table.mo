within Linkage.Drives;
model Table "A function from points, straight between them and beyond"
  parameter Real points[:, 2] "Rows of x and y; x grows";
  input Real x "Where";
  Real y "Value there";
  Real area "Integral from the first point";
protected
  final parameter Integer n = size(points, 1) - 1 "Number of pieces, one or more"
    annotation(Evaluate = true);
  final parameter Real slope[n] = {
    (points[k + 1, 2] - points[k, 2])/(points[k + 1, 1] - points[k, 1]) for k in 1:n}
    "Of each piece";
  Real bend[n - 1] "How far beyond each inner point x is";
equation
  assert(min(points[2:n + 1, 1] - points[1:n, 1]) > 0, "the first column of a table must grow");
  for k in 1:n - 1 loop
    bend[k] = if x > points[k + 1, 1] then x - points[k + 1, 1] else 0;
  end for;
  // the first piece goes on for ever; each point inside adds what its slope differs
  y = points[1, 2] + slope[1]*(x - points[1, 1]) + (slope[2:n] - slope[1:n - 1])*bend;
  area = (x - points[1, 1])*(points[1, 2] + 0.5*slope[1]*(x - points[1, 1]))
    + 0.5*(slope[2:n] - slope[1:n - 1])*(bend.*bend);
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-80, -60}, {80, 60}}),
      Line(points = {{-80, -60}, {-20, -10}, {20, 0}, {80, 60}})}),
    Documentation(info =
      "<html><p>An event at each point that x passes keeps steps from going over a bend.</p></html>"));
end Table;
