within Linkage.Points;
model Attachment "Point of a body: where links take hold of it"
  Interfaces.Frame_a frame_a "Frame fixed to the body";
  Place place "The frame's origin";
equation
  place.r = frame_a.m.r;
  frame_a.f + frame_a.m.T*place.f = zeros(3);
  frame_a.t = zeros(3);
  annotation(Icon(graphics = {
    Rectangle(extent = {{-80, -60}, {0, 60}}, fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-20, -20}, {20, 20}}, fillPattern = FillPattern.Solid),
    Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}));
end Attachment;
