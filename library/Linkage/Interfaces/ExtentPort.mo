within Linkage.Interfaces;
connector ExtentPort "A length that a constraint holds, and the force of that constraint"
  Extent e "Length";
  flow Units.Force f "Force of the constraint";
end ExtentPort;
