within Linkage;
package Parts "Rigid parts, with and without mass"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-75, -12}, {0, 12}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-30, -45}, {65, 45}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere)}),
    Documentation(info = "<html>
<p>Bodies have one frame, rods and rotations lead from one frame to another. A <a
href=\"modelica://Linkage.Parts.Body\">Body</a> and a <a
href=\"modelica://Linkage.Parts.FixedTranslation\">FixedTranslation</a> make a link of any form.</p>
</html>"));
end Parts;
