within;
package Linkage "Mechanisms of rigid bodies in the plane and in space"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-80, -60}, {-20, -40}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-50, -40}, {-20, 50}, {50, 20}}, color = {38, 58, 92}, thickness = 2),
      Line(points = {{50, 20}, {75, -50}}, color = {38, 58, 92}, thickness = 2),
      Ellipse(extent = {{-60, -50}, {-40, -30}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-30, 40}, {-10, 60}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{40, 10}, {60, 30}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{65, -60}, {85, -40}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid)}),
    version = "0.1",
    Documentation(info = "<html>
<p>Bodies, joints and forces that are joined by frames. A frame carries the whole motion of
the point and the axes it stands for, resolved in its own axes, so that the matrices met
when the accelerations are solved for are symmetric.</p>
<p>A model needs one <code>inner Linkage.World world</code>. Joints lead from
<code>world.frame_b</code> through <code>frame_a</code> to <code>frame_b</code> and to the
bodies; <a href=\"modelica://Linkage.Examples\">Linkage.Examples</a> shows how.</p>
<p>Uniform gravity enters in one place: the world's frame has the acceleration -g. Every
acceleration in a frame is therefore a proper acceleration, what an accelerometer
fixed there reads, and no orientation is needed to weigh a body.</p>
</html>"));
end Linkage;
