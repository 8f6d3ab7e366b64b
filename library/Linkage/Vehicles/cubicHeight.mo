within Linkage.Vehicles;
pure function cubicHeight "Height and slopes between the lines of a grid"
  extends Icons.Function;
  input Real x "Where, forwards (m)";
  input Real y "Where, to the left (m)";
  input Real x_0 "x of the first row (m)";
  input Real y_0 "y of the first column (m)";
  input Real dx "Distance of the rows (m)";
  input Real dy "Distance of the columns (m)";
  input Real z[:, :] "Heights (m), two rows and columns or more";
  output Real h[3] "Height (m), derivatives by x and by y";
protected
  Real a[size(z, 1)] "Weights of the rows";
  Real a_s[size(z, 1)] "Their derivatives by s";
  Real b[size(z, 2)] "Weights of the columns";
  Real b_t[size(z, 2)] "Their derivatives by t";
  Real c[size(z, 1)] "Heights of the rows at y";

  pure function weights "Weights of n nodes at 1, 2, ..., and their derivatives"
    input Real s "Where among them";
    input Integer n "How many";
    output Real w[n] "Weights";
    output Real d[n] "Derivatives by s";
  protected
    Real u "Where, not more than two beyond the ends";
    Real q "Distance from a node";
  algorithm
    u := max(-1.0, min(n + 2.0, s));
    w := zeros(n);
    d := zeros(n);
    for i in 2:n + 3 loop
      q := abs(u - i);
      w[min(i, n)] := w[min(i, n)]
        + (
          if q < 1 then 1 + (1.5*q - 2.5)*q^2 elseif q < 2 then 2 + ((2.5 - 0.5*q)*q - 4)*q else 0);
      d[min(i, n)] := d[min(i, n)]
        + (if u < i then -1 else 1)
          *(if q < 1 then (4.5*q - 5)*q elseif q < 2 then (5 - 1.5*q)*q - 4 else 0);
    end for;
    // weights add up to one; the first node has those of all before it
    w[1] := 1 - sum(w[2:n]);
    d[1] := -sum(d[2:n]);
    annotation(Documentation(info = "<html>
<p>Nodes before the first one and beyond the last one are as these.</p>
</html>"));
  end weights;
algorithm
  (a, a_s) := weights((x - x_0)/dx + 1, size(z, 1));
  (b, b_t) := weights((y - y_0)/dy + 1, size(z, 2));
  c := z*b;
  h := {a*c, a_s*c/dx, a*(z*b_t)/dy};
  annotation(Documentation(info = "<html>
<p>The cubic whose slope at each line is the mean of the two pieces beside it (Catmull and Rom
1974), as the sum of all heights times the kernel of Keys (1981), in both directions.</p>
</html>"));
end cubicHeight;
