within Linkage.Points;
model Attachment "Point of a body: where links take hold of it"
  Interfaces.Frame_a frame_a "Frame fixed to the body"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  Place place "The frame's origin"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
equation
  place.r = frame_a.m.r;
  frame_a.f + frame_a.m.T*place.f = zeros(3);
  frame_a.t = zeros(3);
  annotation(Icon(graphics = {
    Rectangle(extent = {{-80, -60}, {0, 60}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
      fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-20, -20}, {20, 20}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
      fillPattern = FillPattern.Solid),
    Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}));
end Attachment;
