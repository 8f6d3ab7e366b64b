model Robot "an arm with six hinges, torques given"
  inner Linkage.World world(g = 9.81, n = {0, 0, -1});
  input Real tau[6](each unit = "N.m");
  output Real tip[3](each unit = "m") "position of the tool";
  parameter Real axis[6, 3] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}}
    annotation(Evaluate = true);
  parameter Real phi_0[6] = {0.1, -0.6, 0.9, 0.2, -0.4, 0.3};
  Linkage.Joints.Revolute joint[6](n = axis, phi(start = phi_0), each useFlange = true);
  Linkage.Drives.Torque motor[6](tau = tau);
  Linkage.Parts.Body body[6](
    m = {20, 15, 10, 4, 2, 1},
    r_CM = {{0, 0, 0.2}, {0, 0, 0.25}, {0.05, 0, 0.1}, {0.15, 0, 0}, {0.04, 0, 0}, {0.02, 0, 0}},
    I_11 = {0.3, 0.3, 0.1, 0.02, 0.004, 0.001}, I_22 = {0.3, 0.3, 0.1, 0.05, 0.006, 0.001},
    I_33 = {0.2, 0.1, 0.08, 0.05, 0.006, 0.002});
  Linkage.Parts.FixedTranslation arm[6](
    r = {{0, 0, 0.4}, {0, 0, 0.5}, {0.1, 0, 0.1}, {0.35, 0, 0}, {0.08, 0, 0}, {0.1, 0, 0}});
equation
  connect(world.frame_b, joint[1].frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(joint.frame_b, arm.frame_a);
  connect(arm[1:5].frame_b, joint[2:6].frame_a);
  connect(motor.flange, joint.flange);
  tip = arm[6].frame_b.m.r;
end Robot;
