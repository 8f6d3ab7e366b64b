within Linkage.Examples;
model DoublePendulum "Two rods on hinges, swinging in a plane"
  extends Icons.Example;
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  parameter Units.Inertia J = m*l^2/12 "Inertia of each rod across, about its middle";
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute joint1(phi(start = 0.3, fixed = true), w(fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body body1(m = m, final r_CM = {l/2, 0, 0}, final I_11 = 0, final I_22 = J, final I_33 = J,
    final I_21 = 0, final I_31 = 0, final I_32 = 0)
    annotation(Placement(transformation(origin = {40, 0}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation arm(final r = {l, 0, 0})
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute joint2(phi(start = 1, fixed = true), w(fixed = true))
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body body2(m = m, final r_CM = {l/2, 0, 0}, final I_11 = 0, final I_22 = J, final I_33 = J,
    final I_21 = 0, final I_31 = 0, final I_32 = 0)
    annotation(Placement(transformation(origin = {160, 60}, extent = {{-18, -18}, {18, 18}})));
  output Units.Energy E = body1.E + body2.E "Total energy";
equation
  connect(world.frame_b, joint1.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint1.frame_b, body1.frame_a)
    annotation(Line(points = {{-2, 60}, {10, 60}, {10, 0}, {22, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(joint1.frame_b, arm.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(arm.frame_b, joint2.frame_a)
    annotation(Line(points = {{58, 60}, {82, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint2.frame_b, body2.frame_a)
    annotation(Line(points = {{118, 60}, {142, 60}}, color = {95, 108, 128}, thickness = 0.5));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, -30}, {190, 90}})),
    experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end DoublePendulum;
