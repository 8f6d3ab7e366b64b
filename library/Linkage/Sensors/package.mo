within Linkage;
package Sensors "Motions, forces and energies of a mechanism, as outputs"
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{0, 0}, {40, 45}}, thickness = 1),
      Ellipse(extent = {{-8, -8}, {8, 8}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
        fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>A sensor takes no force and no power from what it is connected to. Those of one frame and of two
frames hang beside a mechanism; those of forces stand between two frames, or
two flanges, and pass everything on.</p>
</html>"));
end Sensors;
