// simulate: --stop 6
// methods: cvode dopri5 esdirk
// zero: error 1e-4
// moves: x 0.45
model BranchThatEnds "A comparator with feedback, without events: where saturation ends there is one other solution"
  parameter Real K = 1000 "its gain";
  Real x(start = 0, fixed = true), v(start = -1), error;
  parameter Real edge = 0.5 - 1/K "where a branch of solutions ends: between -edge and edge there are three";
  parameter Real first = -log(1 - edge), half = log((1 + edge)/(1 - edge));
protected
  Real n = noEvent(floor((time - first)/half)), q = time - first - n*half;
equation
  der(x) = v - x;
  v = noEvent(max(-1, min(1, K*(v/2 - x))));
  error = x - noEvent(if time < first then exp(-time) - 1
    else (if mod(n, 2) < 0.5 then 1 else -1)*(1 - (1 + edge)*exp(-q)));
end BranchThatEnds;
