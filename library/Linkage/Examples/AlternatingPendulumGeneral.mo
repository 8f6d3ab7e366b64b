within Linkage.Examples;
model AlternatingPendulumGeneral "Chain on hinges about z, y, z, ...: any offset and inertia"
  extends Chain(
    joint(n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n},
      each phi(start = 0.2, fixed = true), each w(start = 0.5, fixed = true)),
    arm(each r = {1, 0.1, -0.2}),
    body(each m = 1, each r_CM = {0.5, 0.06, -0.1}, each I_11 = 0.02, each I_22 = 0.1,
      each I_33 = 0.09, each I_21 = 0.004, each I_31 = -0.006, each I_32 = 0.003));
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end AlternatingPendulumGeneral;
