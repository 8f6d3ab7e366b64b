within Linkage.Drives;
model Force "Force on a flange"
  Interfaces.TranslationalFlange flange "Flange driven";
  input Units.Force f "Force on the flange";
equation
  flange.f = -f;
  annotation(Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.Force motor(f = 2*sin(time))</code>.</p>
</html>"));
end Force;
