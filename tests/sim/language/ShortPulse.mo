// One short pulse in a long run, found in long steps; and pulses of time alone where there is no
// state to make steps
// simulate: --stop 100 --interval 50
// ends: seen 1 0
// ends: pulses 478 0
model ShortPulse
  Real s(start = 0, fixed = true);
  Integer seen(start = 0, fixed = true);
  Pulses other;
  Integer pulses = other.n;
  model Pulses
    Integer n(start = 0, fixed = true);
  equation
    when sin(30*time) > 0.99 then
      n = pre(n) + 1;
    end when;
  end Pulses;
equation
  der(s) = 0.5;
  when abs(s - 10.125) < 0.001 then
    seen = pre(seen) + 1;
  end when;
end ShortPulse;
