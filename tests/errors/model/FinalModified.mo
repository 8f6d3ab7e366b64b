model FinalModified "A final element is not modified"
  Linkage.Examples.SpatialChain20 chain(n = 3); // error N10: n
end FinalModified;
