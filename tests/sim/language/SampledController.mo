// MLS 3.7.5: sample, initial and terminal; values held between events; when with several branches
// simulate: --stop 1 --tolerance 1e-9 --step 0.002
// methods: dopri5 rk4 cvode esdirk
// zero: error[1] 1e-7
// zero: error[2] 1e-9
// zero: error[3] 0
// moves: ticks 9
// moves: ended 1
// agree: x 1e-7
model SampledController
  parameter Real T = 0.1;
  Real x(start = 1, fixed = true);
  Real u(start = 0) "Held: discrete by the when-clause";
  Real before(start = 1) "x of the plant at samples, by its exact solution";
  Integer ticks(start = -1, fixed = true);
  Integer ended(start = 0, fixed = true);
  discrete Real since(start = 0);
  Real error[3];
  Real y;
equation
  der(x) = x + u;
  when sample(0, T) then
    u = -3*x;
    before = if pre(ticks) < 0 then 1 else (pre(before) - 3*pre(before))*exp(T) + 3*pre(before);
    ticks = pre(ticks) + 1;
    since = time;
  end when;
  when {initial(), terminal()} then
    ended = if terminal() then 1 else 0;
  end when;
  y = (before + u)*exp(time - since) - u;
  error[1] = x - y;
  error[2] = since - T*ticks;
  error[3] = if initial() then 1 else 0;
end SampledController;
