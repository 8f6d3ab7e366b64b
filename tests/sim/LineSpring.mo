// simulate: --stop 4 --tolerance 1e-10
// zero: error 1e-7
// zero: error_damped 1e-7
// constant: E 1e-6
// moves: joint.r_rel[3] 0.3
// moves: slide.s 0.5
model LineSpring "Springs along a line: on a rail, between two bodies, and swinging in space"
  extends Linkage.Examples.SpringPendulum;
  // hanging straight down: s'' = g - c/m (s - s_0)
  Linkage.Joints.Prismatic slide(n = {0, -1, 0}, s(start = 1, fixed = true),
    v(start = 0, fixed = true));
  Linkage.Parts.Body weight(m = 2);
  Linkage.Forces.SpringDamper hanger(c = 32, s_0 = 1);
  Real error = slide.s - (1 + 9.81/16*(1 - cos(4*time)));
  // two bodies on two rails along z: the distance has the reduced mass 1 kg, and 2 N.s/m on it
  Linkage.Joints.Prismatic rail1(n = {0, 0, 1}, s(start = 0, fixed = true),
    v(start = 0, fixed = true));
  Linkage.Joints.Prismatic rail2(n = {0, 0, 1}, s(start = 2, fixed = true),
    v(start = 0, fixed = true));
  Linkage.Parts.Body body1(m = 2);
  Linkage.Parts.Body body2(m = 2);
  Linkage.Forces.SpringDamper link(c = 10, d = 2, s_0 = 1);
  Real error_damped = rail2.s - rail1.s
    - (1 + exp(-time)*(cos(3*time) + sin(3*time)/3));
equation
  connect(world.frame_b, slide.frame_a);
  connect(slide.frame_b, weight.frame_a);
  connect(world.frame_b, hanger.frame_a);
  connect(hanger.frame_b, weight.frame_a);
  connect(world.frame_b, rail1.frame_a);
  connect(world.frame_b, rail2.frame_a);
  connect(rail1.frame_b, body1.frame_a);
  connect(rail2.frame_b, body2.frame_a);
  connect(body1.frame_a, link.frame_a);
  connect(body2.frame_a, link.frame_b);
end LineSpring;
