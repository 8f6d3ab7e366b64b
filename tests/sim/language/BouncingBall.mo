// MLS 8.3.5, 8.3.6: state events, reinit, a counter
// simulate: --stop 3 --tolerance 1e-9 --step 0.006
// methods: dopri5 rk4 ida cvode esdirk
// zero: error 1e-5
// zero: wrong 0
// moves: bounces 2
// agree: h 1e-5
model BouncingBall
  constant Real g = 10, e = 0.8;
  Real h(start = 5, fixed = true), v(start = 0, fixed = true);
  discrete Integer bounces(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true) "Time of the last bounce";
  discrete Real up(start = 0, fixed = true) "Velocity behind it";
  Real error, wrong;
  // the ball touches the ground at t = 1 and 1 + 2*0.8, with 10, 8 and 6.4 m/s
  Real expected;
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*v);
    bounces = pre(bounces) + 1;
    last = time;
    up = -e*v;
  end when;
  expected = if bounces == 0 then 5 - g/2*time^2
    elseif bounces == 1 then 8*(time - 1) - g/2*(time - 1)^2
    else 6.4*(time - 2.6) - g/2*(time - 2.6)^2;
  error = h - expected;
  wrong = if bounces > 2 then 1 else 0;
end BouncingBall;
