model Tank "what flows out is a nonlinear equation; a limiter"
  input Real inflow(start = 0.2);
  output Real h(start = 1);
  output Real q;
  Real valve;
equation
  der(h) = inflow - q;
  q*(1 + 0.1*q^2) = 0.3*valve*sqrt(h);
  valve = if h > 2 then 1.5 else 1;
end Tank;
