within Linkage.Drives;
model RotationalFriction "Dry friction that sticks: Coulomb, Stribeck and viscous"
  Interfaces.RotationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Torque tau_C(min = 0) = 1 "Coulomb's friction, in fast motion";
  parameter Units.Torque tau_S(min = 0) = tau_C
    "The most that it holds at rest, not less than tau_C";
  parameter Units.AngularVelocity w_S(min = 0) = 0.01
    "Stribeck's velocity: how fast is fast; not zero";
  parameter Units.RotationalDamping d(min = 0) = 0 "Viscous damping";
  parameter Units.RotationalStiffness c(min = 0) = 1e4*tau_C "Stiffness while it sticks";
  parameter Units.RotationalDamping d_c(min = 0) = 2e-2*c "Damping while it sticks";
  Units.Angle phi_rel "Position of flange_b against flange_a";
  Units.AngularVelocity w_rel "Derivative of phi_rel";
  Units.Angle z(start = 0, fixed = true, stateSelect = StateSelect.always)
    "Deflection of what sticks";
  Units.Torque tau "Torque of the friction, positive where it acts against a positive w_rel";
  Units.Power loss "Power lost";
protected
  Units.Torque most "Largest friction at this velocity";
  Units.AngularVelocity slip "Velocity of what slips";
equation
  phi_rel = flange_b.phi - flange_a.phi;
  w_rel = der(phi_rel);
  most = tau_C + (tau_S - tau_C)*exp(-(w_rel/w_S)^2);
  slip = smooth(0, noEvent(abs(w_rel)))*c*z/most;
  der(z) = w_rel - slip;
  // the damping is one of what sticks: at speed it would give power
  tau = c*z + d_c*exp(-(w_rel/w_S)^2)*der(z) + d*w_rel;
  loss = tau*w_rel - c*z*der(z);
  flange_b.tau = tau;
  flange_a.tau = -tau;
  annotation(
    Icon(graphics = {
      Line(points = {{-100, -20}, {100, -20}}, thickness = 1),
      Rectangle(extent = {{-50, -20}, {50, 30}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Backward),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The model of Canudas de Wit, Olsson, Astrom and Lischinsky (1995): bristles bend, and slip when
bent as far
as the friction reaches. It sticks without an event, within
<code>tau_S/c</code> of where it came to rest; the stiffer, the less it gives way, and the shorter the
steps of explicit methods. The energy in the bristles is <code>c*z^2/2</code>.</p>
</html>"));
end RotationalFriction;
