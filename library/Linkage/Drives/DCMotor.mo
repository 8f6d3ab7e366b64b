within Linkage.Drives;
model DCMotor "Direct current motor with permanent magnets"
  Interfaces.RotationalFlange flange "Shaft"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  input Units.Voltage u "Voltage at the terminals";
  parameter Units.Resistance R = 0.5 "Resistance of the armature";
  parameter Units.Inductance L = 1e-3 "Inductance of the armature, not zero";
  parameter Units.MotorConstant k = 0.1 "Torque for each ampere, and voltage for each rad/s";
  Units.Current i(start = 0, fixed = true) "Current of the armature";
  Units.AngularVelocity w "Angular velocity of the shaft";
  Units.Torque tau "Torque on what is driven";
  Units.Power P "Electrical power taken in";
  Units.Power loss "Power lost in the resistance";
  Units.Energy V "Energy in the inductance";
equation
  w = der(flange.phi);
  L*der(i) = u - R*i - k*w;
  tau = k*i;
  flange.tau = -tau;
  P = u*i;
  loss = R*i^2;
  V = 0.5*L*i^2;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-60, -50}, {60, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Line(points = {{60, 0}, {100, 0}}, thickness = 1),
      Text(extent = {{-50, 25}, {50, -25}}, textString = "M"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Its rotor is a <code>Drives.Inertia</code> on the shaft, or part of the body that it turns; a
<code>Drives.Gear</code> may come between. Give the voltage in a modification:
<code>Drives.DCMotor motor(u = if time &lt; 1 then 12 else 0)</code>.</p>
</html>"));
end DCMotor;
