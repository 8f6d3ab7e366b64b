within Linkage.Drives;
model TranslationalSpringTable
  "Spring and damper whose forces come from tables, straight between the points"
  Interfaces.TranslationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Real spring[:, 2] = [-1, -1; 1, 1] "Rows of way (m) and force (N); ways grow";
  parameter Real damper[:, 2] = [0, 0; 1, 0]
    "Rows of velocity (m/s) and force (N); velocities grow";
  Units.Length s_rel "Position of flange_b against flange_a";
  Units.Velocity v_rel "Derivative of s_rel";
  Units.Force f "Force of both, positive where it pulls s_rel back";
  Units.Energy V "Energy in the spring, zero at the table's first point";
  Units.Power loss "Power lost in the damper";
protected
  Table of_spring(final points = spring, x = s_rel) "The spring";
  Table of_damper(final points = damper, x = v_rel) "The damper";
equation
  s_rel = flange_b.s - flange_a.s;
  v_rel = der(s_rel);
  f = of_spring.y + of_damper.y;
  V = of_spring.area;
  loss = of_damper.y*v_rel;
  flange_b.f = f;
  flange_a.f = -f;
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
end TranslationalSpringTable;
