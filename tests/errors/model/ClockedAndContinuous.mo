model ClockedAndContinuous "what is clocked reaches the rest over hold() alone"
  Real x(start = 1); // error K01: 'x' is both clocked and continuous
  Real y;
  Real z;
equation
  der(x) = -x + y;
  y = sample(time, Clock(0.1));
  z = sample(x);
end ClockedAndContinuous;
