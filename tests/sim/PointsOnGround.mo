// simulate: --stop 3 --tolerance 1e-7
// methods: esdirk ida
// zero: cubic_off[1] 1e-12
// zero: cubic_off[2] 1e-12
// zero: cubic_off[3] 1e-12
// zero: slope_off 1e-6
// zero: beyond_off[1] 1e-12
// zero: beyond_off[2] 1e-12
// zero: beyond_off[3] 1e-12
// constant: E_bounce 1e-6
// moves: bouncer.frame_a.m.r[3] 0.5
// zero: stuck_off[1] 5e-4
// zero: stuck_off[2] 5e-4
// ends: foot[1].z[1] -1.5e-4 1e-8
// ends: foot[2].z[2] -1.5e-4 1e-8
// zero: slid_off 1e-2
// moves: point[3].x.s 1
// constant: E_table 1e-6
// moves: lost 10
model PointsOnGround "Heights over a grid by formulas; points that bounce, stick and slide; a table that falls on hills"
  import Linkage.*;
  inner World world(n = {0, 0, -1}, g = 9.81);
  // heights that are quadratic are met exactly between the lines of the grid
  constant Real x_0 = -2, y_0 = -1.5, dx = 0.5, dy = 0.25;
  parameter Real quadratic[13, 17] = {{height(x_0 + (i - 1)*dx, y_0 + (j - 1)*dy) for j in 1:17} for i in 1:13};
  constant Real k(unit = "1/m") = 1;
  function height
    input Real x, y;
    output Real z = 0.3 + 0.2*x - 0.1*y + 0.4*x^2 - 0.3*x*y + 0.25*y^2;
  end height;
  Vehicles.HeightField field(x_0 = x_0, y_0 = y_0, dx = dx, dy = dy, z = quadratic, x = sin(2*time), y = 0.8*cos(3*time));
  Real cubic_off[3] = {field.h - height(field.x, field.y), field.h_x - (0.2 + k*(0.8*field.x - 0.3*field.y)),
    field.h_y - (-0.1 + k*(0.5*field.y - 0.3*field.x))};
  // hills everywhere: slopes are the derivatives of the height, across lines and edges
  parameter Real hills[9, 9] = {{0.3*sin(1.7*i)*cos(0.9*j*j) for j in 1:9} for i in 1:9};
  Vehicles.HeightField hilly(x_0 = -2, y_0 = -2, dx = 0.5, dy = 0.5, z = hills, x = 3.6*sin(time), y = 3*sin(1.3*time + 1)),
    far(x_0 = -2, y_0 = -2, dx = 0.5, dy = 0.5, z = hills, x = 30 + time, y = -40);
  Real climbed, slope_off = climbed - hilly.h;
  Real beyond_off[3] = {k*(far.h - hills[9, 1]), far.h_x, far.h_y};
  // without friction and damping a point that bounces over hills keeps its energy
  model Way "three translations"
    Interfaces.Frame_a frame_a;
    Interfaces.Frame_b frame_b;
    Joints.Prismatic x(n = {1, 0, 0}, s(fixed = true), v(fixed = true)), y(n = {0, 1, 0}, s(fixed = true), v(fixed = true)),
      z(n = {0, 0, 1}, s(fixed = true), v(fixed = true));
  equation
    connect(frame_a, x.frame_a);
    connect(x.frame_b, y.frame_a);
    connect(y.frame_b, z.frame_a);
    connect(z.frame_b, frame_b);
  end Way;
  Way flight(z(s(start = 1)));
  Parts.PointMass bouncer(m = 2);
  Forces.PointGround spring(c = 2e4, d = 0, mu = 1e-12, c_t = 1e-12, d_t = 0,
    redeclare model Profile = Vehicles.HeightField(x_0 = -2, y_0 = -2, dx = 0.5, dy = 0.5, z = hills));
  Real E_bounce(unit = "J") = bouncer.E + spring.V;
  // on a slope of 0.3: two points that stick, along x and along y, deflected by slope/c_t, and one that slides
  constant Real slope = 0.3, tangent[3, 2] = [slope, 0; 0, slope; slope, 0];
  model Plane "ground that rises by a and b"
    extends Vehicles.Road;
    parameter Real a = 0, b = 0;
  equation
    h = a*x + b*y;
    h_x = a;
    h_y = b;
  end Plane;
  Way point[3](z(s(start = pressed)));
  Parts.PointMass mass[3](each m = 1);
  constant Real f_z = 9.81/(1 + slope^2), pressed[3] = -{1, 1, 1}*(f_z/1e6)^(2/3) "normal force m g cos(slope)";
  Forces.PointGround foot[3](mu = {0.5, 0.5, 0.2}, each d = 1, redeclare each model Profile = Plane(a = 0, b = 0),
    ground(a = tangent[:, 1], b = tangent[:, 2]));
  Real stuck_off[2] = {point[1].x.s, point[2].y.s};
  // m a = m g (sin - mu cos) along the slope, whose part along x is by cos
  constant Real cosine = 1/sqrt(1 + slope^2);
  Real slid_off = point[3].x.v + 9.81*(slope - 0.2)*cosine^2*time;
  // a table falls on hills and comes to rest
  Joints.Free free(r_rel(start = {0, 0, 1.2}, each fixed = true), v_rel(start = {0.5, 0, 0}, each fixed = true),
    w_rel(start = {1, 0.5, 0.3}, each fixed = true), Q(each fixed = true));
  Parts.Body table(m = 10, I_11 = 0.5, I_22 = 0.6, I_33 = 0.9);
  Parts.FixedTranslation leg[4](r = {{0.4, 0.3, -0.4}, {0.4, -0.3, -0.4}, {-0.4, 0.3, -0.4}, {-0.4, -0.3, -0.4}});
  Forces.PointGround feet[4](each c = 5e4, each d = 0.5, each mu = 0.7, redeclare each model Profile =
    Vehicles.HeightField(x_0 = -2, y_0 = -2, dx = 0.5, dy = 0.5, z = hills));
  Real lost(start = 0, fixed = true, unit = "J"), E_table(unit = "J") = table.E + sum(feet.V) + lost;
initial equation
  climbed = hilly.h;
equation
  der(climbed) = hilly.h_x*der(hilly.x) + hilly.h_y*der(hilly.y);
  connect(world.frame_b, flight.frame_a);
  connect(flight.frame_b, bouncer.frame_a);
  connect(world.frame_b, spring.frame_a);
  connect(spring.frame_b, flight.frame_b);
  for k in 1:3 loop
    connect(world.frame_b, point[k].frame_a);
    connect(point[k].frame_b, mass[k].frame_a);
    connect(world.frame_b, foot[k].frame_a);
    connect(foot[k].frame_b, point[k].frame_b);
  end for;
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, table.frame_a);
  for k in 1:4 loop
    connect(free.frame_b, leg[k].frame_a);
    connect(world.frame_b, feet[k].frame_a);
    connect(leg[k].frame_b, feet[k].frame_b);
  end for;
  der(lost) = sum(feet.loss);
end PointsOnGround;
