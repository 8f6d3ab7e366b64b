// simulate: --stop 2 --tolerance 1e-9
// constant: bushing_energy 1e-7
// constant: damped_energy 1e-7
// zero: small_off 1e-8
// zero: orbit_off 1e-6
// constant: orbit_energy 1e-7
// constant: swept 1e-7
// constant: bounce_energy 1e-6
// constant: crash_energy 1e-6
// zero: rest_off 1e-7
// zero: roll_off 1e-4
// moves: free.r_rel[1] 0.1
// moves: free.Q[1] 0.1
// moves: small.phi 1e-3
// moves: orbit.r_rel[1] 1
// moves: ball.r_rel[2] 0.2
// moves: tumble.r_rel[1] 0.3
// moves: roll.s_x 1
model ForcesKeepEnergy "Elastic bearings, orbits and contacts: their energy, and closed forms"
  import Linkage.*;
  inner World world;
  // three stiffnesses, large turns; a part that moves, too
  Joints.Prismatic cart(n = {1, 0, 0}, s(fixed = true), v(start = 0.5, fixed = true));
  Parts.Body carrier(m = 3);
  Joints.Free free(r_rel(start = {0.2, 0.1, 0}, each fixed = true), v_rel(start = {0, 1, 0}, each fixed = true),
    Q(each fixed = true), w_rel(start = {3, -4, 2}, each fixed = true));
  Parts.Body body(m = 2, r_CM = {0.1, 0, 0}, I_11 = 0.2, I_22 = 0.3, I_33 = 0.25, I_21 = 0.02);
  Forces.Bushing bushing(c = {100, 200, 300}, c_t = {4, 6, 8}, r_0 = {0.1, 0, 0});
  Real bushing_energy(unit = "J") = 20 + carrier.E + body.E + bushing.V;
  Joints.Free damped(r_rel(each fixed = true), v_rel(start = {0, 1, 0}, each fixed = true),
    Q(each fixed = true), w_rel(start = {3, -4, 2}, each fixed = true));
  Parts.Body second(m = 2, r_CM = {0.1, 0, 0}, I_11 = 0.2, I_22 = 0.3, I_33 = 0.25);
  Forces.Bushing absorber(c = {100, 200, 300}, c_t = {4, 6, 8}, d = {1, 2, 3}, d_t = {0.1, 0.2, 0.3});
  Real lost(unit = "J", start = 0, fixed = true);
  Real damped_energy(unit = "J") = 20 + second.E + absorber.V + lost;
  Joints.Revolute small(n = {1, 0, 0}, phi(start = 1e-3, fixed = true), w(fixed = true));
  Parts.Body wheel(I_11 = 2);
  Forces.Bushing torsion(c_t = {18, 1, 1});
  Real small_off(unit = "rad") = small.phi - 1e-3*cos(3*time);
  // half a year around the sun of a planet of two years, from where it is closest
  constant Real pi = 3.14159265358979323846;
  Joints.Free orbit(r_rel(start = {0.5, 0, 0}, each fixed = true), v_rel(start = {0, 2*pi*sqrt(3)/2, 0}, each fixed = true),
    Q(each fixed = true), w_rel(each fixed = true));
  Parts.Body planet(m = 2);
  Forces.Force lift(f = {0, 9.81*2, 0}) "against the world's gravity";
  Forces.PointGravity sun(m = 2, mu = pi^2) "2 a = 2 m, (2 pi/T)^2 a^3 = pi^2";
  Real orbit_off(unit = "m") = if terminal() then abs(orbit.r_rel[1] - 0.5) + abs(orbit.r_rel[2]) else 0;
  Real orbit_energy(unit = "J") = planet.T + sun.V;
  Real swept = orbit.r_rel[1]*orbit.v_rel[2] - orbit.r_rel[2]*orbit.v_rel[1];
  // a ball that hits the ground without loss, and one that tumbles on a slope with friction and damping
  Joints.Free ball(r_rel(start = {0, 0.4, 0}, each fixed = true), v_rel(each fixed = true),
    Q(each fixed = true), w_rel(each fixed = true));
  Parts.Body rubber(I_11 = 0.004, I_22 = 0.004, I_33 = 0.004);
  Forces.SpherePlane bounce(c = 1e4, d = 0, mu = 0);
  Real bounce_energy(unit = "J") = rubber.E + bounce.V;
  Parts.FixedRotation slope(n = {0, 0, 1}, angle = -0.3);
  Joints.Free tumble(r_rel(start = {0, 0.4, 0}, each fixed = true), v_rel(start = {1, 0, 0.5}, each fixed = true),
    Q(each fixed = true), w_rel(start = {1, 5, -3}, each fixed = true));
  Parts.Body stone(r_CM = {0.01, 0.02, 0}, I_11 = 0.005, I_22 = 0.004, I_33 = 0.006);
  Forces.SpherePlane crash(c = 1e4, d = 0.3);
  Real heat(unit = "J", start = 0, fixed = true);
  Real crash_energy(unit = "J") = 20 + stone.E + crash.V + heat;
  // pressed in by its weight: m g cos(0.3) = c depth^1.5; it rolls with 5/7 of g sin(0.3)
  constant Real press = (2*9.81*cos(0.3)/1e6)^(2/3);
  Parts.FixedRotation side(n = {0, 0, 1}, angle = -0.3);
  Joints.Planar roll(s_y(start = 0.1 - press, fixed = true), s_x(fixed = true), v_x(fixed = true), v_y(fixed = true),
    phi(fixed = true), w(fixed = true));
  Parts.Body marble(m = 2, I_33 = 0.4*2*0.1^2);
  Forces.SpherePlane track(c = 1e6, d = 0.1, v_slip = 1e-4);
  Real rest_off(unit = "m") = track.depth - press;
  Real roll_off(unit = "m") = roll.s_x - 0.5*5/7*9.81*sin(0.3)*time^2;
equation
  connect(world.frame_b, cart.frame_a);
  connect(cart.frame_b, carrier.frame_a);
  connect(carrier.frame_a, free.frame_a);
  connect(free.frame_b, body.frame_a);
  connect(carrier.frame_a, bushing.frame_a);
  connect(body.frame_a, bushing.frame_b);
  connect(world.frame_b, damped.frame_a);
  connect(damped.frame_b, second.frame_a);
  connect(world.frame_b, absorber.frame_a);
  connect(second.frame_a, absorber.frame_b);
  der(lost) = absorber.loss;
  connect(world.frame_b, small.frame_a);
  connect(small.frame_b, wheel.frame_a);
  connect(world.frame_b, torsion.frame_a);
  connect(wheel.frame_a, torsion.frame_b);
  connect(world.frame_b, orbit.frame_a);
  connect(orbit.frame_b, planet.frame_a);
  connect(planet.frame_a, lift.frame_b);
  connect(planet.frame_a, sun.frame_b);
  connect(world.frame_b, ball.frame_a);
  connect(ball.frame_b, rubber.frame_a);
  connect(world.frame_b, bounce.frame_a);
  connect(rubber.frame_a, bounce.frame_b);
  connect(world.frame_b, slope.frame_a);
  connect(slope.frame_b, tumble.frame_a);
  connect(tumble.frame_b, stone.frame_a);
  connect(slope.frame_b, crash.frame_a);
  connect(stone.frame_a, crash.frame_b);
  der(heat) = crash.loss;
  connect(world.frame_b, side.frame_a);
  connect(side.frame_b, roll.frame_a);
  connect(roll.frame_b, marble.frame_a);
  connect(side.frame_b, track.frame_a);
  connect(marble.frame_a, track.frame_b);
end ForcesKeepEnergy;
