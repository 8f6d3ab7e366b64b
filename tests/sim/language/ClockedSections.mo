// MLS 11.1.2: a clocked variable that is read before its assignment, or assigned in some branches
// only, begins with its previous value; a continuous one with its start value. The same as equations
// with previous(), and as sums in closed form.
// simulate: --stop 1 --interval 0.05
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
model ClockedSections
  Clock c = Clock(1, 10);
  Real u = sample(time, c);
  Real sum(start = 1), peak(start = -5), window[3](start = {7, 8, 9});
  Real sum2(start = 1), peak2(start = -5), window2[3](start = {7, 8, 9});
  Integer n(start = 3);
  // by a clock that is inferred, two sections away
  Real filtered(start = 2), filtered2(start = 2), in_between;
  // continuous: they begin with their starts, though something is clocked elsewhere
  Real y(start = 4), z(start = 5);
  Real held = hold(sum);
  Real x(start = 0);
  Real difference[4], slid[3];
  Real error[6];
algorithm
  sum := sum + u;
  n := n + 1;
  if sin(40*u) > 0.3 then
    peak := u;
  end if;
  window[2:3] := window[1:2];
  window[1] := sum;
algorithm
  filtered := 0.5*filtered + in_between;
algorithm
  while x < 3 loop
    x := x + 1;
  end while;
algorithm
  y := y + time;
  if time > 0.33 then
    z := 2*time + held;
  end if;
equation
  in_between = 2*peak;
  sum2 = previous(sum2) + u;
  peak2 = if sin(40*u) > 0.3 then u else previous(peak2);
  window2[2:3] = previous(window2[1:2]);
  window2[1] = sum;
  filtered2 = 0.5*previous(filtered2) + in_between;
  difference = {sum - sum2, peak - peak2, filtered - filtered2,
    // at tick k there are k + 1 of them
    sum - 1 - 0.1*(n - 4)*(n - 3)/2};
  slid = window - window2;
  error[1:4] = hold(difference);
  error[5] = y - 4 - time;
  error[6] = (if time > 0.33 then z - 2*time - held else z - 5) + sum(abs(hold(slid))) + abs(x - 3);
end ClockedSections;
