// MLS 8.5: a relation of what Newton's method finds makes one event where it is crossed
// simulate: --stop 3 --tolerance 1e-9
// methods: dopri5 ida esdirk
// zero: error[1] 1e-7
// zero: error[2] 1e-7
// zero: error[3] 0
// moves: n 2
// agree: z 1e-7
model EventInLoop
  Real x(start = 0, fixed = true), y(start = 0), z(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Real error[3];
equation
  der(x) = 4;
  y^3 + y = x;
  der(z) = if y > 1 then 1 else 0; // from x = 2, t = 0.5 on
  when {y > 1, y > 2} then // t = 0.5 and x = 10, t = 2.5
    n = pre(n) + 1;
  end when;
  error[1] = z - noEvent(max(time - 0.5, 0));
  error[2] = y^3 + y - 4*time;
  error[3] = noEvent(if time > 2.501 then n - 2 elseif time > 0.501 and time < 2.499 then n - 1
    elseif time < 0.499 then n else 0);
end EventInLoop;
