// simulate: --stop 10 --interval 1
// methods: dopri5 esdirk ida
// ends: error 0 1e-4
// ends: z 4.84 0.01
model LimitMetBetweenSteps "A relation without a consistent value has one for a part of each long step"
  Real u = 0.8 + 0.4*cos(20*time + 1);
  Real limited = if limited > 0.5 then 0.5 else u;
  Real z(start = 0, fixed = true) "Its steps are long while limited is constant";
  // u is below 0.5 in 32 periods, within half an angle a of cos = -1
  constant Real a = acos(0.75);
  Real error = z - (5 - 32*(0.8*sin(a) - 0.6*a)/20) "At the end";
equation
  der(z) = limited;
end LimitMetBetweenSteps;
