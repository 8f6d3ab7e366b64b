within Linkage.Benchmarks;
model FlyballGovernor
  "Two masses on rods that turn with a shaft, held by stiff springs (IFToMM A05)"
  extends Icons.Example;
  parameter Units.Stiffness K = 8e5 "Stiffness of each spring";
  parameter Units.Damping C = 4e4 "Damping of each spring";
  parameter Units.Mass m = 0.3 "Mass of shaft and rods: 1 x 0.01 x 0.01 m, 3000 kg/m3";
  parameter Units.Inertia along = m*2*0.01^2/12, across = m*(1 + 0.01^2)/12;
  parameter Units.Angle below = 0.52359877559829887 "Of the rods, under the horizontal, at start";
  inner World world(n = {0, 0, -1});
  Joints.Revolute shaft(n = {0, 0, 1}, phi(fixed = true),
    w(start = 6.283185307179586, fixed = true));
  Parts.Body shaftBody(m = m, r_CM = {0, 0, 0.5}, I_11 = across, I_22 = across, I_33 = along);
  Joints.Prismatic slide(n = {0, 0, 1}, s(start = 0.5, fixed = true), v(fixed = true));
  Parts.Body slider(m = 3, I_11 = 0.005, I_22 = 0.005, I_33 = 0.005);
  Parts.FixedTranslation hinge[2](r = {{0.05, 0, 1}, {-0.05, 0, 1}});
  Parts.FixedTranslation lug[2](r = {{0.05, 0, 0}, {-0.05, 0, 0}});
  Joints.Revolute swing[2](n = {{0, 1, 0}, {0, -1, 0}}, each phi(start = below, fixed = true),
    each w(fixed = true));
  Parts.FixedTranslation half[2](r = {{0.5, 0, 0}, {-0.5, 0, 0}});
  Parts.FixedTranslation whole[2](r = {{1, 0, 0}, {-1, 0, 0}});
  Parts.Body rod[2](each m = m, r_CM = {{0.5, 0, 0}, {-0.5, 0, 0}}, each I_11 = along,
    each I_22 = across, each I_33 = across);
  Parts.PointMass ball[2](each m = 5);
  Forces.SpringDamper spring[2](each c = K, each d = C, each s_0 = 0.5);
  output Units.Length s = slide.s "Position of the slider on the shaft";
equation
  connect(world.frame_b, shaft.frame_a);
  connect(shaft.frame_b, shaftBody.frame_a);
  connect(shaft.frame_b, slide.frame_a);
  connect(slide.frame_b, slider.frame_a);
  for k in 1:2 loop
    connect(shaft.frame_b, hinge[k].frame_a);
    connect(hinge[k].frame_b, swing[k].frame_a);
    connect(swing[k].frame_b, rod[k].frame_a);
    connect(swing[k].frame_b, half[k].frame_a);
    connect(swing[k].frame_b, whole[k].frame_a);
    connect(whole[k].frame_b, ball[k].frame_a);
    connect(slide.frame_b, lug[k].frame_a);
    connect(half[k].frame_b, spring[k].frame_a);
    connect(lug[k].frame_b, spring[k].frame_b);
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end FlyballGovernor;
