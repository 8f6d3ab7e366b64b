model FmuBall "A bouncing ball: state events that set states, a time event, an input"
  parameter Real e = 0.7 "restitution";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real k = 2*g "depends on another";
  parameter String kind = "heights < 1" "a text";
  constant String marks[2] = {kind + "0", ""};
  Real h(start = 1, fixed = true, unit = "m");
  Real v(start = 0, fixed = true, unit = "m/s");
  discrete output Integer n(start = 0, fixed = true);
  output Real y = h + v*v/k;
  input Real u(start = 0);
  Boolean late = time > 1.5;
equation
  der(h) = v;
  der(v) = -g + u;
  when h <= 0 then
    reinit(v, -e*pre(v));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end FmuBall;
