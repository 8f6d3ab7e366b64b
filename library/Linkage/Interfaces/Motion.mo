within Linkage.Interfaces;
record Motion "Position, velocity and acceleration of a frame"
  Units.Length r[3] "Position of the origin, resolved in the world frame";
  Units.Cosine T[3, 3] "Rotation matrix from the world frame to this frame";
  Units.Velocity v[3] "Velocity of the origin, resolved in this frame";
  Units.AngularVelocity w[3] "Angular velocity, resolved in this frame";
  Units.Acceleration a[3]
    "Proper acceleration of the origin (acceleration less gravity), resolved in this frame";
  Units.AngularAcceleration z[3] "Angular acceleration, resolved in this frame";

  function equalityConstraint "Six residues that vanish where two frames coincide"
    input Motion m1 "First frame";
    input Motion m2 "Second frame";
    output Real residue[6]
      "Offset, and axis times twice the tangent of half the angle, resolved in the first frame";
  protected
    Real R[3, 3] = m1.T*transpose(m2.T) "Rotation matrix from the second frame to the first";
  algorithm
    residue[1:3] := m1.T*(m2.r - m1.r);
    residue[4:6] := 2*{R[3, 2] - R[2, 3], R[1, 3] - R[3, 1], R[2, 1] - R[1, 2]}
      /(1 + R[1, 1] + R[2, 2] + R[3, 3]);
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
<p>24 numbers for the six degrees of freedom of a frame, hence overdetermined: in a closed
loop one connection is replaced by the six residues of
<code>equalityConstraint</code>. Those of the rotation are the angle where it is small and vanish
nowhere else, as its sine would.</p>
</html>"));
end Motion;
