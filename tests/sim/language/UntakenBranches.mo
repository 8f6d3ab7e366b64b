// simulate: --stop 1
// zero: off 1e-12
// moves: falling 0.5
model UntakenBranches "What has no value in a branch that is not taken does no harm (MLS 3.6.5)"
  constant Real none = 0;
  parameter Real size = 1;
  parameter Boolean has = false;
  parameter Real lag = if has and size > 0.5 then size/none else 4;
  parameter Real power = if size > 2 then (if has then 2 else none^(-2)) else 3;
  Real falling = if time > 2 then 1/none else power*time;
  Real off = abs(lag - 4) + abs(falling - 3*time);
end UntakenBranches;
