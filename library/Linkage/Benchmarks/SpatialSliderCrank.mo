within Linkage.Benchmarks;
model SpatialSliderCrank "Crank, rod and slider out of one plane (IFToMM)"
  extends Icons.Example;
  inner World world(n = {0, 0, -1})
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation A(r = {0, 0.1, 0.12})
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute crank(n = {1, 0, 0}, phi(fixed = true), w(start = 6, fixed = true))
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation crankArm(r = {0, 0, 0.08})
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body crankBody(m = 0.12, r_CM = {0, 0, 0.04}, I_11 = 1e-4, I_22 = 1e-4, I_33 = 1e-5)
    annotation(Placement(transformation(origin = {100, 0}, extent = {{-18, -18}, {18, 18}})));
  Joints.Spherical ball(w_rel(start = {1.92 - 6, -0.96, 0.48}))
    annotation(Placement(transformation(origin = {160, 60}, extent = {{-18, -18}, {18, 18}})));
  // the rod's frame has the world's axes at the start: its inertia is that of a slender body
  Parts.FixedTranslation rodArm(r = {0.2, -0.1, -0.2});
  parameter Units.Cosine u[3] = {2, -1, -2}/3 "Direction of the rod at the start";
  parameter Units.Inertia along = 4e-4, across = 4e-3;
  Parts.Body rod(m = 0.5, r_CM = {0.1, -0.05, -0.1}, I_11 = across + (along - across)*u[1]^2,
    I_22 = across + (along - across)*u[2]^2, I_33 = across + (along - across)*u[3]^2,
    I_21 = (along - across)*u[1]*u[2], I_31 = (along - across)*u[1]*u[3],
    I_32 = (along - across)*u[2]*u[3])
    annotation(Placement(transformation(origin = {220, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.2), v(start = 0.24))
    annotation(Placement(transformation(origin = {-20, 0}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body slider(m = 2, I_11 = 1e-4, I_22 = 1e-4, I_33 = 1e-4)
    annotation(Placement(transformation(origin = {40, 0}, extent = {{-18, -18}, {18, 18}})));
  // the other axis in the rod, at right angles to it and to the rail
  Joints.Universal cross(n_a = {1, 0, 0}, n_b = {0, -2, 1});
  output Units.Length x = slide.s "Position of the slider";
  output Units.Energy E = crankBody.E + rod.E + slider.E "Total energy";
equation
  connect(world.frame_b, A.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(A.frame_b, crank.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(crank.frame_b, crankBody.frame_a)
    annotation(Line(points = {{58, 60}, {70, 60}, {70, 0}, {82, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(crank.frame_b, crankArm.frame_a)
    annotation(Line(points = {{58, 60}, {82, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(crankArm.frame_b, ball.frame_a)
    annotation(Line(points = {{118, 60}, {142, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(ball.frame_b, rod.frame_a)
    annotation(Line(points = {{178, 60}, {202, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(ball.frame_b, rodArm.frame_a);
  connect(world.frame_b, slide.frame_a)
    annotation(Line(points = {{-62, 60}, {-50, 60}, {-50, 0}, {-38, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(slide.frame_b, slider.frame_a)
    annotation(Line(points = {{-2, 0}, {22, 0}}, color = {95, 108, 128}, thickness = 0.5));
  connect(slide.frame_b, cross.frame_a);
  connect(cross.frame_b, rodArm.frame_b);
  annotation(
    Diagram(coordinateSystem(extent = {{-110, -30}, {250, 90}})),
    experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01));
end SpatialSliderCrank;
