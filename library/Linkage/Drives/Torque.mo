within Linkage.Drives;
model Torque "Torque on a flange"
  Interfaces.RotationalFlange flange "Flange driven"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  input Units.Torque tau "Torque on the flange";
equation
  flange.tau = -tau;
  annotation(
    Icon(graphics = {
      Line(
        points = {{-52, -19}, {-55, 0}, {-52, 19}, {-42, 35}, {-27, 48}, {-10, 54}, {10, 54},
          {28, 48}, {42, 35}, {52, 19}, {55, 0}, {52, -19}},
        color = {190, 60, 30}, smooth = Smooth.Bezier, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 8, thickness = 1),
      Line(points = {{52, -18}, {84, 0}}, color = {38, 58, 92}, pattern = LinePattern.Dot),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.Torque motor(tau = 2*sin(time))</code>.</p>
</html>"));
end Torque;
