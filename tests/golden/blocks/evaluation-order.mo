// Equations written last first: blocks come in the order of evaluation.
model EvaluationOrder
  Real x(start = 1, fixed = true), a, b, c;
equation
  der(x) = a;
  a = b*b;
  b = sin(c);
  c = x + 1;
end EvaluationOrder;
