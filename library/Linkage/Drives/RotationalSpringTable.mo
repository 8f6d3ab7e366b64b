within Linkage.Drives;
model RotationalSpringTable
  "Spring and damper whose torques come from tables, straight between the points"
  Interfaces.RotationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Real spring[:, 2] = [-1, -1; 1, 1] "Rows of way (rad) and torque (N.m); ways grow";
  parameter Real damper[:, 2] = [0, 0; 1, 0]
    "Rows of velocity (rad/s) and torque (N.m); velocities grow";
  Units.Angle phi_rel "Position of flange_b against flange_a";
  Units.AngularVelocity w_rel "Derivative of phi_rel";
  Units.Torque tau "Torque of both, positive where it pulls phi_rel back";
  Units.Energy V "Energy in the spring, zero at the table's first point";
  Units.Power loss "Power lost in the damper";
protected
  Table of_spring(final points = spring, x = phi_rel) "The spring";
  Table of_damper(final points = damper, x = w_rel) "The damper";
equation
  phi_rel = flange_b.phi - flange_a.phi;
  w_rel = der(phi_rel);
  tau = of_spring.y + of_damper.y;
  V = of_spring.area;
  loss = of_damper.y*w_rel;
  flange_b.tau = tau;
  flange_a.tau = -tau;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-60, -40}, {60, 40}}),
      Line(points = {{-60, -40}, {-20, -10}, {20, 0}, {60, 40}}),
      Line(points = {{-100, 0}, {-60, 0}}),
      Line(points = {{60, 0}, {100, 0}}),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Beyond its ends a table goes on as straight as it ended.</p>
</html>"));
end RotationalSpringTable;
