// simulate: --stop 10 --tolerance 1e-9
// methods: dopri5
// constant: E 1e-6
// moves: joint[1].phi 0.5
model EnergySplitPendulum "The family conserves energy"
  extends Linkage.Examples.SplitPendulum(n = 6);
end EnergySplitPendulum;
