// simulate: --stop 3 --tolerance 1e-9
// zero: error_fall 1e-7
// zero: error_spring 1e-6
// zero: error_turning 1e-6
// moves: rail.s 5
// moves: arm.s 1
model PrismaticClosedForm "Sliding on a slope, on a spring with damper, and out along a turning arm"
  inner Linkage.World world(g = 10);
  // on a slope
  Linkage.Joints.Prismatic rail(n = {3, -4, 0}, s(start = 0.5, fixed = true),
    v(start = 1, fixed = true));
  Linkage.Parts.Body box(m = 3, r_CM = {0.1, 0.2, 0.3});
  Real error_fall = rail.s - (0.5 + time + 0.5*10*0.8*time^2);
  // a spring with damping ratio 0.3 and 5 rad/s
  Linkage.Joints.Prismatic axle(n = {0, 0, 1}, useFlange = true, s(start = 1, fixed = true),
    v(start = 0, fixed = true));
  Linkage.Parts.PointMass mass(m = 2);
  Linkage.Drives.TranslationalFixed ground;
  Linkage.Drives.TranslationalSpringDamper spring(c = 50, d = 6);
  Real error_spring = axle.s
    - exp(-1.5*time)*(cos(sqrt(22.75)*time) + 1.5/sqrt(22.75)*sin(sqrt(22.75)*time));
  // at constant speed of rotation about the vertical: s = s0 cosh(w t)
  Linkage.Joints.Revolute turn(n = {0, 1, 0}, phi(start = 0, fixed = true),
    w(start = 1, fixed = true));
  Linkage.Joints.Prismatic arm(n = {1, 0, 0}, s(start = 0.2, fixed = true),
    v(start = 0, fixed = true));
  // heavy enough that the slider does not slow it
  Linkage.Parts.Body wheel(m = 1, I_11 = 1e9, I_22 = 1e9, I_33 = 1e9);
  Linkage.Parts.PointMass slider(m = 1);
  Real error_turning = arm.s - 0.2*(exp(time) + exp(-time))/2;
equation
  connect(world.frame_b, rail.frame_a);
  connect(rail.frame_b, box.frame_a);
  connect(world.frame_b, axle.frame_a);
  connect(axle.frame_b, mass.frame_a);
  connect(ground.flange, spring.flange_a);
  connect(spring.flange_b, axle.flange);
  connect(world.frame_b, turn.frame_a);
  connect(turn.frame_b, wheel.frame_a);
  connect(turn.frame_b, arm.frame_a);
  connect(arm.frame_b, slider.frame_a);
end PrismaticClosedForm;
