// sqrt(max(0, h)) has the slope 0 where h is negative, and where it is zero exactly: a tank runs dry and stays dry.
// simulate: --stop 5
// zero: error 1e-5
// moves: h 0.5
model DrainedTank
  Real h(start = 1, fixed = true), dry(start = 0, fixed = true), limited(start = 0, fixed = true);
  parameter Real least = 0;
  Real error = abs(h - (max(0, 1 - time/2))^2) + abs(dry) + abs(limited);
equation
  der(h) = -sqrt(max(0, h));
  der(dry) = -sqrt(max(least, 3*dry));
  der(limited) = noEvent(if limited < 0 then 0 else -sqrt(limited)) - log(min(1, 1 - limited/9));
end DrainedTank;
