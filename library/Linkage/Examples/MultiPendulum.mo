within Linkage.Examples;
model MultiPendulum "Planar pendulum in which each rod carries two more"
  extends Icons.Example;
  parameter Integer depth(min = 1) = 3 "Number of rods from the world to a tip"
    annotation(Evaluate = true);
  final parameter Integer n = integer(2^depth) - 1 "Number of bodies";
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  parameter Units.Inertia J = m*l^2/12 "Inertia of each rod across, about its middle";
  inner World world;
  Joints.Revolute joint[n](each n = {0, 0, 1},
    phi(start = {if mod(k, 2) == 0 then 0.4 else -0.4 for k in 1:n}, each fixed = true),
    each w(fixed = true));
  Parts.FixedTranslation arm[n](each final r = {l, 0, 0});
  Parts.Body body[n](each m = m, each final r_CM = {l/2, 0, 0}, each final I_11 = 0,
    each final I_22 = J, each final I_33 = J, each final I_21 = 0, each final I_31 = 0,
    each final I_32 = 0);
  output Units.Energy E = sum(body.E) "Total energy";
equation
  connect(world.frame_b, joint[1].frame_a);
  // numbered level by level: rod k carries the rods 2*k and 2*k + 1
  for k in 2:n loop
    connect(arm[div(k, 2)].frame_b, joint[k].frame_a);
  end for;
  for k in 1:n loop
    connect(joint[k].frame_b, body[k].frame_a);
    connect(joint[k].frame_b, arm[k].frame_a);
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end MultiPendulum;
