// MLS 3.7.2: floor, ceil, integer, div, mod and rem make events where they jump, outside
// when-clauses; what follows from them does not change between events
// simulate: --stop 4.3 --tolerance 1e-4 --interval 4.3
// methods: ida cvode dopri5 esdirk
// ends: stairs 7.2 1e-9
// ends: ramp 0.3 1e-9
// ends: teeth 2.045 5e-3
// ends: swing 0.045 5e-3
// ends: n 4 0
// ends: seen 10 0
// ends: sampled 3 0
// ends: below 7.1 1e-9
model WholeNumbers
  Real stairs(start = 0, fixed = true), teeth(start = 0, fixed = true);
  Real swing(start = 0, fixed = true), below(start = 0, fixed = true), ramp;
  Integer n = integer(time), seen(start = 0, fixed = true), sampled(start = 0, fixed = true);
  Real x(start = -3.5, fixed = true) "goes up through zero";
equation
  der(stairs) = floor(time);
  der(teeth) = mod(time, 1) "four whole teeth, and 0.3^2/2";
  ramp = rem(time, 1);
  der(x) = 1;
  der(swing) = if x < 0 then rem(x, 1) + 0.5 else rem(x, 1) - 0.5 "x from -3.5 to 0.8";
  der(below) = ceil(time) - floor(time) + div(x, 2) + 1;
  when n > pre(n) then
    seen = pre(seen) + n;
  end when;
  when sample(0, 1.1) then
    sampled = integer(1.1*time);
  end when;
end WholeNumbers;
