within Linkage.Interfaces;
connector Pivot "A point about which all rotations are free"
  Place m "Place of the point";
  flow Units.Force f[3] "Force into the component";
end Pivot;
