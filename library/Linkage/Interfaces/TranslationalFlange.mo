within Linkage.Interfaces;
connector TranslationalFlange "Rod that slides along one axis"
  Units.Length s "Position";
  flow Units.Force f "Force into the component";
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {70, 150, 100}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>As the flanges of <code>Modelica.Mechanics.Translational</code>, with the units of <a
href=\"modelica://Linkage.Units\">Linkage.Units</a>.</p>
</html>"));
end TranslationalFlange;
