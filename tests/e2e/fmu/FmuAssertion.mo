model FmuAssertion "violated from time = 0.51224 to 0.51244"
  output Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(abs(x - 0.51234) > 1e-4, "too close");
end FmuAssertion;
