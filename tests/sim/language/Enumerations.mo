// MLS 4.9.5: enumerations in parameters, conditions, loops and subscripts
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
model Enumerations
  type Gear = enumeration(low "slow", mid, high);
  parameter Gear gear = Gear.mid;
  parameter Real ratio[Gear] = {1, 2, 5};
  Real x = if gear == Gear.low then 1 elseif gear >= Gear.mid then 7 else 3;
  Real y[3];
  Real error[3];
equation
  for g in Gear loop
    y[Integer(g)] = Integer(g)*time;
  end for;
  error[1] = x - 7;
  error[2] = ratio[gear] - 2 + (ratio[Gear.high] - 5);
  error[3] = sum(y) - 6*time;
end Enumerations;
