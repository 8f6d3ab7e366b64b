// MLS 3.7.4.1: delay of signals, in feedback, across jumps, differentiated
// simulate: --stop 3 --tolerance 1e-8
// methods: dopri5 ida cvode esdirk
// zero: error[1] 1e-5
// zero: error[2] 1e-6
// zero: error[3] 1e-6
// zero: error[4] 1e-8
// zero: error[5] 1e-5
// agree: x 1e-5
// ends: count 2 1e-12
model Delays
  parameter Real T = 0.5;
  Real u = sin(3*time);
  Real late[2] = delay({u, time^2}, T) "element by element";
  Real x(start = 1, fixed = true) "x' = -x(t - 1): by the method of steps";
  Real step = if time > 1 then 1 else 0;
  Real jump = delay(step, 0.25);
  Real rate = der(late[2]);
  Integer count(start = 0, fixed = true) "events of a delayed signal";
  Real error[5];
equation
  der(x) = -delay(x, 1);
  when delay(u, 0.1) > 0.9 then
    count = pre(count) + 1;
  end when;
  error[1] = late[1] - (if noEvent(time < T) then 0 else sin(3*(time - T)));
  error[2] = late[2] - (if noEvent(time < T) then 0 else (time - T)^2);
  error[3] = x - (if noEvent(time < 1) then 1 - time
    elseif noEvent(time < 2) then 1 - time + (time - 1)^2/2
    else 1 - time + (time - 1)^2/2 - (time - 2)^3/6);
  error[4] = if noEvent(abs(time - 1.25) < 1e-6) then 0 else jump - (if noEvent(time > 1.25) then 1 else 0);
  error[5] = if noEvent(abs(time - T) < 1e-6) then 0 else rate - (if noEvent(time < T) then 0 else 2*(time - T));
end Delays;
