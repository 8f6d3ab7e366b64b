// MLS 16.1, 16.5.1: a plant and its sampled controller; exact values at the ticks, left limits
// simulate: --stop 2 --tolerance 1e-9
// methods: dopri5 cvode esdirk
// zero: error 1e-7
// zero: late 0
// zero: begin[1] 1e-9
// zero: begin[2] 1e-9
// moves: n 20
// moves: seen 1
// agree: x 1e-7
model ClockedController
  parameter Real k = 3;
  parameter Real T = 0.1 "Can be set from outside";
  Real x(start = 1, fixed = true);
  Real u;
  Real yd, ud;
  Real n(start = -1), before(start = 1), error;
  Real steady(start = 1) "The controller sees what the initial equation finds";
  Real yc(start = 1), begin[2];
  Real step = if time < 0.5 then 0 else 1;
  Real seen "of step, at a tick where it jumps", late;
initial equation
  der(steady) = 0;
equation
  der(x) = x + u;
  yd = sample(x, Clock(T));
  ud = -k*yd;
  u = hold(ud);
  when Clock() then
    n = previous(n) + 1;
    before = if firstTick() then 1 else (1 - k)*previous(before)*exp(interval()) + k*previous(before);
    error = yd - before + 0*n;
  end when;
  der(steady) = 2 - steady;
  yc = sample(steady, Clock(1, 10));
  begin = {hold(yc) - (if time > 0 then 2 else hold(yc)), steady - 2};
  seen = sample(step, Clock(1, 10));
  late = hold(lag) - (if time < 0.6 then 0 else 1);
protected
  Real lag(start = 0) = seen;
end ClockedController;
