within Linkage.Interfaces;
connector TranslationalFlange "Rod that slides along one axis"
  Units.Length s "Position";
  flow Units.Force f "Force into the component";
end TranslationalFlange;
