within Linkage.Drives;
model Torque "Torque on a flange"
  Interfaces.RotationalFlange flange "Flange driven";
  input Units.Torque tau "Torque on the flange";
equation
  flange.tau = -tau;
  annotation(Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.Torque motor(tau = 2*sin(time))</code>.</p>
</html>"));
end Torque;
