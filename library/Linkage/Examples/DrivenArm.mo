within Linkage.Examples;
model DrivenArm "Two-link arm: motors on both hinges, friction in the second"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute shoulder(useFlange = true, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body upper(m = 3, r_CM = {0.4, 0, 0}, I_11 = 0.01, I_22 = 0.2, I_33 = 0.2)
    annotation(Placement(transformation(origin = {40, -20}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation arm(r = {0.8, 0, 0})
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute elbow(useFlange = true, phi(start = 0.5, fixed = true), w(fixed = true))
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body fore(m = 2, r_CM = {0.3, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1)
    annotation(Placement(transformation(origin = {160, 60}, extent = {{-18, -18}, {18, 18}})));
  Drives.Torque motor1(tau = 40*cos(time))
    annotation(Placement(transformation(origin = {-58, 102}, extent = {{-12, -12}, {12, 12}})));
  Drives.Torque motor2(tau = 5)
    annotation(Placement(transformation(origin = {62, 102}, extent = {{-12, -12}, {12, 12}})));
  Drives.RotationalFixed ground
    annotation(Placement(transformation(origin = {12, 132}, extent = {{-12, -12}, {12, 12}})));
  Drives.RotationalSpringDamper friction(c = 0, d = 0.8)
    annotation(Placement(transformation(origin = {62, 132}, extent = {{-12, -12}, {12, 12}})));
equation
  connect(world.frame_b, shoulder.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(shoulder.frame_b, upper.frame_a)
    annotation(Line(points = {{-2, 60}, {10, 60}, {10, -20}, {22, -20}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(shoulder.frame_b, arm.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(arm.frame_b, elbow.frame_a)
    annotation(Line(points = {{58, 60}, {82, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(elbow.frame_b, fore.frame_a)
    annotation(Line(points = {{118, 60}, {142, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(motor1.flange, shoulder.flange)
    annotation(Line(points = {{-46, 102}, {-20, 102}, {-20, 78}}, color = {0, 0, 0}));
  connect(motor2.flange, elbow.flange)
    annotation(Line(points = {{74, 102}, {100, 102}, {100, 78}}, color = {0, 0, 0}));
  connect(ground.flange, friction.flange_a)
    annotation(Line(points = {{24, 132}, {50, 132}}, color = {0, 0, 0}));
  connect(friction.flange_b, elbow.flange)
    annotation(Line(points = {{74, 132}, {100, 132}, {100, 78}}, color = {0, 0, 0}));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, -50}, {190, 162}})),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end DrivenArm;
