model IncompatibleConnectors "A frame is no flange"
  inner Linkage.World world;
  Linkage.Drives.RotationalFixed ground;
equation
  connect(world.frame_b, ground.flange); // error F02
end IncompatibleConnectors;
