within Linkage.Drives;
model RotationalSpringDamper "Linear spring and damper in parallel between two flanges"
  Interfaces.RotationalFlange flange_a "First end";
  Interfaces.RotationalFlange flange_b "Second end";
  parameter Units.RotationalStiffness c = 1 "Stiffness";
  parameter Units.RotationalDamping d = 0 "Damping";
  parameter Units.Angle phi_rel_0 = 0 "phi_rel without torque";
  Units.Angle phi_rel "Angle of flange_b against flange_a";
  Units.AngularVelocity w_rel "Derivative of phi_rel";
  Units.Torque tau "Torque of spring and damper, positive where it pulls phi_rel back";
  Units.Energy V "Energy in the spring";
equation
  phi_rel = flange_b.phi - flange_a.phi;
  w_rel = der(phi_rel);
  tau = c*(phi_rel - phi_rel_0) + d*w_rel;
  V = 0.5*c*(phi_rel - phi_rel_0)^2;
  flange_b.tau = tau;
  flange_a.tau = -tau;
end RotationalSpringDamper;
