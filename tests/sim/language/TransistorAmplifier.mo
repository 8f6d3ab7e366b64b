// simulate: --stop 0.2 --tolerance 1e-9
// methods: esdirk dopri5
// ends: y[1] -0.005562145012262709 1e-7
// ends: y[2] 3.006522471903042 1e-7
// ends: y[3] 2.849958788608128 1e-7
// ends: y[4] 2.926422536206241 1e-7
// ends: y[5] 2.704617865010554 1e-7
// ends: y[6] 2.761837778393145 1e-7
// ends: y[7] 4.770927631616772 1e-7
// ends: y[8] 1.236995868091548 1e-7
model TransistorAmplifier "C y' = f(t, y) as the IVP test set has it: C has rank 5, and f is not linear"
  parameter Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000;
  parameter Real C[5] = 1e-6*{1, 2, 3, 4, 5};
  Real y[8](start = {0, Ub/2, Ub/2, Ub, Ub/2, Ub/2, Ub, 0});
  Real Ue = 0.1*sin(200*3.1415926535897931086244*time);
  function current "through a junction"
    input Real v, beta, UF;
    output Real i = beta*(exp(v/UF) - 1);
    annotation(Inline = true);
  algorithm
  end current;
equation
  C[1]*(der(y[2]) - der(y[1])) = (y[1] - Ue)/R0;
  C[1]*(der(y[1]) - der(y[2])) = (2*y[2] - Ub)/R - (alpha - 1)*current(y[2] - y[3], beta, UF);
  -C[2]*der(y[3]) = y[3]/R - current(y[2] - y[3], beta, UF);
  C[3]*(der(y[5]) - der(y[4])) = (y[4] - Ub)/R + alpha*current(y[2] - y[3], beta, UF);
  C[3]*(der(y[4]) - der(y[5])) = (2*y[5] - Ub)/R - (alpha - 1)*current(y[5] - y[6], beta, UF);
  -C[4]*der(y[6]) = y[6]/R - current(y[5] - y[6], beta, UF);
  C[5]*(der(y[8]) - der(y[7])) = (y[7] - Ub)/R + alpha*current(y[5] - y[6], beta, UF);
  C[5]*(der(y[7]) - der(y[8])) = y[8]/R;
end TransistorAmplifier;
