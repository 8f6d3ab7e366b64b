within Linkage.Frames;
pure function quaternion "Euler parameters of a rotation matrix"
  extends Icons.Function;
  input Units.Cosine R[3, 3] "Takes components in the first frame to those in the second";
  output Real Q[4] "Of length one, scalar first and not negative";
protected
  Real s[4] = {1 + R[1, 1] + R[2, 2] + R[3, 3], 1 + R[1, 1] - R[2, 2] - R[3, 3],
    1 - R[1, 1] + R[2, 2] - R[3, 3], 1 - R[1, 1] - R[2, 2] + R[3, 3]} "Four times their squares";
  Real d[3] = {R[2, 3] - R[3, 2], R[3, 1] - R[1, 3], R[1, 2] - R[2, 1]};
  Real e[3] = {R[2, 3] + R[3, 2], R[3, 1] + R[1, 3], R[1, 2] + R[2, 1]};
  Real k "Twice the largest of them";
algorithm
  if s[1] >= max(s[2:4]) then
    k := sqrt(s[1]);
    Q := {k/2, d[1]/(2*k), d[2]/(2*k), d[3]/(2*k)};
  elseif s[2] >= max(s[3:4]) then
    k := if d[1] >= 0 then sqrt(s[2]) else -sqrt(s[2]);
    Q := {d[1]/(2*k), k/2, e[3]/(2*k), e[2]/(2*k)};
  elseif s[3] >= s[4] then
    k := if d[2] >= 0 then sqrt(s[3]) else -sqrt(s[3]);
    Q := {d[2]/(2*k), e[3]/(2*k), k/2, e[1]/(2*k)};
  else
    k := if d[3] >= 0 then sqrt(s[4]) else -sqrt(s[4]);
    Q := {d[3]/(2*k), e[2]/(2*k), e[1]/(2*k), k/2};
  end if;
  annotation(Documentation(info = "<html>
<p>The inverse of <a href=\"modelica://Linkage.Frames.quaternionRotation\">quaternionRotation</a>.
The largest element is found first, so that nothing is divided by a small number.</p>
</html>"));
end quaternion;
