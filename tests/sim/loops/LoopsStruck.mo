// Initial equations hold in the closed mechanism; behind an event its velocities fit again.
// simulate: --stop 1 --tolerance 1e-8 --interval 0.1
// methods: esdirk dopri5 cvode ida
// zero: norm(phi) 1e-6
// zero: norm(der(phi)) 1e-5
// ends: crank.phi 10.18361 1e-4
// moves: crank.phi 5
// agree: crank.phi 1e-5
model LoopsStruck "The speed of a crank is set anew, and the other joints follow at once"
  import L = Linkage;
  inner L.World world(n = {0, -1, 0});
  L.Joints.Revolute crank(n = {0, 0, 1}, phi(start = 0.3));
  L.Parts.Rod crankRod(r = {0.2, 0, 0}, m = 1);
  L.Parts.Body wheel(m = 1, I_33 = 0.2);
  L.Joints.Revolute b(n = {0, 0, 1}, phi(start = 0));
  L.Parts.Rod coupler(r = {0.6, 0, 0}, m = 1);
  L.Joints.Revolute c(n = {0, 0, 1}, phi(start = 1));
  L.Parts.Rod rocker(r = {0, 0.5, 0}, m = 1);
  L.Joints.Revolute d(n = {0, 0, 1});
  L.Parts.FixedTranslation ground(r = {0.7, 0, 0});
initial equation
  crank.phi = 0.5;
  crank.w = 13;
equation
  when time >= 0.5 then
    reinit(crank.w, 6);
  end when;
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, crankRod.frame_a);
  connect(crank.frame_b, wheel.frame_a);
  connect(crankRod.frame_b, b.frame_a);
  connect(b.frame_b, coupler.frame_a);
  connect(coupler.frame_b, c.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, d.frame_a);
  connect(d.frame_b, rocker.frame_a);
  connect(rocker.frame_b, c.frame_b);
end LoopsStruck;
