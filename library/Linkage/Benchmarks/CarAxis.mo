within Linkage.Benchmarks;
model CarAxis "An axle on two springs, one wheel on a rough road (IVP test set)"
  extends Icons.Example;
  parameter Units.Mass m = 10*0.01^2/2 "Mass of each end of the axle";
  parameter Units.Length bump = 0.1 "Height of the bumps";
  parameter Units.AngularVelocity rate = 10 "Their frequency";
  constant Units.Length base = 1 "Distance of the wheels";
  inner World world(g = 1);
  // the left end stays on the line through the left wheel at right angles to that of the wheels
  Joints.Revolute wheels(useFlange = true);
  Drives.RotationalMotion road(phi = asin(bump*sin(rate*time)/base));
  Parts.FixedTranslation track(r = {1, 0, 0});
  Joints.Prismatic strut(n = {0, 1, 0}, s(start = 0.5, fixed = true), v(fixed = true));
  Joints.Revolute joint(phi(fixed = true), w(start = -bump*rate/base, fixed = true));
  Parts.FixedTranslation axle(r = {1, 0, 0});
  Parts.PointMass left(m = m), right(m = m);
  Forces.SpringDamper leftSpring(s_0 = 0.5), rightSpring(s_0 = 0.5);
  output Units.Length l[3] = left.frame_a.m.r, r[3] = right.frame_a.m.r "The axle's ends";
equation
  connect(world.frame_b, wheels.frame_a);
  connect(road.flange, wheels.flange);
  connect(wheels.frame_b, track.frame_a);
  connect(wheels.frame_b, strut.frame_a);
  connect(strut.frame_b, left.frame_a);
  connect(strut.frame_b, joint.frame_a);
  connect(joint.frame_b, axle.frame_a);
  connect(axle.frame_b, right.frame_a);
  connect(world.frame_b, leftSpring.frame_a);
  connect(strut.frame_b, leftSpring.frame_b);
  connect(track.frame_b, rightSpring.frame_a);
  connect(axle.frame_b, rightSpring.frame_b);
  annotation(experiment(StopTime = 3, Tolerance = 1e-9, Interval = 0.01));
end CarAxis;
