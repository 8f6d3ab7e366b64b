// options: --sensitivity a,x.start
// not read back: it would be differentiated again
model Initial "parameters that follow, an initial equation, a reinit"
  parameter Real a = 2, b = a^2;
  parameter Real q(fixed = false);
  Real x(start = 1, fixed = true), y;
initial equation
  der(x) = a;
equation
  der(x) = -b*x + q;
  y = if time > a then x else sin(x);
  when x < 0.5 then
    reinit(x, a*x);
  end when;
end Initial;
