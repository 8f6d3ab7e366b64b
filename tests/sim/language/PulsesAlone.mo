// Events of time alone where there are no states: found between rows, whatever their distance
// simulate: --stop 100 --interval 50
// ends: n 478 0
model PulsesAlone
  Integer n(start = 0, fixed = true);
equation
  when sin(30*time) > 0.99 then
    n = pre(n) + 1;
  end when;
end PulsesAlone;
