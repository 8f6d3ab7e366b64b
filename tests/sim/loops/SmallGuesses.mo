// simulate: --stop 1 --tolerance 1e-9
// constant: E 1e-7
// moves: crank.phi 0.5
// ends: tip_off 0 1e-8
model SmallGuesses "a four-bar whose guesses are a thousandth where its angles are tenths"
  inner Linkage.World world(g = 0);
  Linkage.Joints.Revolute crank(phi(start = 0.4, fixed = true), w(start = 1, fixed = true));
  Linkage.Joints.Revolute knee(phi(start = 1e-4)), foot(phi(start = -1e-4)), tip(phi(start = 1e-4));
  Linkage.Parts.Rod a(r = {0.5, 0, 0}), b(r = {0.8, 0.8, 0}), c(r = {0.1, 0.8, 0});
  Linkage.Parts.FixedTranslation ground(r = {1.2, 0, 0});
  Real E = a.E + b.E + c.E;
  Real tip_off = (c.frame_b.m.r[1] - b.frame_b.m.r[1])^2 + (c.frame_b.m.r[2] - b.frame_b.m.r[2])^2;
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, a.frame_a);
  connect(a.frame_b, knee.frame_a);
  connect(knee.frame_b, b.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, foot.frame_a);
  connect(foot.frame_b, c.frame_a);
  connect(b.frame_b, tip.frame_a);
  connect(c.frame_b, tip.frame_b);
end SmallGuesses;
