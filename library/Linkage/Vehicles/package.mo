within Linkage;
package Vehicles "Tyres, roads, springs and vehicles of them"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Polygon(
        points = {{-95, -10}, {-90, 15}, {-50, 25}, {-25, 60}, {40, 60}, {60, 22}, {92, 15},
          {95, -10}, {95, -30}, {-95, -30}},
        lineColor = {38, 58, 92}, fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-79, -59}, {-31, -11}}, lineColor = {38, 58, 92},
        fillColor = {90, 100, 115}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-67, -47}, {-43, -23}}, lineColor = {38, 58, 92},
        fillColor = {225, 230, 238}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{31, -59}, {79, -11}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{43, -47}, {67, -23}}, lineColor = {38, 58, 92},
        fillColor = {225, 230, 238}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>Vehicles run forwards along x, with y to the left and z up: <code>World(n = {0, 0,
-1})</code>.</p>
</html>"));
end Vehicles;
