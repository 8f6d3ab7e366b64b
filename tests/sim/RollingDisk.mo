// simulate: --stop 4 --tolerance 1e-9
// zero: lean_off 1e-7
// zero: round[1] 1e-6
// zero: round[2] 1e-6
// zero: load_off 1e-6
// zero: down_off 1e-7
// zero: climb_off 1e-7
// constant: E 1e-7
// zero: touch[1] 1e-8
// zero: touch[2] 1e-8
// zero: touch[3] 1e-8
// moves: steady.s_x 0.3
// moves: wobbling.lean 0.2
// moves: down.s_x 1
// moves: climb.s_x 1
model RollingDisk "A disk rolls round a circle, down a slope, on an accelerated floor, and wobbles"
  import Linkage.*;
  inner World world;
  constant Real m = 2, r = 0.3, I_a = 0.5*m*r^2, I_t = 0.25*m*r^2, g = 9.81;
  // balance about the direction of rolling: m g r sin(lean) = cos(lean) u ((I_a + m r^2) w_z + sin(lean) u I_t)
  constant Real lean = 0.2, u = 2 "rate of the heading";
  constant Real w_z = (g*m*r*tan(lean)/u - sin(lean)*u*I_t)/(I_a + m*r^2), spin = w_z + sin(lean)*u;
  Joints.RollingWheel steady(radius = r, lean(start = lean, fixed = true), w_heading(start = u, fixed = true),
    w(start = spin, fixed = true), w_lean(fixed = true), s_x(fixed = true), s_z(fixed = true), heading(fixed = true),
    phi(fixed = true));
  Parts.Body disk(m = m, I_11 = I_t, I_22 = I_t, I_33 = I_a);
  Real lean_off = steady.lean - lean;
  Real round[2] = {steady.s_x + r*spin/u*sin(u*time), steady.s_z - r*spin/u*(1 - cos(u*time))};
  Real load_off = steady.f_n - m*g;
  Joints.RollingWheel wobbling(radius = r, lean(start = 0.3, fixed = true), w_heading(start = 1, fixed = true),
    w(start = -8, fixed = true), w_lean(start = 0.5, fixed = true), s_x(fixed = true), s_z(fixed = true),
    heading(fixed = true), phi(fixed = true));
  Parts.Body wheel(m = m, I_11 = I_t, I_22 = 1.2*I_t, I_33 = I_a);
  Real E = wheel.E;
  Real touch[3](each unit = "m/s") = transpose(wheel.frame_a.m.T)*wheel.frame_a.m.v
    + cross(transpose(wheel.frame_a.m.T)*wheel.frame_a.m.w, {wobbling.s_x, 0, wobbling.s_z} - wheel.frame_a.m.r);
  // 2/3 of what slides without friction
  Parts.FixedRotation slope(n = {0, 0, 1}, angle = -0.2);
  Joints.RollingWheel down(radius = r, s_x(fixed = true), s_z(fixed = true), heading(fixed = true), lean(fixed = true),
    phi(fixed = true), w_heading(fixed = true), w_lean(fixed = true), w(fixed = true));
  Parts.Body hoop(m = m, I_11 = I_t, I_22 = I_t, I_33 = I_a);
  Real down_off = down.s_x - 0.5*2/3*g*sin(0.2)*time^2;
  // a floor that a force of 6 N pulls: the disk stays behind by 2/3 of its way and adds m/3 to its mass
  Joints.Prismatic floor(n = {1, 0, 0}, useFlange = true, s(fixed = true), v(fixed = true));
  Parts.Body plate(m = 1);
  Drives.Force pull(f = 6);
  Joints.RollingWheel climb(radius = r, s_x(fixed = true), s_z(fixed = true), heading(fixed = true), lean(fixed = true),
    phi(fixed = true), w_heading(fixed = true), w_lean(fixed = true), w(fixed = true));
  Parts.Body roller(m = m, I_11 = I_t, I_22 = I_t, I_33 = I_a);
  Real climb_off = climb.s_x + 2/3*floor.s + floor.s - 0.5*6/(1 + m/3)*time^2;
equation
  connect(world.frame_b, steady.frame_a);
  connect(steady.frame_b, disk.frame_a);
  connect(world.frame_b, wobbling.frame_a);
  connect(wobbling.frame_b, wheel.frame_a);
  connect(world.frame_b, slope.frame_a);
  connect(slope.frame_b, down.frame_a);
  connect(down.frame_b, hoop.frame_a);
  connect(world.frame_b, floor.frame_a);
  connect(floor.frame_b, plate.frame_a);
  connect(pull.flange, floor.flange);
  connect(plate.frame_a, climb.frame_a);
  connect(climb.frame_b, roller.frame_a);
end RollingDisk;
