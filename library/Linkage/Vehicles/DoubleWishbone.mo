within Linkage.Vehicles;
model DoubleWishbone
  "Suspension of a wheel on two wishbones with mass, a tie rod, a spring and a damper"
  Interfaces.Frame_a frame_a "Frame of the chassis in which all places are given"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  Interfaces.Frame_a rack "Frame whose origin is the inner end of the tie rod"
    annotation(Placement(transformation(extent = {{-16, -116}, {16, -84}})));
  Interfaces.Frame_b frame_b "Centre of the wheel, fixed to the upright; it does not turn with it"
    annotation(Placement(transformation(extent = {{84, -16}, {116, 16}})));
  // places in the position of construction, where all angles are zero; of the front left wheel of
  // the HMMWV by default
  parameter Units.Length lower[3, 3] = [
     0.223, 0.307,      0;
    -0.223, 0.307,      0;
    -0.036, 0.787, -0.118] "Lower wishbone: front and rear hinge, ball joint";
  parameter Units.Length upper[3, 3] = [
    -0.048, 0.446, 0.245;
    -0.268, 0.478, 0.196;
    -0.053, 0.716, 0.215] "Upper wishbone, likewise";
  parameter Units.Length tie[2, 3] = [-0.25, 0.448, 0.054; -0.176, 0.821, -0.016]
    "Tie rod: at the chassis, for its length, and at the upright";
  parameter Units.Length center[3] = {-0.04, 0.91, -0.026} "Centre of the wheel";
  parameter Units.Length spring_at[2, 3] = [0.104, 0.51, 0.197; 0.097, 0.543, -0.047]
    "Spring: at the chassis and at the lower wishbone";
  parameter Units.Length shock_at[2, 3] = [0.104, 0.498, 0.323; 0.097, 0.543, -0.047]
    "Damper, likewise";
  parameter Units.Mass m[3] = {23.965, 5.813, 19.45} "Masses: lower and upper wishbone, upright";
  parameter Units.Length r_CM[3, 3] = [
         0, 0.547, -0.059;
    -0.106, 0.589,  0.218;
     -0.04, 0.751, -0.026] "Centres of mass";
  parameter Units.Inertia I[3, 3] = [
     0.4469,  0.4469,  0.8938;
    0.03138, 0.03138, 0.06276;
     0.1656,  0.1934, 0.04367] "Moments of inertia of each about the axes of frame_a";
  parameter Units.Stiffness c = 3e5 "Stiffness of the spring";
  parameter Real c_3(unit = "N/m3") = 0 "Stiffness by the cube of its deflection, added to that";
  parameter Units.Length s_0 = 0.339 "Length of the spring without force";
  parameter Units.Damping d = 19015.5692 "Of the damper";
  final parameter Units.Cosine lower_line[3] = (lower[1, :] - lower[2, :])
    /sqrt((lower[1, :] - lower[2, :])*(lower[1, :] - lower[2, :])) "Direction of the lower hinge";
  final parameter Units.Cosine upper_line[3] = (upper[1, :] - upper[2, :])
    /sqrt((upper[1, :] - upper[2, :])*(upper[1, :] - upper[2, :])) "Direction of the upper hinge";
  Parts.FixedTranslation to_lower(final r = lower[2, :]), to_upper(final r = upper[2, :]),
    to_spring(final r = spring_at[1, :]), to_shock(final r = shock_at[1, :]);
  Joints.Revolute lower_hinge(final n = lower_line) "Of the lower wishbone";
  Joints.Revolute upper_hinge(final n = upper_line) "Of the upper wishbone";
  Parts.Body lower_arm(final m = m[1], final r_CM = r_CM[1, :] - lower[2, :], final I_11 = I[1, 1],
    final I_22 = I[1, 2], final I_33 = I[1, 3]) "The lower wishbone";
  Parts.Body upper_arm(final m = m[2], final r_CM = r_CM[2, :] - upper[2, :], final I_11 = I[2, 1],
    final I_22 = I[2, 2], final I_33 = I[2, 3]) "The upper wishbone";
  Parts.Body upright(final m = m[3], final r_CM = r_CM[3, :] - lower[3, :], final I_11 = I[3, 1],
    final I_22 = I[3, 2], final I_33 = I[3, 3]) "Between them";
  Parts.FixedTranslation to_lower_ball(final r = lower[3, :] - lower[2, :]),
    to_upper_ball(final r = upper[3, :] - upper[2, :]),
    to_spring_arm(final r = spring_at[2, :] - lower[2, :]),
    to_shock_arm(final r = shock_at[2, :] - lower[2, :]);
  Joints.Spherical lower_ball "Between lower wishbone and upright";
  Joints.Spherical upper_ball "Between upper wishbone and upright";
  Parts.FixedTranslation to_top(final r = upper[3, :] - lower[3, :]),
    to_tie(final r = tie[2, :] - lower[3, :]), to_wheel(final r = center - lower[3, :]);
  Joints.BallRod tie_rod(final l = sqrt((tie[2, :] - tie[1, :])*(tie[2, :] - tie[1, :])));
  Forces.CubicSpring spring(final c = c, final c_3 = c_3, final s_0 = s_0);
  Forces.SpringDamper shock(final c = 0, final d = d);
  Units.Energy E = lower_arm.E + upper_arm.E + upright.E + spring.V
    "Energy of its bodies and its spring";
  Units.Power loss = shock.f*shock.v "Power lost in the damper";
