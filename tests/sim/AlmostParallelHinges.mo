// simulate: --stop 10 --tolerance 1e-10
// methods: dopri5 esdirk
// agree: a.phi 1e-7
// agree: a.w 1e-6
// agree: d.frame_a.f[2] 1e-4
// moves: a.phi 5
model AlmostParallelHinges
  "A four-bar whose redundant constraints contradict each other by the last digits of its axes"
  inner Linkage.World world(g = 9.81, n = {0, -1, 0});
  constant Real tilt = 1e-11;
  Linkage.Joints.Revolute a(n = {0, tilt, 1}, phi(start = 1.2, fixed = true),
    w(start = 3, fixed = true));
  Linkage.Joints.Revolute b(n = {tilt, 0, 1});
  Linkage.Joints.Revolute c(n = {0, -tilt, 1});
  Linkage.Joints.Revolute d(n = {-tilt, tilt, 1});
  Linkage.Parts.Rod crank(r = {0.3, 0, 0}, m = 1);
  Linkage.Parts.Rod coupler(r = {0.9, 0, 0}, m = 2);
  Linkage.Parts.Rod rocker(r = {0.6, 0, 0}, m = 1);
  Linkage.Parts.FixedTranslation ground(r = {0.8, 0, 0});
equation
  connect(world.frame_b, a.frame_a);
  connect(a.frame_b, crank.frame_a);
  connect(crank.frame_b, b.frame_a);
  connect(b.frame_b, coupler.frame_a);
  connect(coupler.frame_b, c.frame_a);
  connect(c.frame_b, rocker.frame_b);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, d.frame_a);
  connect(d.frame_b, rocker.frame_a);
end AlmostParallelHinges;
