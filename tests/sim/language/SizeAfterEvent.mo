// A state whose derivative is some 1e-30 until an event: its scale is not the size that this gives it.
// simulate: --stop 1
// methods: esdirk dopri5 ida cvode
// zero: error 1e-6
// moves: x 0.1
model SizeAfterEvent
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), u = (if y > 0.4 then 1 else 1e-15)*cos(3*time);
  Real error = x - (if time > 0.4 then (time - 0.4)/2 + (sin(6*time) - sin(2.4))/12 else 0);
equation
  der(y) = 1;
  der(x) = u^2;
end SizeAfterEvent;
