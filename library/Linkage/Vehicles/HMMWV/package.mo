within Linkage.Vehicles;
package HMMWV "A car on double wishbones, with its manoeuvres"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Polygon(
        points = {{-95, -10}, {-92, 20}, {-40, 25}, {-20, 60}, {60, 60}, {70, 22}, {92, 15},
          {95, -10}, {95, -30}, {-95, -30}},
        lineColor = {38, 58, 92}, fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-84, -64}, {-30, -10}}, lineColor = {38, 58, 92},
        fillColor = {90, 100, 115}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{30, -64}, {84, -10}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
        fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>Places, masses, springs and dampers are those of the HMMWV in Project Chrono's open model. Springs are cubic
there (given as a table), moments of inertia of the wishbones those of flat bodies, since the published ones break the
triangle inequality. Instead of the Pitman arm the inner ends of the front tie rods move sideways.</p>
</html>"));
end HMMWV;
