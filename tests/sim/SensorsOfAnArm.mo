// simulate: --stop 2 --tolerance 1e-10
// zero: v_off[1] 1e-8
// zero: v_off[2] 1e-8
// zero: v_off[3] 1e-8
// zero: a_off[1] 1e-8
// zero: a_off[2] 1e-8
// zero: a_off[3] 1e-8
// zero: z_off[1] 1e-8
// zero: z_off[2] 1e-8
// zero: z_off[3] 1e-8
// zero: turned[1] 1e-8
// zero: turned[2] 1e-8
// zero: turned[3] 1e-8
// zero: rel_off[1] 1e-8
// zero: rel_off[2] 1e-8
// zero: rel_off[3] 1e-8
// zero: rel_a[1] 1e-8
// zero: rel_a[2] 1e-8
// zero: rel_a[3] 1e-8
// zero: rel_z[1] 1e-8
// zero: rel_z[2] 1e-8
// zero: rel_z[3] 1e-8
// zero: joint[1] 1e-8
// zero: joint[2] 1e-8
// zero: joint[3] 1e-8
// zero: turn 1e-7
// zero: rate 1e-7
// zero: once 1e-7
// zero: cardan[1,2] 1e-7
// zero: cardan[2,3] 1e-7
// zero: cardan[3,1] 1e-7
// zero: shaft_off 1e-7
// zero: speed_off 1e-7
// zero: rail_off 1e-7
// zero: pace_off 1e-7
// constant: balance 1e-7
// constant: E 1e-7
// moves: table.phi 0.5
// moves: fore.E 1
model SensorsOfAnArm "Sensors say the derivatives of what they say, the joint's own coordinates, and the power of a drive"
  import Linkage.*;
  inner World world;
  Joints.Universal shoulder(n_a = {0, 1, 0}, n_b = {0, 0, 1}, phi(start = {0.3, -0.4}, each fixed = true),
    w(start = {2, 1}, each fixed = true));
  Parts.Rod upper(r = {0.8, 0, 0}, m = 2);
  Joints.Planar table(n = {1, 1, 0}, n_x = {0, 0, 1}, s_x(start = 0.1, fixed = true), s_y(start = 0.05, fixed = true),
    phi(start = 0.2, fixed = true), v_x(start = 0.3, fixed = true), v_y(fixed = true), w(start = 3, fixed = true));
  Sensors.CutForces cut;
  Parts.Body fore(m = 1, r_CM = {0.2, 0.1, 0}, I_11 = 0.05, I_22 = 0.06, I_33 = 0.04, I_21 = 0.01);
  Sensors.AbsoluteMotion motion, inside(resolveIn = Forces.ResolveIn.frame);
  Sensors.RelativeMotion relative, over;
  Sensors.Angles angles;
  Sensors.Distance distance;
  Real v_off[3] = der(motion.r) - motion.v, a_off[3] = der(motion.v) - motion.a;
  Real z_off[3] = der(motion.w) - motion.z;
  Real turned[3] = transpose(fore.frame_a.m.T)*inside.a - motion.a;
  Real rel_off[3] = der(over.r_rel) - over.v_rel, rel_a[3] = der(over.v_rel) - over.a_rel;
  Real rel_z[3] = der(over.w_rel) - over.z_rel;
  Real joint[3] = relative.v_rel - ({0, 0, 1}*table.v_x + cross({1, 1, 0}/sqrt(2), {0, 0, 1})*table.v_y);
  Real turn = relative.w_rel*{1, 1, 0}/sqrt(2) - table.w;
  Real rate = der(distance.s) - distance.v;
  Real cardan[3, 3] = Frames.axisRotation({0, 0, 1}, angles.phi[3])*Frames.axisRotation({0, 1, 0}, angles.phi[2])
    *Frames.axisRotation({1, 0, 0}, angles.phi[1]) - fore.frame_a.m.T;
  Real once = cos(angles.angle) - (sum(fore.frame_a.m.T[k, k] for k in 1:3) - 1)/2;
  // all that the body gains comes through the cut: its kinetic energy, and what lifts it
  Real worked(start = 0, fixed = true, unit = "J") "by the power there";
  Real balance = fore.E - worked;
  Real E = 20 + upper.E + fore.E;
  // a drive, whose power is that of the torque on the shaft
  Joints.Revolute shaft(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(start = 1, fixed = true));
  Parts.Body rotor(m = 1, I_22 = 0.5);
  Drives.Torque motor(tau = 3*cos(time));
  Sensors.RotationalPower power;
  Sensors.RotationalMotion speed;
  Real shaft_off = power.P - 3*cos(time)*(1 + 6*sin(time));
  Real speed_off = speed.w - (1 + 6*sin(time)) + speed.a - 6*cos(time);
  Joints.Prismatic rail(n = {1, 0, 0}, useFlange = true, s(fixed = true), v(start = 1, fixed = true));
  Parts.Body wagon(m = 2);
  Drives.Force push(f = 4*time);
  Sensors.TranslationalPower work;
  Sensors.TranslationalMotion pace;
  Real rail_off = work.P - 4*time*(1 + time^2);
  Real pace_off = pace.s - (time + time^3/3) + pace.v - (1 + time^2) + pace.a - 2*time;
equation
  der(worked) = cut.P;
  connect(world.frame_b, shoulder.frame_a);
  connect(shoulder.frame_b, upper.frame_a);
  connect(upper.frame_b, table.frame_a);
  connect(table.frame_b, cut.frame_a);
  connect(cut.frame_b, fore.frame_a);
  connect(fore.frame_a, motion.frame_a);
  connect(fore.frame_a, inside.frame_a);
  connect(upper.frame_b, relative.frame_a);
  connect(fore.frame_a, relative.frame_b);
  connect(upper.frame_a, over.frame_a);
  connect(fore.frame_a, over.frame_b);
  connect(world.frame_b, angles.frame_a);
  connect(fore.frame_a, angles.frame_b);
  connect(world.frame_b, distance.frame_a);
  connect(fore.frame_a, distance.frame_b);
  connect(world.frame_b, shaft.frame_a);
  connect(shaft.frame_b, rotor.frame_a);
  connect(motor.flange, power.flange_a);
  connect(power.flange_b, shaft.flange);
  connect(speed.flange, shaft.flange);
  connect(world.frame_b, rail.frame_a);
  connect(rail.frame_b, wagon.frame_a);
  connect(push.flange, work.flange_a);
  connect(work.flange_b, rail.flange);
  connect(pace.flange, rail.flange);
end SensorsOfAnArm;
