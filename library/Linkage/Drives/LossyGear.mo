within Linkage.Drives;
model LossyGear
  "Gear between two shafts whose teeth rub: an efficiency for either direction of power"
  Interfaces.RotationalFlange flange_a "First shaft"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Second shaft"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Real ratio(unit = "1") = 1
    "Angle of flange_a for each of flange_b; negative: they turn against each other";
  parameter Real eta_ab(min = 1e-3, max = 1, unit = "1") = 0.9
    "Efficiency where flange_a drives flange_b";
  parameter Real eta_ba(min = 1e-3, max = 1, unit = "1") = eta_ab
    "Efficiency where flange_b drives flange_a";
  parameter Units.AngularVelocity w_0(min = 1e-12) = 1e-3
    "Velocity of flange_a that is far from rest: much slower, and little of the friction acts";
  Units.AngularVelocity w "Derivative of the angle of flange_a";
  Units.Torque tau_a "Torque into the gear at flange_a";
  Units.Torque tau_b "Torque out of the gear at flange_b, reduced to the speed of flange_a";
  Units.Power loss "Power lost";
protected
  Real s(unit = "1") "Direction of w: -1 or 1, between near rest";
equation
  flange_a.phi = ratio*flange_b.phi;
  w = der(flange_a.phi);
  s = w/sqrt(w^2 + w_0^2);
  // power goes in at flange_a where tau_a*s is positive: tau_b is eta_ab*tau_a there, else tau_a/eta_ba, at rest tau_a
  tau_b = tau_a
    *(1 + (if tau_a > 0 then s else -s)*(eta_ab - 1/eta_ba)/2 + s^2*((eta_ab + 1/eta_ba)/2 - 1));
  tau_a = flange_a.tau;
  ratio*tau_b + flange_b.tau = 0;
  loss = (tau_a - tau_b)*w;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-40, -70}, {-10, 70}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{10, -30}, {40, 30}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Line(points = {{-100, 0}, {-40, 0}}),
      Line(points = {{40, 0}, {100, 0}}),
      Line(points = {{0, -40}, {0, -90}}),
      Line(points = {{-8, -75}, {0, -90}, {8, -75}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The friction is a share of the torque that the teeth transmit (Pelchen, Schweiger and Otter
2002). Near rest it
grows smoothly with the velocity: a gear that would hold its load creeps instead, slower than <code>w_0</code>. Friction
of bearings, which acts without a load too, is <code>RotationalFriction</code>. Between two changes of sign of
<code>tau_a</code>, which are events, the equations are linear in the torques.</p>
</html>"));
end LossyGear;
