within Linkage.Examples;
model PlanarPendulum "Chain of slender rods on parallel hinges"
  extends Chain(
    joint(each n = {0, 0, 1}, each phi(start = 0.1, fixed = true), each w(fixed = true)),
    arm(each final r = {l, 0, 0}),
    body(each m = m, each final r_CM = {l/2, 0, 0}, each final I_11 = 0, each final I_22 = J,
      each final I_33 = J, each final I_21 = 0, each final I_31 = 0, each final I_32 = 0));
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  parameter Units.Inertia J = m*l^2/12 "Inertia of each rod across, about its middle";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end PlanarPendulum;
