// MLS 16.3, 16.5.2: intervals that are clocked themselves, event clocks, clocks shifted to and fro
// simulate: --stop 2.05 --interval 0.05
// zero: errors[1] 1e-12
// zero: errors[2] 1e-12
// zero: errors[3] 1e-12
// zero: errors[4] 1e-12
// zero: errors[5] 1e-9
// ends: early 6 0
// ends: thirds 4 0
// ends: quarters 7 0
// ends: events 8 0
// ends: second 4 0
// ends: later 6 0
// moves: y 9
model VaryingClocks
  Integer next(start = 2) "The clock of spec 16.3: ticks at 0, 0.03, 0.07, 0.12, ...";
  Real y(start = 0), at(start = 0), span(start = 0.02);
  Clock u = Clock(3, 10), y1 = shiftSample(u, 3), y2 = backSample(y1, 2);
  Clock y4 = shiftSample(u, 2, 3), y5 = backSample(y4, 1, 3);
  Real t1(start = 0), t2(start = 0), t4(start = 0), t5(start = 0);
  Real early(start = 0), thirds(start = 0), quarters(start = 0);
  Integer turns = integer(4*time);
  Clock turning = Clock(change(turns), startInterval = 0.5);
  Clock rarely = subSample(turning, 2), late = shiftSample(turning, 2);
  Real events(start = 0), second(start = 0), later(start = 0), since(start = 0);
  Real errors[5];
equation
  when Clock(next, 100) then
    next = previous(next) + 1;
    y = previous(y) + 1;
    at = sample(time);
    span = interval();
  end when;
  when y1 then
    t1 = sample(time);
    thirds = previous(thirds) + 1;
  end when;
  when y2 then
    t2 = sample(time);
    early = previous(early) + 1;
  end when;
  when y4 then
    t4 = sample(time);
  end when;
  when y5 then
    t5 = sample(time);
    quarters = previous(quarters) + 1;
  end when;
  when turning then
    events = previous(events) + 1;
    since = interval();
  end when;
  when rarely then
    second = previous(second) + 1;
  end when;
  when late then
    later = previous(later) + 1;
  end when;
  errors = {
    hold(at) - (hold(y) - 1)*(hold(y) + 4)/200*(if hold(y) > 0 then 1 else 0),
    hold(span) - (hold(y) + 1)/100*(if hold(y) > 0 then 1 else 2),
    hold(t1) - (if hold(thirds) < 1 then 0 else 0.3*(hold(thirds) + 2)),
    hold(t5) - (if hold(quarters) < 1 then 0 else 0.1 + 0.3*(hold(quarters) - 1)),
    hold(since) - (if hold(events) < 1 then 0 else if hold(events) < 2 then 0.5 else 0.25)};
end VaryingClocks;
