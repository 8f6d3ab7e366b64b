within Linkage.Interfaces;
connector Frame_b "Frame on the side away from the world"
  extends Frame;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-34, -74}, {34, 74}}, lineColor = {38, 58, 92},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>Equal to <a href=\"modelica://Linkage.Interfaces.Frame_a\">Frame_a</a> but for its look. Either
may be connected to either.</p>
</html>"));
end Frame_b;