equation
  connect(frame_a, to_lower.frame_a);
  connect(frame_a, to_upper.frame_a);
  connect(frame_a, to_spring.frame_a);
  connect(frame_a, to_shock.frame_a);
  connect(to_lower.frame_b, lower_hinge.frame_a);
  connect(to_upper.frame_b, upper_hinge.frame_a);
  connect(lower_hinge.frame_b, lower_arm.frame_a);
  connect(lower_hinge.frame_b, to_lower_ball.frame_a);
  connect(lower_hinge.frame_b, to_spring_arm.frame_a);
  connect(lower_hinge.frame_b, to_shock_arm.frame_a);
  connect(upper_hinge.frame_b, upper_arm.frame_a);
  connect(upper_hinge.frame_b, to_upper_ball.frame_a);
  connect(to_lower_ball.frame_b, lower_ball.frame_a);
  connect(lower_ball.frame_b, upright.frame_a);
  connect(lower_ball.frame_b, to_top.frame_a);
  connect(lower_ball.frame_b, to_tie.frame_a);
  connect(lower_ball.frame_b, to_wheel.frame_a);
  connect(to_upper_ball.frame_b, upper_ball.frame_a);
  connect(to_top.frame_b, upper_ball.frame_b);
  connect(rack, tie_rod.frame_a);
  connect(tie_rod.frame_b, to_tie.frame_b);
  connect(to_wheel.frame_b, frame_b);
  connect(to_spring.frame_b, spring.frame_a);
  connect(spring.frame_b, to_spring_arm.frame_b);
  connect(to_shock.frame_b, shock.frame_a);
  connect(shock.frame_b, to_shock_arm.frame_b);
  annotation(
    Icon(graphics = {
      Line(points = {{-90, 40}, {50, 50}}, thickness = 1),
      Line(points = {{-90, -40}, {60, -50}}, thickness = 1),
      Line(points = {{50, 50}, {60, -50}}, thickness = 1),
      Ellipse(extent = {{60, -80}, {90, 80}}, lineThickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Hinges of the wishbones are lines through two points each; the upright hangs on the lower ball joint, and the upper one
closes the loop. Places and masses are those of the front suspension of the HMMWV in Project Chrono's open
model, with a linear spring, and with moments of inertia about the axes of the vehicle. Those of the wishbones are those of
flat bodies, since the published ones break the triangle inequality.</p>
</html>"));
end DoubleWishbone;
