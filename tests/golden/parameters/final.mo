// What a final parameter is bound to is put in; one that can be set keeps its name.
model Final
  parameter Real m = 2, g = 9.81;
  final parameter Real weight = m*g;
  final parameter Real half = 0.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -weight*x + half*g;
end Final;
