// simulate: --stop 3 --tolerance 1e-9
// zero: geared_off 1e-7
// zero: racked_off 1e-7
// zero: motor_off 1e-6
// constant: motor_energy 1e-7
// zero: held_off 1e-4
// zero: slid_off 2e-3
// constant: friction_energy 1e-7
// zero: bounce_off 1e-6
// constant: bounce_energy 1e-7
// constant: damped_energy 1e-7
// zero: never_pulls 1e-9
// zero: bilinear_off 1e-6
// constant: table_energy 1e-7
// moves: geared.phi 1
// moves: racked.s 1
// moves: turned.phi 1
// moves: sledge.s 1
// moves: ball.s 1
// moves: soft.s 0.5
// moves: shaker.s 2
model DrivesClosedForms "Gears, a motor, friction, stops and tables against what is known of them"
  import Linkage.*;
  inner World world;
  // a wheel of 0.2 kg m2 turns three times for one turn of a body of 2 kg m2
  Joints.Revolute geared(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(fixed = true));
  Parts.Body drum(I_22 = 2);
  Drives.Torque torque(tau = 1);
  Drives.Inertia wheel(J = 0.2);
  Drives.Gear gear(ratio = 3);
  Real geared_off = geared.phi - 0.5*3/(2 + 9*0.2)*time^2;
  // a rack of 1 kg and a sledge of 2 kg, pulled by a pinion of 0.1 m
  Joints.Prismatic racked(n = {1, 0, 0}, useFlange = true, s(fixed = true), v(fixed = true));
  Parts.Body load(m = 2);
  Drives.Torque pull(tau = 0.3);
  Drives.Inertia pinion(J = 0.01);
  Drives.RackAndPinion teeth(radius = 0.1);
  Drives.Mass rack(m = 1);
  Real racked_off = racked.s - 0.5*0.03/(0.01 + 3*0.01)*time^2;
  // s^2 + 3 s + 2: poles at -1 and -2; no load speed 4
  Joints.Revolute turned(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(fixed = true));
  Parts.Body rotor(I_22 = 0.5);
  Drives.DCMotor motor(u = 4, R = 3, L = 1, k = 1);
  Real motor_off = turned.w - 4*(1 - 2*exp(-time) + exp(-2*time));
  Real motor_work(start = 0, fixed = true);
  Real motor_energy = 1 + rotor.E + motor.V - motor_work;
  // held for a second, then pulled along
  Joints.Prismatic sledge(n = {1, 0, 0}, useFlange = true, s(fixed = true), v(fixed = true));
  Parts.Body runner(m = 2);
  Drives.Force haul(f = if time < 1 then 1.5 else 5);
  Drives.TranslationalFixed ground1, ground2, ground3, ground4, ground5;
  Drives.TranslationalFriction dry(f_C = 2, c = 1e5, d_c = 200);
  Real held_off = if time < 1 then sledge.s else 0;
  Real slid_off = if time < 1 then 0 else sledge.s - 0.75*(time - 1)^2;
  Real friction_work(start = 0, fixed = true);
  Real friction_energy = 1 + runner.E + 0.5*dry.c*dry.z^2 - friction_work;
  // to and fro between elastic stops: pi/100 s in each
  Joints.Prismatic ball(n = {1, 0, 0}, useFlange = true, s(fixed = true), v(start = 2, fixed = true));
  Parts.Body bouncing(m = 1);
  Drives.TranslationalStop elastic(c = 1e4);
  constant Real c = 3.14159265358979323846/100 "in contact";
  Real bounce_off = ball.s - (if time < 0.5 then 2*time elseif time < 0.5 + c then 1 + 0.02*sin(100*(time - 0.5))
    elseif time < 1.5 + c then 2 - 2*(time - c) elseif time < 1.5 + 2*c then -1 - 0.02*sin(100*(time - 1.5 - c))
    elseif time < 2.5 + 2*c then 2*(time - 2*c - 2)
    elseif time < 2.5 + 3*c then 1 + 0.02*sin(100*(time - 2.5 - 2*c)) else 6 - 2*(time - 3*c));
  Real bounce_energy = bouncing.E + elastic.V;
  Joints.Prismatic soft(n = {1, 0, 0}, useFlange = true, s(fixed = true), v(start = 2, fixed = true));
  Parts.Body thud(m = 1);
  Drives.TranslationalStop lossy(c = 1e4, d = 0.8, s_max = 0.5, s_min = -0.5);
  Real damped_work(start = 0, fixed = true);
  Real damped_energy = thud.E + lossy.V + damped_work;
  Real never_pulls = if lossy.f*lossy.depth < 0 then 1 else 0;
  // 4 N/m above zero, 1 N/m below
  Joints.Prismatic shaker(n = {1, 0, 0}, useFlange = true, s(start = 1, fixed = true), v(fixed = true));
  Parts.Body mass(m = 1);
  Drives.TranslationalSpringTable table(spring = [-1, -1; 0, 0; 1, 4]);
  Real bilinear_off = shaker.s - (if time < 0.25*100*c then cos(2*time) else -2*sin(time - 0.25*100*c));
  Joints.Prismatic worn(n = {1, 0, 0}, useFlange = true, s(start = 1, fixed = true), v(fixed = true));
  Parts.Body second(m = 1);
  Drives.TranslationalSpringTable absorber(spring = [-1, -3; -0.5, -0.5; 0, 0; 1, 4; 2, 9], damper = [-1, -0.5; 0, 0; 0.2, 0.3; 1, 0.4]);
  Real table_work(start = 0, fixed = true);
  Real table_energy = 10 + second.E + absorber.V + table_work;
equation
  connect(world.frame_b, geared.frame_a);
  connect(geared.frame_b, drum.frame_a);
  connect(torque.flange, wheel.flange_a);
  connect(wheel.flange_b, gear.flange_a);
  connect(gear.flange_b, geared.flange);
  connect(world.frame_b, racked.frame_a);
  connect(racked.frame_b, load.frame_a);
  connect(pull.flange, pinion.flange_a);
  connect(pinion.flange_b, teeth.pinion);
  connect(teeth.rack, rack.flange_a);
  connect(rack.flange_b, racked.flange);
  connect(world.frame_b, turned.frame_a);
  connect(turned.frame_b, rotor.frame_a);
  connect(motor.flange, turned.flange);
  der(motor_work) = motor.P - motor.loss;
  connect(world.frame_b, sledge.frame_a);
  connect(sledge.frame_b, runner.frame_a);
  connect(haul.flange, sledge.flange);
  connect(ground1.flange, dry.flange_a);
  connect(dry.flange_b, sledge.flange);
  der(friction_work) = haul.f*sledge.v - dry.loss;
  connect(world.frame_b, ball.frame_a);
  connect(ball.frame_b, bouncing.frame_a);
  connect(ground2.flange, elastic.flange_a);
  connect(elastic.flange_b, ball.flange);
  connect(world.frame_b, soft.frame_a);
  connect(soft.frame_b, thud.frame_a);
  connect(ground3.flange, lossy.flange_a);
  connect(lossy.flange_b, soft.flange);
  der(damped_work) = lossy.loss;
  connect(world.frame_b, shaker.frame_a);
  connect(shaker.frame_b, mass.frame_a);
  connect(ground4.flange, table.flange_a);
  connect(table.flange_b, shaker.flange);
  connect(world.frame_b, worn.frame_a);
  connect(worn.frame_b, second.frame_a);
  connect(ground5.flange, absorber.flange_a);
  connect(absorber.flange_b, worn.flange);
  der(table_work) = absorber.loss;
end DrivesClosedForms;
