model Rope "a trolley drags a rope of eight links and a load"
  parameter Integer n = 8 "links";
  inner Linkage.World world;
  Linkage.Joints.Prismatic rail(n = {1, 0, 0}, v(start = 1));
  Linkage.Parts.Body trolley(m = 3), load(m = 1);
  Linkage.Joints.Revolute hinge[n](each phi(start = 0.3),
    n = {if mod(i, 2) == 1 then {0, 0, 1} else {1, 0, 0} for i in 1:n});
  Linkage.Parts.Body link[n](each m = 0.2, each r_CM = {0, -0.1, 0});
  Linkage.Parts.FixedTranslation length[n](each r = {0, -0.2, 0});
equation
  connect(world.frame_b, rail.frame_a);
  connect(rail.frame_b, trolley.frame_a);
  connect(rail.frame_b, hinge[1].frame_a);
  connect(hinge.frame_b, link.frame_a);
  connect(hinge.frame_b, length.frame_a);
  connect(length[1:n - 1].frame_b, hinge[2:n].frame_a);
  connect(length[n].frame_b, load.frame_a);
  annotation(experiment(StopTime = 3, Interval = 0.02));
end Rope;
