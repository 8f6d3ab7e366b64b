// The ground pivot of a four-bar moves from t = 0.2 on. Which branch holds is known only behind the
// start, and the loop is closed for that one; the velocity of the motion jumps, and an impulse of the
// constraints takes the linkage along.
// simulate: --tolerance 1e-8 --stop 0.5 --interval 0.05
// methods: esdirk dopri5
// agree: crank.phi 1e-6
// moves: crank.phi 0.1
// ends: rack.s 0.03 1e-9
// zero: norm(phi) 1e-8
model GivenMotionByRelation "A four-bar whose ground pivot is driven by a ramp"
  import Linkage.*;
  inner World world;
  Joints.Prismatic rack(n = {1, 0, 0}, useFlange = true);
  Joints.Revolute crank(n = {0, 0, 1}, phi(start = 0.5, fixed = true), w(start = 0, fixed = true)), knee(n = {0, 0, 1}, phi(start = -0.3)), rocker(n = {0, 0, 1}, phi(start = 1.2)), last(n = {0, 0, 1});
  Parts.Rod a(r = {0.2, 0, 0}, m = 1), b(r = {0.6, 0, 0}, m = 1), c(r = {0.5, 0, 0}, m = 1);
  Parts.FixedTranslation ground(r = {0.7, 0, 0});
  Parts.Body carriage(m = 1);
  Drives.TranslationalMotion motion(s = if time < 0.2 then 0 else 0.1*(time - 0.2));
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, a.frame_a);
  connect(a.frame_b, knee.frame_a);
  connect(knee.frame_b, b.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, rack.frame_a);
  connect(rack.frame_b, carriage.frame_a);
  connect(rack.frame_b, rocker.frame_a);
  connect(rocker.frame_b, c.frame_a);
  connect(c.frame_b, last.frame_a);
  connect(last.frame_b, b.frame_b);
  connect(motion.flange, rack.flange);
end GivenMotionByRelation;
