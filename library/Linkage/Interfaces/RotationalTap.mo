within Linkage.Interfaces;
model RotationalTap "A joint's own end of its drive flange, which may be absent"
  input Units.Angle phi "Angle of the joint";
  Units.Torque tau "Torque of the drive on the joint; zero where nothing is connected";
  RotationalFlange flange "To the joint's conditional flange";
equation
  flange.phi = phi;
  flange.tau = tau;
  annotation(Icon(graphics = {
    Polygon(points = {{-60, 60}, {60, 0}, {-60, -60}}, lineColor = {38, 58, 92},
      fillColor = {165, 170, 178}, fillPattern = FillPattern.Solid)}));
end RotationalTap;
