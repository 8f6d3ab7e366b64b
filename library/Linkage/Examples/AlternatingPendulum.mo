within Linkage.Examples;
model AlternatingPendulum "Chain of slender rods on hinges about z, y, z, ..."
  extends Chain(
    joint(n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n},
      each phi(start = 0.2, fixed = true), each w(start = 0.5, fixed = true)),
    arm(each final r = {l, 0, 0}),
    body(each m = m, each final r_CM = {l/2, 0, 0}, each final I_11 = 0, each final I_22 = J,
      each final I_33 = J, each final I_21 = 0, each final I_31 = 0, each final I_32 = 0));
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  parameter Units.Inertia J = m*l^2/12 "Inertia of each rod across, about its middle";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end AlternatingPendulum;
