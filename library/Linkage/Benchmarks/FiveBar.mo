within Linkage.Benchmarks;
model FiveBar "Four bars and the ground, two springs, two degrees of freedom"
  extends Icons.Example;
  parameter Units.Stiffness k = 100 "Stiffness of both springs";
  inner World world;
  Joints.Revolute A(phi(fixed = true), w(fixed = true));
  Parts.Rod bar1(r = {-1, -1, 0}, m = 1);
  Joints.Revolute joint1(phi(fixed = true), w(fixed = true));
  Parts.Rod bar2(r = {1.5, -1, 0}, m = 1.5);
  Joints.Revolute joint2;
  Parts.Rod bar3(r = {1.5, 1, 0}, m = 1.5);
  Joints.Revolute joint3;
  Parts.Rod bar4(r = {-1, 1, 0}, m = 1);
  Joints.Revolute joint4;
  Parts.FixedTranslation ground(r = {1, 0, 0});
  Forces.SpringDamper spring1(c = k, s_0 = sqrt(5));
  Forces.SpringDamper spring2(c = k, s_0 = sqrt(4.25));
  output Units.Length r1[3] = bar1.frame_b.m.r, r2[3] = bar2.frame_b.m.r,
    r3[3] = bar3.frame_b.m.r "Joints between the bars";
  Units.Velocity v2[3] = bar2.frame_b.m.v "Velocity of the middle joint, resolved in the bar";
  // its acceleration: what the frame carries is a proper one
  Units.Acceleration a2[3] = bar2.frame_b.m.a + bar2.frame_b.m.T*world.G
    "Acceleration of the middle joint, resolved in the bar";
  output Real psi[3](each start = 0, each fixed = true)
    "Integrals of the squared path, velocity and acceleration of the middle joint";
  output Units.Energy E = bar1.E + bar2.E + bar3.E + bar4.E + spring1.V + spring2.V "Total energy";
equation
  der(psi[1]) = (r2 - {0.5, -2, 0})*(r2 - {0.5, -2, 0});
  der(psi[2]) = v2*v2;
  der(psi[3]) = a2*a2;
  connect(world.frame_b, A.frame_a);
  connect(A.frame_b, bar1.frame_a);
  connect(bar1.frame_b, joint1.frame_a);
  connect(joint1.frame_b, bar2.frame_a);
  connect(bar2.frame_b, joint2.frame_a);
  connect(joint2.frame_b, bar3.frame_a);
  connect(bar3.frame_b, joint3.frame_a);
  connect(joint3.frame_b, bar4.frame_a);
  connect(bar4.frame_b, joint4.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, joint4.frame_b);
  connect(ground.frame_b, spring1.frame_a);
  connect(bar1.frame_b, spring1.frame_b);
  connect(ground.frame_b, spring2.frame_a);
  connect(bar2.frame_b, spring2.frame_b);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01));
end FiveBar;
