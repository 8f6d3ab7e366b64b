within Linkage.Drives;
model RotationalStop "Elastic stops at both ends of the way"
  Interfaces.RotationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Angle phi_min = -1 "Where the lower stop begins";
  parameter Units.Angle phi_max = 1 "Where the upper stop begins";
  parameter Units.RotationalStiffness c = 1e5 "Stiffness of the stops";
  parameter Real d(min = 0, unit = "s/rad") = 0
    "Damping: part of the spring's torque for each unit of velocity";
  Units.Angle phi_rel "Position of flange_b against flange_a";
  Units.AngularVelocity w_rel "Derivative of phi_rel";
  Units.Angle depth "How far it is in a stop: negative in the lower, positive in the upper";
  Units.Torque tau "Torque of the stop, positive where it pushes phi_rel back down";
  Units.Energy V "Energy in the stop";
  Units.Power loss "Power lost";
protected
  Real gain(unit = "1") "The damping, so that a stop never pulls";
equation
  phi_rel = flange_b.phi - flange_a.phi;
  w_rel = der(phi_rel);
  depth = if phi_rel > phi_max then phi_rel - phi_max
    elseif phi_rel < phi_min then phi_rel - phi_min
    else 0;
  gain = smooth(0, noEvent(max(0, 1 + d*(if depth > 0 then w_rel else -w_rel))));
  tau = c*depth*gain;
  V = 0.5*c*depth^2;
  loss = (tau - c*depth)*w_rel;
  flange_b.tau = tau;
  flange_a.tau = -tau;
  annotation(
    Icon(graphics = {
      Line(points = {{-80, -50}, {-80, 50}}, thickness = 1),
      Line(points = {{80, -50}, {80, 50}}, thickness = 1),
      Rectangle(extent = {{-25, -25}, {25, 25}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-80, 0}, {80, 0}}),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The torque begins at nothing where a stop begins, damped or not (Hunt and Crossley 1975), so that
an impact is smooth. Between the stops nothing acts.</p>
</html>"));
end RotationalStop;
