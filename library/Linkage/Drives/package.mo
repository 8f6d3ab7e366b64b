within Linkage;
package Drives "One-dimensional elements on the flanges of joints"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-60, -40}, {40, 40}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Line(points = {{40, 0}, {80, 0}}, color = {38, 58, 92}, thickness = 1)}),
    Documentation(info = "<html>
<p>Set <code>useFlange=true</code> in a revolute or prismatic joint and connect its
<code>flange</code>. The joint takes up the reaction, so one end of a spring that acts inside
the joint is fixed.</p>
</html>"));
end Drives;
