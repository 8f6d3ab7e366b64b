model Stewart "A platform on six legs of one length, whose feet climb on posts: it nods and turns"
  constant Real pi = 3.14159265358979323846;
  constant Real foot[6] = {(k + mod(k, 2))*pi/3 + (if mod(k, 2) == 1 then -0.2 else 0.2)
    for k in 1:6} "posts around";
  constant Real eye[6] = {(k + mod(k, 2))*pi/3 + (if mod(k, 2) == 1 then -0.8 else 0.8)
    for k in 1:6} "ends of the legs";
  inner Linkage.World world;
  Linkage.Parts.FixedTranslation low[6](r = {{cos(foot[k]), 0, sin(foot[k])} for k in 1:6});
  Linkage.Joints.Prismatic post[6](each n = {0, 1, 0}, each useFlange = true, each s(fixed = true),
    each v(fixed = true));
  Linkage.Parts.Body slider[6](each m = 2);
  Linkage.Joints.BallRod leg[6](each l = 1.2);
  Linkage.Parts.FixedTranslation high[6](r = {{0.5*cos(eye[k]), 0, 0.5*sin(eye[k])} for k in 1:6});
  Linkage.Joints.Free free(r_rel(start = {0, 0.9, 0}));
  Linkage.Parts.Body platform(m = 20, I_11 = 1, I_22 = 2, I_33 = 1);
  Linkage.Drives.TranslationalMotion wanted[6](
    s = {0.15*(1 - cos(4*time))*sin(2*time + foot[k]) for k in 1:6});
  Linkage.Drives.TranslationalSpringDamper servo[6](each c = 4e4, each d = 1e3);
equation
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, platform.frame_a);
  for k in 1:6 loop
    connect(world.frame_b, low[k].frame_a);
    connect(low[k].frame_b, post[k].frame_a);
    connect(post[k].frame_b, slider[k].frame_a);
    connect(free.frame_b, high[k].frame_a);
    connect(post[k].frame_b, leg[k].frame_a);
    connect(leg[k].frame_b, high[k].frame_b);
    connect(wanted[k].flange, servo[k].flange_a);
    connect(servo[k].flange_b, post[k].flange);
  end for;
  annotation(experiment(StopTime = 3, Interval = 0.01));
end Stewart;
