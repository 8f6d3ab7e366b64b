within Linkage.Interfaces;
record Extent "A length that a constraint holds"
  Units.Length s "Length";

  function equalityConstraint "One residue that vanishes where two lengths are equal"
    input Extent s1 "First length";
    input Extent s2 "Second length";
    output Real residue[1](each unit = "m") "Second less first";
  algorithm
    residue := {s2.s - s1.s};
    annotation(Inline = true);
  end equalityConstraint;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -80}, {100, 80}}, lineColor = {38, 58, 92},
        fillColor = {250, 244, 220}, fillPattern = FillPattern.Solid, radius = 12),
      Line(points = {{-100, 27}, {100, 27}}, color = {38, 58, 92}),
      Line(points = {{-100, -27}, {100, -27}}, color = {38, 58, 92}),
      Line(points = {{-30, 80}, {-30, -80}}, color = {38, 58, 92})}),
    Documentation(info = "<html>
<p>Two of them, each a root of the connection graph, and a connection between: the specification
(section 9.4) has that connection replaced by the residue, as in a closed loop of frames. So a
constraint that parts of the model cannot keep by their coordinates becomes one
that the tool knows to be one, with the flow variable as its multiplier.</p>
</html>"));
end Extent;
