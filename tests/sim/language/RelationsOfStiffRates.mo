// Relations of derivatives change where these pass zero, whatever rounding and errors of stiff states make of them:
// der(y) = cos(t - 1/k), in steps that are short by another oscillation; w = -sin(t - 1e-6) of a small flux; der(v) that
// is within its noise at all times; der(z) that bends within its noise, which is 3e-3, shortly before it passes zero.
// methods: esdirk ida cvode
// ends: down 1.5707963 1e-4
// ends: up 4.7123890 3e-4
// ends: half 3.1415937 1e-4
// ends: low 1.5707963 1e-4
// ends: bent 1.6333333 1e-4
// ends: n 4 0
model RelationsOfStiffRates
  parameter Real k = 1e9, L = 1e-8 "so that the flux is small";
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a(start = 1, fixed = true), b(start = 0, fixed = true);
  Real phi(start = L, fixed = true), i = phi/L, w = 1e6*(cos(time) - i);
  Real u(start = 0, fixed = true), v(start = -1e-4/k, fixed = true), c(start = 0, fixed = true), z(start = -1.7e-3/k, fixed = true);
  Boolean rises = der(y) > 0, pushes = w > 0, creeps = der(v) > 0, bends = der(z) > 0;
  discrete Real up(start = 0, fixed = true), down(start = 0, fixed = true), half(start = 0, fixed = true);
  discrete Real low(start = 0, fixed = true), bent(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = cos(time);
  der(y) = k*(x - y);
  der(a) = 100*b;
  der(b) = -100*a;
  der(phi) = L*w;
  der(u) = 1e-4*cos(time);
  der(v) = k*(u - v);
  der(c) = if time < 1.6 then 1e-3*(1.7 - time) else 1e-4 - 3e-3*(time - 1.6);
  der(z) = k*(c - z);
  when rises then
    up = time;
  end when;
  when not rises then
    down = time;
  end when;
  when pushes then
    half = time;
  end when;
  when not creeps then
    low = time;
  end when;
  when not bends then
    bent = time;
  end when;
  when {change(rises), change(pushes)} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 6, Tolerance = 1e-6));
end RelationsOfStiffRates;
