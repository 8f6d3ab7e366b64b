within Linkage.Examples;
model Slider "Mass on a rail with a spring"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Prismatic joint(n = {1, 0, 0}, useFlange = true, s(start = 1, fixed = true),
    v(fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.PointMass body(m = 2)
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Drives.TranslationalFixed ground
    annotation(Placement(transformation(origin = {-108, 102}, extent = {{-12, -12}, {12, 12}})));
  Drives.TranslationalSpringDamper spring(c = 50, s_rel_0 = 0.5)
    annotation(Placement(transformation(origin = {-58, 102}, extent = {{-12, -12}, {12, 12}})));
  output Units.Energy E = body.E + spring.V "Total energy";
equation
  connect(world.frame_b, joint.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint.frame_b, body.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(ground.flange, spring.flange_a)
    annotation(Line(points = {{-96, 102}, {-70, 102}}, color = {0, 0, 0}));
  connect(spring.flange_b, joint.flange)
    annotation(Line(points = {{-46, 102}, {-20, 102}, {-20, 78}}, color = {0, 0, 0}));
  annotation(
    Diagram(coordinateSystem(extent = {{-138, 30}, {70, 132}})),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end Slider;
