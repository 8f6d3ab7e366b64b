within Linkage.Interfaces;
record Place "A point, and the frame in which forces on it are resolved"
  Units.Length r[3] "Position, resolved in the world frame";
  Units.Cosine T[3, 3] "Rotation matrix from the world frame to that frame";

  function equalityConstraint "Three residues that vanish where two points coincide"
    input Place m1 "First point";
    input Place m2 "Second point";
    output Real residue[3] "Offset, resolved in the frame of the first point";
  algorithm
    residue := m1.T*(m2.r - m1.r);
    annotation(Inline = true);
  end equalityConstraint;
  annotation(Icon(graphics = {
    Rectangle(extent = {{-100, -80}, {100, 80}}, lineColor = {38, 58, 92},
      fillColor = {250, 244, 220}, fillPattern = FillPattern.Solid, radius = 12),
    Line(points = {{-100, 27}, {100, 27}}, color = {38, 58, 92}),
    Line(points = {{-100, -27}, {100, -27}}, color = {38, 58, 92}),
    Line(points = {{-30, 80}, {-30, -80}}, color = {38, 58, 92})}));
end Place;
