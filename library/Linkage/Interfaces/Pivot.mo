within Linkage.Interfaces;
connector Pivot "A point about which all rotations are free"
  Place m "Place of the point";
  flow Units.Force f[3] "Force into the component";
  annotation(Icon(graphics = {
    Ellipse(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
      fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-40, -40}, {40, 40}}, lineColor = {38, 58, 92}, fillColor = {95, 108, 128},
      fillPattern = FillPattern.Solid)}));
end Pivot;
