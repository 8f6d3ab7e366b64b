within Linkage.Examples;
model AlternatingPendulum "Chain of slender rods on hinges about z, y, z, ..."
  extends Chain(
    joint(
      n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n},
      each phi(start = 0.2, fixed = true), each w(start = 0.5, fixed = true)),
    arm(each r = {l, 0, 0}),
    body(each m = m, each r_CM = {l/2, 0, 0}, each I_22 = m*l^2/12, each I_33 = m*l^2/12,
      each final I_11 = 0, each final I_21 = 0, each final I_31 = 0, each final I_32 = 0));
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end AlternatingPendulum;
