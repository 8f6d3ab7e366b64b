within Linkage;
package Joints "Joints"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-80, -14}, {-30, 14}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{30, -14}, {80, 14}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-38, -38}, {38, 38}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-10, -10}, {10, 10}}, lineColor = {38, 58, 92},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>Each joint's coordinates and speeds are preferred states, relative from
<code>frame_a</code> to <code>frame_b</code>. Forces on the joint's own coordinates follow
d'Alembert's principle: the cut force's part along a free motion is the drive's, or
zero.</p>
<p>A joint may stand either way round in the tree: its equations lead away from the root of the
connection graph, so that no rotation matrix has to be inverted.</p>
</html>"));
end Joints;
