within Linkage;
package Interfaces "Connectors and partial models"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-70, -40}, {-20, 40}}, lineColor = {38, 58, 92},
        fillColor = {95, 108, 128}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, -40}, {70, 40}}, lineColor = {38, 58, 92},
        fillColor = {95, 108, 128}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{34, -24}, {56, 24}}, lineColor = {38, 58, 92},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>A mechanism is connected by frames (<a
href=\"modelica://Linkage.Interfaces.Frame_a\">Frame_a</a>, <a
href=\"modelica://Linkage.Interfaces.Frame_b\">Frame_b</a>), drives by flanges, points by <a
href=\"modelica://Linkage.Points.Place\">Points.Place</a>. The other classes are parts of
joints.</p>
</html>"));
end Interfaces;
