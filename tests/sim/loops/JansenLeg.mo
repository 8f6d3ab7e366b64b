// At rest at angle zero, where elements of all rotations vanish, and states are next to zero: the first
// step is none that rounding of the closed loops fills. Work and energy balance.
// simulate: --tolerance 1e-8 --stop 0.3 --interval 0.01
// methods: esdirk dopri5 ida
// constant: E 1e-7
// agree: y 1e-6
// ends: y -0.918289327 1e-6
// moves: crank.phi 0.4
// zero: norm(phi) 1e-9
model JansenLeg "A leg driven by a torque"
  extends Linkage.Benchmarks.JansenLeg;
end JansenLeg;
