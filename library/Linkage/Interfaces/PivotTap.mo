within Linkage.Interfaces;
model PivotTap "One side of a ball joint"
  Pivot point "Its middle";
end PivotTap;
