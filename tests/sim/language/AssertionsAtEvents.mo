// MLS 8.5, 8.3.7: a relation that makes an event has one value at it, in an assertion too, so that
// these hold at the rows on both sides.
// simulate: --stop 2
// zero: error 1e-12
model AssertionsAtEvents
  Real x(start = 0, fixed = true), y, error;
  Integer k = if x > 0.5 then 1 else 2;
equation
  der(x) = cos(3*time);
  y = if time > 0.5 then 5*time else 6*time;
  error = y - (if time > 0.5 then 5*time else 6*time);
  assert(abs(y - (if time > 0.5 then 5*time else 6*time)) < 1e-9, "another branch than y");
  assert(k == (if x > 0.5 then 1 else 2), "another branch than k");
end AssertionsAtEvents;
