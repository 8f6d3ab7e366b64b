// not read back: ticks of clocks and left limits are no Modelica
model Partitions "two base clocks, three partitions; equations that are no assignments; integration"
  Real u = sin(time);
  Real y, x(start = 1), twice, implicit(start = 1);
  Real slow(start = 0), held, shown;
  Real z(start = 2), dz;
  Clock c = Clock(1, 10);
equation
  y = sample(u, c);
  x = previous(x) + y;
  x = 2*twice;
  implicit^3 + implicit = x;
  slow = previous(slow) + interval(slow)*subSample(x, 4);
  held = hold(slow);
  shown = if firstTick(slow) then 0 else slow;
  dz = sample(held, Clock(Clock(time > 1), "ExplicitEuler"));
  der(z) = dz;
end Partitions;
