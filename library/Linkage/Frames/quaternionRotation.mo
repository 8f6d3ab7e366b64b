within Linkage.Frames;
pure function quaternionRotation "Rotation matrix of Euler parameters"
  extends Icons.Function;
  input Real Q[4] "Euler parameters, scalar first; of any length but zero";
  output Units.Cosine R[3, 3] "Takes components in the first frame to those in the second";
protected
  Real k = 2/(Q*Q) "2 when the Euler parameters are normalised";
algorithm
  R := [
    1 - k*(Q[3]*Q[3] + Q[4]*Q[4]), k*(Q[2]*Q[3] + Q[1]*Q[4]), k*(Q[2]*Q[4] - Q[1]*Q[3]);
    k*(Q[2]*Q[3] - Q[1]*Q[4]), 1 - k*(Q[2]*Q[2] + Q[4]*Q[4]), k*(Q[3]*Q[4] + Q[1]*Q[2]);
    k*(Q[2]*Q[4] + Q[1]*Q[3]), k*(Q[3]*Q[4] - Q[1]*Q[2]), 1 - k*(Q[2]*Q[2] + Q[3]*Q[3])];
  annotation(
    Inline = true,
    Documentation(info = "<html>
<p>The matrix is a rotation also when the length of Q has drifted from one.</p>
</html>"));
end quaternionRotation;
