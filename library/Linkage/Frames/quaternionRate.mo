within Linkage.Frames;
pure function quaternionRate "Rate of Euler parameters, half of G(Q)*w"
  extends Icons.Function;
  input Real Q[4] "Euler parameters, scalar first";
  input Units.AngularVelocity w[3]
    "Angular velocity of the second frame against the first, resolved in the second";
  output Real rate[4](each unit = "1/s") "Time derivative of Q";
algorithm
  rate := 0.5*[
    -Q[2], -Q[3], -Q[4];
    Q[1], -Q[4], Q[3];
    Q[4], Q[1], -Q[2];
    -Q[3], Q[2], Q[1]]*w;
  annotation(Inline = true, Documentation(info = "<html><p>Keeps the length of Q.</p></html>"));
end quaternionRate;
