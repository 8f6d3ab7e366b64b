model Wishbone "A wheel on two wishbones and a tie rod, lifted by the road"
  inner Linkage.World world;
  // x forwards, y up, z to the right; five rods leave the carrier one of its six freedoms
  constant Real chassis[5, 3] = {
    {0.15, 0.20, 0.35},
    {-0.20, 0.20, 0.35},
    {0.12, 0.45, 0.42},
    {-0.15, 0.44, 0.42},
    {0.14, 0.24, 0.36}};
  constant Real carrier[5, 3] = {
    {0, 0.18, 0.70},
    {0, 0.18, 0.70},
    {-0.02, 0.48, 0.66},
    {-0.02, 0.48, 0.66},
    {0.13, 0.22, 0.69}};
  constant Real center[3] = {0, 0.3, 0.75} "of the wheel";
  Linkage.Parts.FixedTranslation mount[5](r = chassis);
  Linkage.Parts.FixedTranslation eye[5](r = {carrier[k, :] - center for k in 1:5});
  Linkage.Joints.BallRod rod[5](
    l = {sqrt((carrier[k, :] - chassis[k, :])*(carrier[k, :] - chassis[k, :])) for k in 1:5});
  Linkage.Joints.Free free(r_rel(start = center));
  Linkage.Parts.Body wheel(m = 30, I_11 = 0.6, I_22 = 0.6, I_33 = 1);
  Linkage.Parts.FixedTranslation tower(r = {0, 0.7, 0.5});
  Linkage.Forces.SpringDamper strut(c = 3e4, d = 2500, s_0 = 0.48);
  Linkage.Forces.Force road(f = {0, 4000*(1 + 0.6*sin(6*time)), 0});
  Linkage.Sensors.Angles angles;
  output Real camber(unit = "rad") = angles.phi[1], toe(unit = "rad") = angles.phi[2];
equation
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, wheel.frame_a);
  for k in 1:5 loop
    connect(world.frame_b, mount[k].frame_a);
    connect(free.frame_b, eye[k].frame_a);
    connect(mount[k].frame_b, rod[k].frame_a);
    connect(rod[k].frame_b, eye[k].frame_b);
  end for;
  connect(world.frame_b, tower.frame_a);
  connect(tower.frame_b, strut.frame_a);
  connect(strut.frame_b, eye[1].frame_b);
  connect(road.frame_b, wheel.frame_a);
  connect(world.frame_b, angles.frame_a);
  connect(wheel.frame_a, angles.frame_b);
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Wishbone;
