within Linkage.Benchmarks;
model SpatialSliderCrank "Crank, rod and slider out of one plane (IFToMM)"
  extends Icons.Example;
  inner World world(n = {0, 0, -1});
  Parts.FixedTranslation A(r = {0, 0.1, 0.12});
  Joints.Revolute crank(n = {1, 0, 0}, phi(fixed = true), w(start = 6, fixed = true));
  Parts.FixedTranslation crankArm(r = {0, 0, 0.08});
  Parts.Body crankBody(m = 0.12, r_CM = {0, 0, 0.04}, I_11 = 1e-4, I_22 = 1e-4, I_33 = 1e-5);
  Joints.Spherical ball(w_rel(start = {1.92 - 6, -0.96, 0.48}));
  // the rod's frame has the world's axes at the start: its inertia is that of a slender body
  Parts.FixedTranslation rodArm(r = {0.2, -0.1, -0.2});
  parameter Units.Cosine u[3] = {2, -1, -2}/3 "Direction of the rod at the start";
  parameter Units.Inertia along = 4e-4, across = 4e-3;
  Parts.Body rod(m = 0.5, r_CM = {0.1, -0.05, -0.1}, I_11 = across + (along - across)*u[1]^2,
    I_22 = across + (along - across)*u[2]^2, I_33 = across + (along - across)*u[3]^2,
    I_21 = (along - across)*u[1]*u[2], I_31 = (along - across)*u[1]*u[3],
    I_32 = (along - across)*u[2]*u[3]);
  Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.2), v(start = 0.24));
  Parts.Body slider(m = 2, I_11 = 1e-4, I_22 = 1e-4, I_33 = 1e-4);
  // the other axis in the rod, at right angles to it and to the rail
  Joints.Universal cross(n_a = {1, 0, 0}, n_b = {0, -2, 1});
  output Units.Length x = slide.s "Position of the slider";
  output Units.Energy E = crankBody.E + rod.E + slider.E "Total energy";
equation
  connect(world.frame_b, A.frame_a);
  connect(A.frame_b, crank.frame_a);
  connect(crank.frame_b, crankBody.frame_a);
  connect(crank.frame_b, crankArm.frame_a);
  connect(crankArm.frame_b, ball.frame_a);
  connect(ball.frame_b, rod.frame_a);
  connect(ball.frame_b, rodArm.frame_a);
  connect(world.frame_b, slide.frame_a);
  connect(slide.frame_b, slider.frame_a);
  connect(slide.frame_b, cross.frame_a);
  connect(cross.frame_b, rodArm.frame_b);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01));
end SpatialSliderCrank;
