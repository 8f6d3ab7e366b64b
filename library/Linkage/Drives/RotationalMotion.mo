within Linkage.Drives;
model RotationalMotion "Flange that moves as it is told"
  Interfaces.RotationalFlange flange "Flange driven";
  input Units.Angle phi "Angle of the flange";
equation
  flange.phi = phi;
  annotation(Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.RotationalMotion motor(phi = 150*time)</code>. The
torque is what the motion takes.</p>
</html>"));
end RotationalMotion;
