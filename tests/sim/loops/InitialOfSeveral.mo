// The initial equations are over positions and velocities of several hinges; the loop, which they know
// nothing of, closes with them.
// simulate: --stop 1e-6 --interval 1e-6 --step 1e-6
// methods: esdirk ali3p dopri5
// ends: x 0.35 1e-5
// ends: vx -0.4 1e-5
// zero: norm(phi) 1e-12
// zero: norm(der(phi)) 1e-12
model InitialOfSeveral "Hoecken's linkage, started where its foot is"
  inner Linkage.World world(g = 0);
  Linkage.Joints.Revolute crank(phi(start = 1.2), w(start = 6));
  Linkage.Parts.Rod arm(r = {0.1, 0, 0}, m = 0.2), leg(r = {0.25, 0, 0}, m = 0.2),
    foot(r = {0.25, 0, 0}, m = 0.2), rocker(r = {0.25, 0, 0}, m = 0.2);
  Linkage.Parts.FixedTranslation ground(r = {0.2, 0, 0});
  Linkage.Joints.Revolute elbow(phi(start=-0.5)), knee, hip;
  Real x = foot.frame_b.m.r[1], vx = der(x);
initial equation
  x^2 = 0.35^2;
  vx = -0.4;
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, arm.frame_a);
  connect(arm.frame_b, elbow.frame_a);
  connect(elbow.frame_b, leg.frame_a);
  connect(leg.frame_b, foot.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, hip.frame_a);
  connect(hip.frame_b, rocker.frame_a);
  connect(rocker.frame_b, knee.frame_a);
  connect(knee.frame_b, leg.frame_b);
end InitialOfSeveral;
