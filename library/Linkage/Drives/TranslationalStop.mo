within Linkage.Drives;
model TranslationalStop "Elastic stops at both ends of the way"
  Interfaces.TranslationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Length s_min = -1 "Where the lower stop begins";
  parameter Units.Length s_max = 1 "Where the upper stop begins";
  parameter Units.Stiffness c = 1e5 "Stiffness of the stops";
  parameter Real d(min = 0, unit = "s/m") = 0
    "Damping: part of the spring's force for each unit of velocity";
  Units.Length s_rel "Position of flange_b against flange_a";
  Units.Velocity v_rel "Derivative of s_rel";
  Units.Length depth "How far it is in a stop: negative in the lower, positive in the upper";
  Units.Force f "Force of the stop, positive where it pushes s_rel back down";
  Units.Energy V "Energy in the stop";
  Units.Power loss "Power lost";
protected
  Real gain(unit = "1") "The damping, so that a stop never pulls";
equation
  s_rel = flange_b.s - flange_a.s;
  v_rel = der(s_rel);
  depth = if s_rel > s_max then s_rel - s_max elseif s_rel < s_min then s_rel - s_min else 0;
  gain = smooth(0, noEvent(max(0, 1 + d*(if depth > 0 then v_rel else -v_rel))));
  f = c*depth*gain;
  V = 0.5*c*depth^2;
  loss = (f - c*depth)*v_rel;
  flange_b.f = f;
  flange_a.f = -f;
  annotation(
    Icon(graphics = {
      Line(points = {{-80, -50}, {-80, 50}}, thickness = 1),
      Line(points = {{80, -50}, {80, 50}}, thickness = 1),
      Rectangle(extent = {{-25, -25}, {25, 25}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-80, 0}, {80, 0}}),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The force begins at nothing where a stop begins, damped or not (Hunt and Crossley 1975), so that
an impact is smooth. Between the stops nothing acts.</p>
</html>"));
end TranslationalStop;
