within Linkage.Examples;
model SplitPendulum "Planar pendulum that splits at the tip of its first rod"
  extends Icons.Example;
  parameter Integer n(min = 1) = 4 "Number of bodies" annotation(Evaluate = true);
  final parameter Integer short = min(2, div(n - 1, 2))
    "Number of bodies in the short branch, the same for all n from 5 on";
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  parameter Units.Inertia J = m*l^2/12 "Inertia of each rod across, about its middle";
  inner World world;
  Joints.Revolute joint[n](each n = {0, 0, 1},
    phi(start = {if k > n - short then -0.5 else 0.1 for k in 1:n}, each fixed = true),
    each w(fixed = true));
  Parts.FixedTranslation arm[n](each final r = {l, 0, 0});
  Parts.Body body[n](each m = m, each final r_CM = {l/2, 0, 0}, each final I_11 = 0,
    each final I_22 = J, each final I_33 = J, each final I_21 = 0, each final I_31 = 0,
    each final I_32 = 0);
  output Units.Energy E = sum(body.E) "Total energy";
equation
  connect(world.frame_b, joint[1].frame_a);
  for k in 2:n loop
    // the bodies of the short branch come last; its first hangs on body 1
    connect(arm[if k == n - short + 1 then 1 else k - 1].frame_b, joint[k].frame_a);
  end for;
  for k in 1:n loop
    connect(joint[k].frame_b, body[k].frame_a);
    connect(joint[k].frame_b, arm[k].frame_a);
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end SplitPendulum;
