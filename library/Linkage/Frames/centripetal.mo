within Linkage.Frames;
pure function centripetal "Matrix W of an angular velocity w with W*r = w x (w x r)"
  extends Icons.Function;
  input Units.AngularVelocity w[3] "Angular velocity";
  output Real W[3, 3](each unit = "rad2/s2") "Symmetric";
algorithm
  W := [
    -(w[2]*w[2] + w[3]*w[3]), w[1]*w[2], w[1]*w[3];
    w[1]*w[2], -(w[1]*w[1] + w[3]*w[3]), w[2]*w[3];
    w[1]*w[3], w[2]*w[3], -(w[1]*w[1] + w[2]*w[2])];
  annotation(
    Inline = true,
    Documentation(info = "<html>
<p>Written with this matrix, and not with two cross products, the terms of all points of one
body share their products.</p>
</html>"));
end centripetal;
