within Linkage;
package Frames "Rotations of frames"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-50, -50}, {-50, 60}}, color = {38, 58, 92},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 5, thickness = 0.5),
      Line(points = {{-50, -50}, {60, -50}}, color = {38, 58, 92},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 5, thickness = 0.5),
      Line(points = {{-50, -50}, {20, 20}}, color = {38, 58, 92},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 5, thickness = 0.5)}),
    Documentation(info = "<html>
<p>A rotation matrix R from frame a to frame b takes the components of a vector in a to
its components in b: v_b = R*v_a. The rows of R are the axes of b, resolved in a.</p>
</html>"));
end Frames;
