// simulate: --stop 3 --tolerance 1e-7
// constant: balance 1e-6
// zero: settled[1] 1e-4
// zero: settled[2] 1e-4
// zero: settled[3] 1e-5
// moves: whip.segment[4].frame_a.m.r[2] 0.3
// long
model FlexibleCantilever "A beam settles where its equations say, and one that whips keeps its energy"
  import Linkage.*;
  inner World world(g = 0);
  constant Integer n = 4;
  constant Real l = 2, F = 1e-3, M = 2e-4;
  // the tip: a load across and along, a torque about the line; each joint bends by its moment times h/EI
  Parts.FlexibleBeam beam(n = n, l = l, m = 0.1, GI_t = 2, EI_y = 8, EI_z = 5, I_x = 1e-3, damping = 0.3,
    joint(Q(each fixed = true), w_rel(each fixed = true)));
  Forces.Force load(f = {0, F, F});
  Forces.Torque twist(t = {M, 0, 0});
  constant Real sag = F*l/n*sum((l - (k - 0.5)*l/n)^2 for k in 1:n);
  Real settled[3] = if time > 2.9 then
    {beam.frame_b.m.r[2]*5/sag - 1, beam.frame_b.m.r[3]*8/sag - 1, atan2(beam.frame_b.m.T[2, 3], beam.frame_b.m.T[2, 2]) - M*l/2}
    else zeros(3);
  Joints.Revolute hinge(phi(fixed = true), w(start = 6, fixed = true));
  Parts.FlexibleBeam whip(n = n, EI_y = 4, EI_z = 3, damping = 5e-3, joint(each Q(start = {0.99, 0, 0.1, 0.1}, each fixed = true), each w_rel(each fixed = true)));
  Parts.Body tip(m = 0.5);
  Real lost(unit = "J", start = 0, fixed = true);
  Real balance(unit = "J") = whip.E + tip.E + lost;
equation
  der(lost) = whip.loss;
  connect(world.frame_b, beam.frame_a);
  connect(beam.frame_b, load.frame_b);
  connect(beam.frame_b, twist.frame_b);
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, whip.frame_a);
  connect(whip.frame_b, tip.frame_a);
end FlexibleCantilever;
