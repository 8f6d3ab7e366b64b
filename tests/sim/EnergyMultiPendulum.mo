// simulate: --stop 10 --tolerance 1e-9
// constant: E 1e-6
// moves: joint[1].phi 0.5
model EnergyMultiPendulum "The family conserves energy"
  extends Linkage.Examples.MultiPendulum(depth = 3);
end EnergyMultiPendulum;
