// MLS 8.5: a relay with hysteresis switches where it should; pre of a Boolean
// simulate: --stop 5 --tolerance 1e-9
// methods: dopri5 ida cvode esdirk
// zero: above 1e-6
// zero: below 1e-6
// zero: error 1e-6
// moves: switches 3
// agree: x 1e-6
model Hysteresis
  Real x(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
  Integer switches(start = 0, fixed = true);
  Real above, below;
  Real phase(start = 0, fixed = true), error;
equation
  on = x < 1 and (pre(on) or x < -1);
  der(x) = if on then 2 else -1;
  when change(on) then
    switches = pre(switches) + 1;
  end when;
  above = noEvent(max(x - 1, 0));
  below = noEvent(max(-1 - x, 0));
  // up in 0.5 s, then down and up in 2 s and 1 s
  der(phase) = 1;
  error = x - (if phase < 0.5 then 2*phase
    elseif phase < 2.5 then 1.5 - phase
    elseif phase < 3.5 then 2*phase - 6
    else 4.5 - phase);
end Hysteresis;
