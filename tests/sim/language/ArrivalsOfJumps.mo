// MLS 3.7.4.1, 3.7.4.2: where a jump arrives, which was delayed or transported, a step ends, so that nothing is
// integrated over it: by delays of a length, of a length that varies with time or with a state, of delays, through
// fluid that flows on or back.
// simulate: --step 0.01
// methods: rk4 trapezoid esdirk dopri5 ida cvode
// ends: x 1.25 1e-9
// ends: varying 1.234625 1e-9
// ends: twice 1.0389 1e-9
// ends: byState 5.75075458057755 2e-6
// ends: through 4.1 1e-9
// ends: back 6.34159265358979 5e-6
// ends: front 3 0
model ArrivalsOfJumps
  Real x(start = 0, fixed = true), varying(start = 0, fixed = true), twice(start = 0, fixed = true);
  Real byState(start = 0, fixed = true), through(start = 0, fixed = true), back(start = 0, fixed = true);
  Real step = if time > 0.3123 then 1 else 0, u = if time < 0.3 then 1 elseif time < 0.7 then 3 else 2;
  Real later = delay(step, 0.4377), lag(start = 0.4, fixed = true);
  Real place(start = 0, fixed = true), turning(start = 0, fixed = true), first, out, home, right;
  Integer front(start = 0, fixed = true) "events of what has arrived: at 1, 1.3 and 1.7";
equation
  der(x) = if time < 2 then later else 0;
  der(varying) = if time < 2 then delay(step, 0.3 + 0.2*time, 2) else 0;
  der(twice) = if time < 2 then delay(later, 0.2111) else 0;
  // lag = 0.4 + 0.3 (1 - cos(t))
  der(lag) = 0.3*sin(time);
  der(byState) = delay(u, lag, 3);
  der(place) = 1;
  (first, out) = spatialDistribution(u, 0, place, true, {0, 1}, {0, 0});
  der(through) = out;
  // what has entered leaves from pi/2 on in the opposite order: u(pi - t)
  der(turning) = cos(time);
  (home, right) = spatialDistribution(u, -1, turning, time < 1.5707963267948966, {0, 1}, {0, 0});
  der(back) = home;
  when {out > 0.5, out > 2.5, out > 1.5 and out < 2.5} then
    front = pre(front) + 1;
  end when;
  annotation(experiment(StopTime = 3, Interval = 0.5));
end ArrivalsOfJumps;
