model WrongModifierSize "A vector of two for one of three"
  inner Linkage.World world;
  Linkage.Parts.FixedTranslation arm(r = {1, 2}); // error T32
equation
  connect(world.frame_b, arm.frame_a);
end WrongModifierSize;
