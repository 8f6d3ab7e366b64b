// simulate: --stop 10 --tolerance 1e-10
// methods: dopri5 ida cvode esdirk
// zero: error 1e-8
// moves: x 0.5
model DelayLongSteps "Steps nearly as long as the delay: what lies between their points is as good as they are"
  Real x(start = 1, fixed = true);
  Real factor[11] = {1, 1, 1/2, 1/6, 1/24, 1/120, 1/720, 1/5040, 1/40320, 1/362880, 1/3628800};
  // x = 1 before the start: by steps
  Real exact = 1 + sum(noEvent(if time > k - 1 then (-1)^k*(time - k + 1)^k*factor[k + 1] else 0) for k in 1:10);
  Real error = x - exact;
equation
  der(x) = if time < 1 then -1 else -delay(x, 1);
end DelayLongSteps;
