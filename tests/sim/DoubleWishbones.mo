// simulate: --stop 1 --tolerance 1e-9
// methods: esdirk ida
// constant: E 1e-8
// moves: lost 10
// moves: corner.lower_hinge.phi 0.05
// agree: corner.lower_hinge.phi 1e-7
model DoubleWishbones "A wheel on two wishbones falls on its spring and is shaken"
  inner Linkage.World world(n = {0, 0, -1}, g = 9.81);
  Linkage.Vehicles.DoubleWishbone corner(lower_hinge(phi(fixed = true), w(fixed = true)));
  Linkage.Parts.FixedTranslation rack(r = {-0.25, 0.448, 0.054});
  Linkage.Parts.Body wheel(m = 71.1, I_11 = 4.3, I_22 = 7.4, I_33 = 4.3);
  Linkage.Forces.Force road(f = {0, 0, 9000 + 4000*sin(20*time)});
  Real lost(start = 0, fixed = true, unit = "J"), work(start = 0, fixed = true, unit = "J");
  Real E(unit = "J") = corner.E + wheel.E + lost - work + 1000;
  Real r[3](each unit = "m") = wheel.frame_a.m.r;
equation
  connect(world.frame_b, corner.frame_a);
  connect(world.frame_b, rack.frame_a);
  connect(rack.frame_b, corner.rack);
  connect(corner.frame_b, wheel.frame_a);
  connect(road.frame_b, corner.frame_b);
  der(lost) = corner.loss;
  der(work) = road.f*(transpose(wheel.frame_a.m.T)*wheel.frame_a.m.v);
end DoubleWishbones;
