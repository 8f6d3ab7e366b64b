within Linkage;
package Forces "Forces and torques on frames"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-65, -50}, {55, 50}}, color = {190, 60, 30},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 8, thickness = 1)}),
    Documentation(info = "<html>
<p>Forces between two frames, or on one. Gravity needs none of them: it comes with the <a
href=\"modelica://Linkage.World\">World</a>. Forces of drives act through flanges (<a
href=\"modelica://Linkage.Drives\">Linkage.Drives</a>).</p>
</html>"));
end Forces;
