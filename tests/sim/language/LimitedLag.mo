// a lag without windup: resets at ever shorter intervals up to t = 2, after which it is free
// simulate: --stop 5 --tolerance 1e-9
// methods: dopri5 esdirk ida cvode
// zero: error 1e-6
// moves: resets_seen 0.5
// agree: lag 1e-6
model LimitedLag
  parameter Real limit = 1;
  Real u = 3 - time;
  Real lag(start = 0, fixed = true);
  Real y = min(lag, limit);
  Real error, resets_seen = max(lag - limit, 0);
equation
  0.5*der(lag) = u - lag;
  when lag > limit and u - lag < 0 then
    reinit(lag, limit);
  end when;
  // behind the limit lag' = 2*(1 - s - lag), lag(2) = 1, s = t - 2
  error = if time < 2 then 0 else lag - (1.5 - (time - 2) - 0.5*exp(-2*(time - 2)));
end LimitedLag;
