// Derivatives that are multiples of each other's states: an oscillator, alone and in a ring
// simulate: --stop 2 --tolerance 1e-9
// methods: esdirk ida
// zero: error 1e-6
// zero: sum 1e-6
// moves: v 1
model CoupledStates
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Real y[3](start = {1, 0, 0}, each fixed = true), sum;
  Real error = x - sin(7*time);
equation
  der(x) = 7*v;
  der(v) = -7*x;
  for i in 1:3 loop
    der(y[i]) = y[mod(i, 3) + 1];
  end for;
  sum = y[1] + y[2] + y[3] - exp(time);
end CoupledStates;
