within Linkage.Examples;
model TorsionPendulum "Hinge about a sloping axis with a torsion spring"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedRotation slope(n = {1, 0, 0}, angle = 0.5)
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute joint(n = {0, 0, 1}, useFlange = true, phi(start = 0.5, fixed = true),
    w(fixed = true))
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body body(m = 1, r_CM = {0.5, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1)
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  Drives.RotationalFixed ground
    annotation(Placement(transformation(origin = {-48, 102}, extent = {{-12, -12}, {12, 12}})));
  Drives.RotationalSpringDamper spring(c = 20)
    annotation(Placement(transformation(origin = {2, 102}, extent = {{-12, -12}, {12, 12}})));
  output Units.Energy E = body.E + spring.V "Total energy";
equation
  connect(world.frame_b, slope.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(slope.frame_b, joint.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint.frame_b, body.frame_a)
    annotation(Line(points = {{58, 60}, {82, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(ground.flange, spring.flange_a)
    annotation(Line(points = {{-36, 102}, {-10, 102}}, color = {0, 0, 0}));
  connect(spring.flange_b, joint.flange)
    annotation(Line(points = {{14, 102}, {40, 102}, {40, 78}}, color = {0, 0, 0}));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, 30}, {130, 132}})),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end TorsionPendulum;
