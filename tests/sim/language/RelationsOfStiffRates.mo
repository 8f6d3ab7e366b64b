// Relations of derivatives change where these pass zero, whatever rounding and errors of stiff states make of them:
// der(y) = cos(t - 1/k), in steps that are short by another oscillation; w = -sin(t - 1e-6) of a small flux.
// methods: esdirk ida cvode
// ends: down 1.5707963 1e-4
// ends: up 4.7123890 3e-4
// ends: half 3.1415937 1e-4
// ends: n 4 0
model RelationsOfStiffRates
  parameter Real k = 1e9, L = 1e-8 "so that the flux is small";
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a(start = 1, fixed = true), b(start = 0, fixed = true);
  Real phi(start = L, fixed = true), i = phi/L, w = 1e6*(cos(time) - i);
  Boolean rises = der(y) > 0, pushes = w > 0;
  discrete Real up(start = 0, fixed = true), down(start = 0, fixed = true), half(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = cos(time);
  der(y) = k*(x - y);
  der(a) = 100*b;
  der(b) = -100*a;
  der(phi) = L*w;
  when rises then
    up = time;
  end when;
  when not rises then
    down = time;
  end when;
  when pushes then
    half = time;
  end when;
  when {change(rises), change(pushes)} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 6, Tolerance = 1e-6));
end RelationsOfStiffRates;
