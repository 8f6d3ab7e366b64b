model FmuParameters "Derivatives by parameters: through others that follow from them, a block, a loop of equations"
  parameter Real d = 0.3, l[2] = {1, 1.4}, g = 9.81;
  parameter Real area = 3.14*d^2/4 "follows from d";
  parameter Real stiffness = 20*area + g "follows from both";
  input Real u(start = 0.2);
  output Real y = z*l[1] + area*u;
  output Real direct = d*u;
  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);
  Real z(start = 0.4) "z + d*z^3 = x + l[2]";
  Real p, q;
equation
  z + d*z^3 = x + l[2];
  p + l[1]*q = v;
  l[2]*p - q = stiffness*x;
  der(x) = p - q*area;
  der(v) = -stiffness*z + u*g*cos(l[1]*x) - 0.5*v;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end FmuParameters;
