within Linkage.Frames;
pure function axisRotation "Rotation matrix of a turn about an axis"
  extends Icons.Function;
  input Units.Cosine e[3] "Axis of length one, the same in both frames";
  input Units.Angle phi "Angle of the second frame against the first, right-handed about e";
  output Units.Cosine R[3, 3] "Takes components in the first frame to those in the second";
algorithm
  R := outerProduct(e, e) + (identity(3) - outerProduct(e, e))*cos(phi) - skew(e)*sin(phi);
  annotation(Inline = true);
end axisRotation;
