within Linkage.Interfaces;
connector RotationalFlange "Shaft that turns about one axis"
  Units.Angle phi "Angle of rotation";
  flow Units.Torque tau "Torque into the component";
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {165, 170, 178}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>As the flanges of <code>Modelica.Mechanics.Rotational</code>, with the units of <a
href=\"modelica://Linkage.Units\">Linkage.Units</a>.</p>
</html>"));
end RotationalFlange;
