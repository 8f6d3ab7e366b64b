model ConnectNoConnector "Only connectors are connected"
  inner Linkage.World world;
  Linkage.Parts.Body body;
equation
  connect(world.frame_b, body); // error F02
end ConnectNoConnector;
