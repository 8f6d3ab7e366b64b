// simulate: --stop 3 --tolerance 1e-9
// methods: dopri5 esdirk
// zero: off[1] 1e-6
// zero: off[2] 1e-6
// zero: off[3] 1e-6
// zero: heavy[1] 1e-6
// zero: heavy[2] 1e-6
// zero: heavy[3] 1e-6
// constant: E 1e-7
// zero: pull 1e-5
// moves: tip.r[1] 0.3
// moves: bob.r[3] 0.2
model PointsAndFrames "Points on links and bars move as the same mechanisms of bodies and joints"
  import Linkage.*;
  inner World world;
  // a plane pendulum of two links, and one of hinges
  Points.Anchor anchor;
  Points.Point elbow(m = 2, r_0 = {0.6, -0.8, 0}), tip(m = 1, r_0 = {1.6, -0.8, 0});
  Points.Link upper, lower;
  Joints.Revolute hinge1(phi(start = atan2(-0.8, 0.6), fixed = true), w(fixed = true));
  Joints.Revolute hinge2(phi(start = -atan2(-0.8, 0.6), fixed = true), w(fixed = true));
  Parts.FixedTranslation rod1(r = {1, 0, 0}), rod2(r = {1, 0, 0});
  Parts.PointMass mass1(m = 2), mass2(m = 1);
  Units.Length off[3] = tip.r - rod2.frame_b.m.r;
  // a bar that swings in space, its tip a point without mass, and a rod on a Cardan joint
  Points.Anchor peg(r = {0, 0, 2});
  Points.Bar bar(l = 0.5, m = 3);
  Points.Point bob(m = 0, r_0 = {0.3, -0.4, 2}, v(start = {0, 0, 1}));
  Parts.FixedTranslation offset(r = {0, 0, 2});
  Joints.Universal cardan(n_a = {0, 0, 1}, n_b = {0, 1, 0},
    phi(each fixed = true), w(start = {0, -10/3}, each fixed = true));
  Parts.Rod rod(r = {0.3, -0.4, 0}, m = 3);
  Units.Length heavy[3] = bob.r - rod.frame_b.m.r;
  Real pull(unit = "N") = upper.f + rod1.frame_a.f[1] "tension of the link, and of the rod";
  Units.Energy E = elbow.E + tip.E + bar.E;
equation
  connect(anchor.place, upper.place_a);
  connect(upper.place_b, elbow.place);
  connect(elbow.place, lower.place_a);
  connect(lower.place_b, tip.place);
  connect(world.frame_b, hinge1.frame_a);
  connect(hinge1.frame_b, rod1.frame_a);
  connect(rod1.frame_b, mass1.frame_a);
  connect(rod1.frame_b, hinge2.frame_a);
  connect(hinge2.frame_b, rod2.frame_a);
  connect(rod2.frame_b, mass2.frame_a);
  connect(peg.place, bar.place_a);
  connect(bar.place_b, bob.place);
  connect(world.frame_b, offset.frame_a);
  connect(offset.frame_b, cardan.frame_a);
  connect(cardan.frame_b, rod.frame_a);
end PointsAndFrames;
