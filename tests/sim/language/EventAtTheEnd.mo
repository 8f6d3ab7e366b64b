// The last crossing lies at the end of the run, but for rounding.
// simulate: --stop 0.1 --tolerance 1e-8
// methods: ida cvode esdirk
// ends: x 0 1e-9
// moves: x 0.004
model EventAtTheEnd
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = if sin(2*pi*100*time) > 0 then 1 else -1;
  der(y) = -y;
protected
  constant Real pi = 2*asin(1.0);
end EventAtTheEnd;
