within Linkage.Benchmarks;
model Pendulum "Point mass on a massless rod, released from the horizontal (IFToMM A01)"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute joint(n = {0, 0, 1}, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation rod(r = {-1, 0, 0})
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.PointMass mass(m = 1)
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  output Units.Length x = mass.frame_a.m.r[1] "Position of the mass";
  output Units.Length y = mass.frame_a.m.r[2] "Position of the mass";
  output Units.Energy E = mass.E "Total energy";
equation
  connect(world.frame_b, joint.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint.frame_b, rod.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(rod.frame_b, mass.frame_a)
    annotation(Line(points = {{58, 60}, {82, 60}}, color = {95, 108, 128}, thickness = 0.5));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, 30}, {130, 90}})),
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end Pendulum;
