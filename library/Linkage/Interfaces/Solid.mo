within Linkage.Interfaces;
record Solid "One solid that a viewer draws, in the world frame"
  Real form "1: box, 2: sphere, 3: cylinder, 10: the file's";
  Units.Cosine x[3] "Direction of its length";
  Units.Cosine y[3] "Direction of its width";
  Units.Length r[3] "Middle of the face where its length begins; of a file the origin";
  Units.Length size[3] "Length, width, height; of a file the factors of its coordinates";
  Real material "65536, 256 and 1 times red, green and blue of 0 to 255";
  Real extra "Of a file 1: size has factors; else 0";
  parameter String file = "" "Where form 10 is: modelica://, file:// or beside the model";
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -80}, {100, 80}}, lineColor = {38, 58, 92},
        fillColor = {250, 244, 220}, fillPattern = FillPattern.Solid, radius = 12),
      Line(points = {{-100, 27}, {100, 27}}, color = {38, 58, 92}),
      Line(points = {{-100, -27}, {100, -27}}, color = {38, 58, 92}),
      Line(points = {{-30, 80}, {-30, -80}}, color = {38, 58, 92})}),
    __rung(solid = true));
end Solid;
