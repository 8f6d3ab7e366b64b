within Linkage.Vehicles;
model Driver "Driver who steers to a point of the course ahead"
  Interfaces.Frame_a frame_a "Of the vehicle, in the middle of its rear axle or behind its middle"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  replaceable model Way = LaneChange constrainedby Course "The course"
    annotation(choicesAllMatching = true);
  Way course(x = r_ahead[1]) "The course at the point ahead";
  parameter Real T_ahead(unit = "s", min = 0) = 0.8 "How far he looks ahead, in time";
  parameter Units.Length l_min(min = 0) = 2 "The least that he looks ahead; not zero";
  parameter Units.Length wheelbase(min = 0) = 2.5 "Distance of the axles";
  parameter Units.Angle most(min = 0) = 0.6 "Largest steering angle";
  parameter Units.AngularVelocity w_0(min = 0) = 15
    "Natural frequency of his arms, which are damped critically; not zero";
  Units.Length l "How far he looks ahead";
  Units.Length error "How far the course is to the left of the point ahead, across the vehicle";
  Real curvature(unit = "1/m") "Of the circle to the course; positive to the left";
  Units.Angle wanted "Steering angle that he wants";
  Units.Angle angle(start = 0, fixed = true, stateSelect = StateSelect.always)
    "Steering angle, of the wheels on the middle of the axle; positive to the left";
  Units.AngularVelocity rate(start = 0, fixed = true, stateSelect = StateSelect.always)
    "Derivative of angle";
protected
  Units.Cosine ahead[2] "Direction of the vehicle in the plane, of length one";
  Units.Length r_ahead[2] "Point ahead";
  Real c(unit = "1") "Cosine of the pitch";
equation
  c = sqrt(frame_a.m.T[1, 1]^2 + frame_a.m.T[1, 2]^2);
  ahead = frame_a.m.T[1, 1:2]/c;
  l = smooth(0, noEvent(max(l_min, T_ahead*frame_a.m.v[1])));
  r_ahead = frame_a.m.r[1:2] + l*ahead;
  error = (course.y - r_ahead[2])*ahead[1];
  // through both points and along the vehicle at the first one
  curvature = 2*error/(l^2 + error^2);
  wanted = smooth(0, noEvent(max(-most, min(most, atan(wheelbase*curvature)))));
  rate = der(angle);
  der(rate) = w_0^2*(wanted - angle) - 2*w_0*rate;
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  annotation(
    __rung(look(none)),
    Icon(graphics = {
      Ellipse(extent = {{-50, -50}, {50, 50}}, lineThickness = 2),
      Line(points = {{-50, 0}, {50, 0}}, thickness = 1),
      Line(points = {{0, 0}, {0, -50}}, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Pure pursuit (Coulter 1992): the circle through the vehicle, along it, and the point of the course that is
<code>l</code> ahead. At constant speed and for small angles a vehicle that rolls without slip comes to a straight course as an
oscillator with the frequency sqrt(2)/T_ahead and 1/sqrt(2) of the critical damping. He does not know of slip, so that
he cuts and overshoots at high speed, less with a larger <code>T_ahead</code>.</p>
</html>"));
end Driver;
