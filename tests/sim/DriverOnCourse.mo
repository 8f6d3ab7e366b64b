// simulate: --stop 9 --tolerance 1e-6
// methods: dopri5
// zero: rolling_off 3e-5
// moves: y 0.01
// zero: course_off[1] 1e-12
// zero: course_off[2] 1e-12
// zero: course_off[3] 1e-12
// zero: course_off[4] 1e-12
// constant: E 1e-6
// moves: lost 1000
// moves: car.free.r_rel[2] 3.5
// ends: car.free.r_rel[2] 0 0.1
// zero: car.roll 0.06
// zero: car.steerer.error 1.7
model DriverOnCourse "A driver comes to a straight course as an oscillator; the Iltis changes the lane, with its energy balance"
  import Linkage.*;
  import Linkage.Vehicles.*;
  // a vehicle that rolls without slip, from 0.01 m beside its course; arms fast enough to be left out
  model Straight
    extends Course;
  equation
    y = 0;
  end Straight;
  constant Real T = 0.8, v = 10, y_0 = 0.01;
  Driver driver(redeclare model Way = Straight, T_ahead = T, wheelbase = 2.5, w_0 = 400);
  Real x(start = 0, fixed = true, unit = "m"), y(start = y_0, fixed = true, unit = "m"), yaw(start = 0, fixed = true);
  model Rolling "frame of a vehicle in the plane"
    Interfaces.Frame_b frame_b;
    input Real x, y, yaw, v;
  equation
    Connections.root(frame_b.m);
    frame_b.m.r = {x, y, 0};
    frame_b.m.T = [cos(yaw), sin(yaw), 0; -sin(yaw), cos(yaw), 0; 0, 0, 1];
    frame_b.m.v = {v, 0, 0};
    frame_b.m.w = zeros(3);
    frame_b.m.a = zeros(3);
    frame_b.m.z = zeros(3);
  end Rolling;
  Rolling rolling(x = x, y = y, yaw = yaw, v = v);
  Real rolling_off = y - y_0*exp(-time/T)*(cos(time/T) + sin(time/T));
  // before, half out, between, beyond
  LaneChange course[4](each offset = 3.5, each x_0 = 15, x = {10 + 0.1*time, 30, 60 + 0.1*time, 130});
  Real course_off[4] = course.y - {0, 1.75, 3.5, 0};
  // the vehicle: energies of its bodies, springs and tyres, what is lost, and the work of who steers and who drives
  Iltis.DoubleLaneChange car;
  Real power(unit = "W") = sum(car.corner[k].damper.loss + car.corner[k].tyre.frame_a.f*car.corner[k].tyre.frame_a.m.v
    + car.corner[k].tyre.frame_a.t*car.corner[k].tyre.frame_a.m.w for k in 1:4) "into dampers and tyres";
  Real lost(start = 0, fixed = true, unit = "J"), work(start = 0, fixed = true, unit = "J");
  Real E(unit = "J") = car.chassis.E + sum(car.corner.arm.E) + sum(car.corner.wheel.E) + sum(car.corner.leaf.V)
    + sum(car.corner.damper.V) + lost - work;
equation
  connect(rolling.frame_b, driver.frame_a);
  der(x) = v*cos(yaw);
  der(y) = v*sin(yaw);
  der(yaw) = v*tan(driver.angle)/2.5;
  der(lost) = power;
  der(work) = -car.driver.flange.f*der(car.driver.flange.s) + sum(car.corner.wheel.drive.*car.corner.wheel.w);
end DriverOnCourse;
