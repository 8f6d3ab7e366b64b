// Steps that a tolerance makes as short as 1e-9 s: velocities that close the loops hold what rounding
// of positions is, divided by the step, and Newton's method is done there. 1e6 N.m on a leg at rest.
// simulate: --set torque=1e6 --stop 3e-4 --interval 1e-5
// methods: esdirk dopri5
// constant: E 0.1
// agree: y 1e-6
// moves: crank.phi 0.5
// zero: norm(phi) 1e-7
model VeryShortSteps "A leg that is struck"
  extends Linkage.Benchmarks.JansenLeg;
end VeryShortSteps;
