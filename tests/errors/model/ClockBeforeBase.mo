model ClockBeforeBase "MLS 16.5.2"
  Clock u = Clock(3, 10);
  Clock later = shiftSample(u, 3);
  Clock early = backSample(later, 4); // error K03: would tick before its base clock starts
  Clock event = Clock(time > 1);
  Clock between = superSample(event, 2); // error K03: would tick between the ticks
  Real x = sample(time, early); // error K03: the clock of 'x'
  Real y = sample(time, between); // error K03: the clock of 'y'
  Real z = sample(time, u);
end ClockBeforeBase;
