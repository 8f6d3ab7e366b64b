within Linkage;
package Icons "Icons that classes share"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Ellipse(extent = {{-50, -50}, {10, 10}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-10, -10}, {55, 55}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>A class that extends one of them has its icon.</p>
</html>"));
end Icons;
