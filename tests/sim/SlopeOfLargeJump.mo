// simulate: --stop 2 --tolerance 1e-10
// methods: ida cvode esdirk
// agree: x 1e-4
// zero: error 1e-3
// moves: x 5e3
model SlopeOfLargeJump "A derivative of 1e8 within 0.1 ms, at a tight tolerance"
  Real x(start = 0, fixed = true);
  Real error = if time < 0.6 then 0 else x - 1e8*(exp(-(time - 0.5001)) - exp(-(time - 0.5)));
equation
  der(x) = (if time > 0.5 and time < 0.5001 then 1e8 else 0) - x;
end SlopeOfLargeJump;
