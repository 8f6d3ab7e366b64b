// simulate: --stop 4 --tolerance 1e-9
// methods: dopri5
// zero: error 1e-9
// zero: error_T 1e-12
// constant: E 1e-7
// moves: joint.phi 0.4
model TurnedHinge "Hinge on a turned frame with a torsion spring"
  extends Linkage.Examples.TorsionPendulum;
  // gravity's part in the hinge's plane is g cos(0.5)
  Real error = joint.a
    + (20*joint.phi + 1*9.81*cos(0.5)*0.5*cos(joint.phi))/(0.1 + 1*0.5^2);
  Real error_T = joint.frame_a.m.T[2, 3] - sin(0.5);
end TurnedHinge;
