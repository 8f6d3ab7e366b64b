model FmuStiff "A stiff oscillator (van der Pol) whose derivative is found by nonlinear equations"
  parameter Real mu = 50;
  Real x(start = 2, fixed = true), y(start = 0, fixed = true);
  output Real z(start = 1) "z + z^3 = x";
  input Real u(start = 0);
equation
  z + z^3 = x;
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x + u*z;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end FmuStiff;
