within Linkage.Drives;
model TranslationalFriction "Dry friction that sticks: Coulomb, Stribeck and viscous"
  Interfaces.TranslationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Force f_C(min = 0) = 1 "Coulomb's friction, in fast motion";
  parameter Units.Force f_S(min = 0) = f_C "The most that it holds at rest, not less than f_C";
  parameter Units.Velocity v_S(min = 0) = 0.01 "Stribeck's velocity: how fast is fast; not zero";
  parameter Units.Damping d(min = 0) = 0 "Viscous damping";
  parameter Units.Stiffness c(min = 0) = 1e4*f_C "Stiffness while it sticks";
  parameter Units.Damping d_c(min = 0) = 2e-2*c "Damping while it sticks";
  Units.Length s_rel "Position of flange_b against flange_a";
  Units.Velocity v_rel "Derivative of s_rel";
  Units.Length z(start = 0, fixed = true, stateSelect = StateSelect.always)
    "Deflection of what sticks";
  Units.Force f "Force of the friction, positive where it acts against a positive v_rel";
  Units.Power loss "Power lost";
protected
  Units.Force most "Largest friction at this velocity";
  Units.Velocity slip "Velocity of what slips";
equation
  s_rel = flange_b.s - flange_a.s;
  v_rel = der(s_rel);
  most = f_C + (f_S - f_C)*exp(-(v_rel/v_S)^2);
  slip = smooth(0, noEvent(abs(v_rel)))*c*z/most;
  der(z) = v_rel - slip;
  // the damping is one of what sticks: at speed it would give power
  f = c*z + d_c*exp(-(v_rel/v_S)^2)*der(z) + d*v_rel;
  loss = f*v_rel - c*z*der(z);
  flange_b.f = f;
  flange_a.f = -f;
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
<code>f_S/c</code> of where it came to rest; the stiffer, the less it gives way, and the shorter the
steps of explicit methods. The energy in the bristles is <code>c*z^2/2</code>.</p>
</html>"));
end TranslationalFriction;
