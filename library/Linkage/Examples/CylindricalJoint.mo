within Linkage.Examples;
model CylindricalJoint "Body that slides and turns on a sloping rod"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Cylindrical joint(n = {2, 1, 2}, v(start = 1, fixed = true), w(start = 3, fixed = true),
    s(fixed = true), phi(fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body body(m = 2, r_CM = {0.5, 0.1, -0.2}, I_11 = 0.05, I_22 = 0.2, I_33 = 0.18, I_21 = 0.01,
    I_31 = -0.02, I_32 = 0.015)
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  output Units.Energy E = body.E "Total energy";
equation
  connect(world.frame_b, joint.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint.frame_b, body.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, 30}, {70, 90}})),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end CylindricalJoint;
