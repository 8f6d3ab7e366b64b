// The nonlinear equation of q has a solution only with the relation that holds, which is found nevertheless: at the
// start, where no relation has been looked at, and at 0.6, where a way there passes relations without one.
// simulate: --stop 1
// zero: error 1e-5
// moves: q 0.1
model UnsolvedAtFirst
  Real level(start = 2, fixed = true), q(start = 1), r(start = 1);
  Boolean above = level >= 0.5, late = time >= 0.6;
  // (3*q^2 + 1)*der(q) = -q, q(0) = 1
  Real error = abs(time + 1.5*(q^2 - 1) + log(q)) + abs(r - (if late then 2 else -0.5));
equation
  der(level) = -q;
  if above then
    q^3 + q = level;
  else
    q^2 + 1 = 0;
  end if;
  if late and time >= 0.6 then
    r^3 + r = 10;
  elseif late or time >= 0.6 then
    r^2 + 1 = 0;
  else
    exp(r) = exp(-0.5);
  end if;
end UnsolvedAtFirst;
