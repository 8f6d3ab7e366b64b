// MLS 16.7: what an equation or an algorithm section names ties it to a clock, also where its value
// does not depend on it, 0*u; previous(n) is no value that the section has assigned
// simulate: --stop 1
// zero: error[1] 1e-9
// zero: error[2] 1e-9
// zero: error[3] 1e-9
// zero: error[4] 1e-9
// zero: error[5] 1e-9
// zero: error[6] 1e-9
// zero: error[7] 1e-9
// zero: error[8] 1e-9
model ClocksOfText
  record Pair
    Real a, b;
  end Pair;
  function constantOf
    input Real u, k;
    output Real y;
  algorithm
    y := 0*u + k;
  end constantOf;
  block Counter
    input Real u;
    output Real y(start = 0);
  algorithm
    y := previous(y) + 1 + 0*u;
  end Counter;
  Real u = sample(1, Clock(1, 10)), slow = sample(1, Clock(1, 5));
  Real ticks(start = 0), slowTicks(start = 0);
  Real n(start = 0) = previous(n) + 1 + 0*u;
  Pair pair = Pair(previous(inPair) + 1 + (u - u), 3);
  Real inPair(start = 0) = pair.a;
  Real v[2](each start = 0), called(start = 0), chosen(start = 0), one;
  Real first(start = 0), second(start = 0);
  Counter counter[2];
  Real d[8] "0 at each tick";
  Real error[8] = {hold(d[k]) for k in 1:8};
equation
  ticks = previous(ticks) + u;
  slowTicks = previous(slowTicks) + slow;
  v = previous(v) + {1, 1} + 0*{u, slow};
  called = previous(called) + constantOf(u, 1);
  one = 1 + 0*ticks;
  if ticks > 3 then
    chosen = previous(chosen) + one;
  else
    chosen = previous(chosen) + 1 + 0*u;
  end if;
  d[1] = n - ticks;
  d[2] = pair.a - ticks;
  d[3] = v[1] - ticks;
  d[4] = v[2] - slowTicks;
  d[5] = called - ticks;
  d[6] = chosen - ticks;
  d[7] = counter[2].y - ticks;
  d[8] = first - ticks + second - 2*ticks;
  counter[1].u = u;
  counter[2].u = counter[1].y;
algorithm
  first := u;
  first := previous(first) + first;
  second := previous(second) + 2;
end ClocksOfText;
