within Linkage.Drives;
model LimitedMotor "Motor that gives the torque asked for, within its torque-speed characteristic"
  Interfaces.RotationalFlange flange "Shaft"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  input Units.Torque tau_wanted "Torque that is asked for";
  parameter Units.Torque tau_max(min = 0) = 1
    "Largest torque in either direction: the limit of the current";
  parameter Units.Torque tau_stall(min = 0) = 2
    "Torque at rest under the full voltage, if the current had no limit; not zero";
  parameter Units.AngularVelocity w_0(min = 0) = 100
    "Speed under the full voltage without torque; not zero";
  Units.AngularVelocity w "Angular velocity of the shaft";
  Units.Torque tau_high "Largest torque at this speed";
  Units.Torque tau_low "Smallest torque at this speed";
  Units.Torque tau "Torque on the driven part";
  Units.Power P "Electrical power taken in; negative where it is given back";
  Units.Power loss "Power lost in the windings";
protected
  Units.Torque forwards "Torque under the full voltage";
  Units.Torque backwards "Torque under the full voltage of opposite sign";
equation
  w = der(flange.phi);
  // the back-EMF grows with the speed, and the rest of the voltage drives the current
  forwards = tau_stall*(1 - w/w_0);
  backwards = -tau_stall*(1 + w/w_0);
  tau_high =
    if forwards > tau_max then tau_max elseif forwards < -tau_max then -tau_max else forwards;
  tau_low =
    if backwards < -tau_max then -tau_max elseif backwards > tau_max then tau_max else backwards;
  tau =
    if tau_wanted > tau_high then tau_high elseif tau_wanted < tau_low then tau_low else tau_wanted;
  flange.tau = -tau;
  loss = w_0/tau_stall*tau^2;
  P = tau*w + loss;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-60, -50}, {60, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Line(points = {{60, 0}, {100, 0}}, thickness = 1),
      Line(points = {{-45, 25}, {10, 25}, {45, -30}}, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A direct current motor whose controller of the current is much faster than the mechanism, with limits of current and
voltage: the constant torque <code>tau_max</code> up to the corner speed <code>w_0*(1 - tau_max/tau_stall)</code>, then less and less
to none at <code>w_0</code>; braking has the full torque at all speeds up to
<code>w_0*(1 + tau_max/tau_stall)</code>, where the back-EMF alone drives the largest current. With the constant k of the motor,
the resistance R and the voltage U, <code>tau_stall</code> is k U/R, <code>w_0</code> is U/k, and <code>loss</code> is R by the square of
the current. Its rotor is a <code>Drives.Inertia</code> on the shaft. Where the winding's own transient matters, use
<code>DCMotor</code>.</p>
<p>Give the torque in a modification: <code>Drives.LimitedMotor motor(tau_wanted = 20*(1 - joint.phi) -
joint.w)</code>.</p>
</html>"));
end LimitedMotor;
