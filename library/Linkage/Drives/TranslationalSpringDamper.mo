within Linkage.Drives;
model TranslationalSpringDamper "Linear spring and damper in parallel between two flanges"
  Interfaces.TranslationalFlange flange_a "First end";
  Interfaces.TranslationalFlange flange_b "Second end";
  parameter Units.Stiffness c = 1 "Stiffness";
  parameter Units.Damping d = 0 "Damping";
  parameter Units.Length s_rel_0 = 0 "s_rel without force";
  Units.Length s_rel "Position of flange_b against flange_a";
  Units.Velocity v_rel "Derivative of s_rel";
  Units.Force f "Force of spring and damper, positive where it pulls s_rel back";
  Units.Energy V "Energy in the spring";
equation
  s_rel = flange_b.s - flange_a.s;
  v_rel = der(s_rel);
  f = c*(s_rel - s_rel_0) + d*v_rel;
  V = 0.5*c*(s_rel - s_rel_0)^2;
  flange_b.f = f;
  flange_a.f = -f;
end TranslationalSpringDamper;
