// simulate: --stop 10 --tolerance 1e-9
// constant: E 1e-6
// moves: joint[1].phi 0.5
model EnergyAlternatingPendulum "The family conserves energy"
  extends Linkage.Examples.AlternatingPendulum(n = 5);
end EnergyAlternatingPendulum;
