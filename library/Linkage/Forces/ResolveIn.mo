within Linkage.Forces;
type ResolveIn = enumeration(world "World frame", frame "The frame acted on")
  "Axes in which a vector is given";
