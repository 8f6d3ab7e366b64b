// MLS 16.2, 16.5.2: sub- and super-sampling from one clock of seconds; counts by closed form
// simulate: --stop 125.5 --interval 0.25
// ends: minutes 2 0
// ends: seconds 5 0
// ends: hundredths 50 0
// ends: ticks 12551 0
// ends: sum 125.5 1e-9
// moves: minutes 2
model ClockTicks
  Integer second = sample(1, Clock(1));
  Integer seconds(start = -1) = mod(previous(seconds) + second, 60);
  Integer hundredths(start = -1) = mod(previous(hundredths) + superSample(second, 100), 100);
  Integer minutes(start = -1) = mod(previous(minutes) + subSample(second, 60), 60);
  Integer ticks(start = 0) = previous(ticks) + superSample(second, 100);
  Real sum(start = 0) = if firstTick(ticks) then 0 else previous(sum) + interval(ticks);
end ClockTicks;
