// MLS 8.6: initial equations for discrete variables say what they were before
// simulate: --stop 2.2
// zero: error[1] 0
// zero: error[2] 1e-9
// zero: error[3] 0
// moves: count 2
model InitialPre
  parameter Real period = 1, startTime = -5.5;
  Integer count, other(start = 7, fixed = true), free(start = 3);
  discrete Real from;
  Boolean on;
  Real error[3];
initial equation
  count = integer((time - startTime)/period);
  from = startTime + pre(count)*period;
  pre(on) = true;
equation
  when integer((time - startTime)/period) > pre(count) then
    count = pre(count) + 1;
    from = time;
  end when;
  when time > 1 then
    other = pre(other) + 1;
    free = pre(free) - 1;
  end when;
  on = pre(on);
  error[1] = if time < 0.49 then count - 5 elseif time > 0.51 and time < 1.49 then count - 6
    elseif time > 1.51 then count - 7 else 0;
  error[2] = from - (startTime + count*period);
  error[3] = (if time > 1.01 then other - 8 + free - 2 elseif time < 0.99 then other - 7 + free - 3
    else 0) + (if on then 0 else 1);
end InitialPre;
