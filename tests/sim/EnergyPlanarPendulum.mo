// simulate: --stop 10 --tolerance 1e-9
// methods: dopri5 esdirk
// constant: E 1e-6
// moves: joint[1].phi 0.5
model EnergyPlanarPendulum "The family conserves energy"
  extends Linkage.Examples.PlanarPendulum(n = 4);
end EnergyPlanarPendulum;
