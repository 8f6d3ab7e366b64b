// Two shafts in a clutch that holds, each in a brake: while both brakes stick, the clutch's and the brakes' torques are not
// determined. Where the first brake reaches its limit it begins to slide at zero acceleration, since the other sticks: its
// relation s > f is zero exactly then, and the event led back to the old value, 2,000 times. The shafts move when both
// limits together are reached, at u = f1 + f2.
// simulate: --stop 2 --tolerance 1e-8
// methods: esdirk dopri5 ida
// zero: error 1e-7
// zero: error2 1e-7
// moves: w1 0.03
model ShaftsThatStick
  Real u = 2*time, w1(start = 0, fixed = true), w2(start = 0, fixed = true), a1, a2;
  Real f1 = 1 + 0.2*u, fc = 5, f2 = 1.5, s1, sc, s2, t1, tc, t2;
  Boolean go1, lock1, stick1(start = true, fixed = true), goc, lockc, stickc(start = true, fixed = true);
  Boolean go2, lock2, stick2(start = true, fixed = true);
  parameter Real t0 = 1.5625;
  Real exact = if time < t0 then 0 else 0.2*(time^2 - t0^2) - 0.625*(time - t0), error = w1 - exact, error2 = w2 - exact;
equation
  der(w1) = a1;
  der(w2) = a2;
  2*a1 = u - t1 - tc;
  2*a2 = tc - t2;
  go1 = pre(stick1) and s1 > f1;
  lock1 = pre(stick1) and not go1;
  t1 = if lock1 then s1 else f1;
  a1 = if lock1 then 0 else s1 - t1;
  stick1 = not ((go1 or not pre(stick1)) and w1 > 0);
  goc = pre(stickc) and sc > fc;
  lockc = pre(stickc) and not goc;
  tc = if lockc then sc else fc;
  a1 - a2 = if lockc then 0 else sc - tc;
  stickc = not ((goc or not pre(stickc)) and w1 - w2 > 0);
  go2 = pre(stick2) and s2 > f2;
  lock2 = pre(stick2) and not go2;
  t2 = if lock2 then s2 else f2;
  a2 = if lock2 then 0 else s2 - t2;
  stick2 = not ((go2 or not pre(stick2)) and w2 > 0);
end ShaftsThatStick;
