within Linkage;
package Examples "Models to run as they stand"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Polygon(points = {{-40, 60}, {60, 0}, {-40, -60}}, lineColor = {38, 58, 92},
        fillColor = {110, 170, 120}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>Four families grow with a parameter: <code>PlanarPendulum</code>,
<code>SplitPendulum</code>, <code>AlternatingPendulum</code> and
<code>MultiPendulum</code>, after Schubert, Frenkel, Kunze and Beitelschmidt: Achieving O(n)
complexity for models from Modelica.Mechanics.MultiBody, 2011, section 5. The others show one
component each. <code>E</code> is the total energy where it is conserved.</p>
</html>"));
end Examples;
