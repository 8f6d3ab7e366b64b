model UnknownModifier "A modification of an element that does not exist"
  inner Linkage.World world;
  Linkage.Parts.Body body(mass = 2); // error N03: mass
equation
  connect(world.frame_b, body.frame_a);
end UnknownModifier;
