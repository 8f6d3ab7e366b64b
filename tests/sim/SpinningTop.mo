// simulate: --stop 2 --tolerance 1e-9
// zero: off[1] 1e-6
// zero: off[2] 1e-6
// zero: drive_off 1e-5
// zero: E_off 1e-6
// zero: kept 1e-6
// moves: column[1].phi[1] 0.3
// moves: column[1].phi[2] 0.1
model SpinningTop "A body that spins at a given speed does as one on a driven hinge"
  import Linkage.*;
  inner World world;
  Units.AngularVelocity speed = 200 + 50*sin(3*time);
  Joints.Universal column[2](each n_a = {1, 0, 0}, each n_b = {0, 0, 1}, each phi(start = {0.5, 0.2}, each fixed = true),
    each w(each fixed = true));
  Parts.FixedTranslation stem[2](each r = {0, 0.4, 0});
  Parts.SpinningBody top(m = 1, I_axis = 0.01, I_across = 0.006, w = speed);
  Joints.Revolute bearing(n = {0, 1, 0}, useFlange = true);
  Drives.RotationalMotion motor(phi = 200*time + 50/3*(1 - cos(3*time)));
  Parts.Body rotor(m = 1, I_11 = 0.006, I_22 = 0.01, I_33 = 0.006);
  Units.Angle off[2] = column[1].phi - column[2].phi;
  Units.Torque drive_off = top.drive - bearing.tau;
  Units.Energy E_off = top.E - rotor.E, work(start = 0, fixed = true), E_0(start = 0), kept = top.E - work - E_0;
initial equation
  E_0 = top.E;
equation
  der(E_0) = 0;
  der(work) = top.drive*speed;
  connect(world.frame_b, column[1].frame_a);
  connect(world.frame_b, column[2].frame_a);
  for k in 1:2 loop
    connect(column[k].frame_b, stem[k].frame_a);
  end for;
  connect(stem[1].frame_b, top.frame_a);
  connect(stem[2].frame_b, bearing.frame_a);
  connect(motor.flange, bearing.flange);
  connect(bearing.frame_b, rotor.frame_a);
end SpinningTop;
