within Linkage.Parts;
model Body "Rigid body"
  Interfaces.Frame_a frame_a "Frame fixed to the body"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  parameter Units.Mass m = 1 "Mass";
  parameter Units.Length r_CM[3] = {0, 0, 0}
    "From frame_a to the centre of mass, resolved in frame_a";
  parameter Units.Inertia I_11(min = 0) = 0.001 "Inertia, element 1,1, about the centre of mass";
  parameter Units.Inertia I_22(min = 0) = 0.001 "Inertia, element 2,2, about the centre of mass";
  parameter Units.Inertia I_33(min = 0) = 0.001 "Inertia, element 3,3, about the centre of mass";
  parameter Units.Inertia I_21 = 0 "Inertia, element 2,1, about the centre of mass";
  parameter Units.Inertia I_31 = 0 "Inertia, element 3,1, about the centre of mass";
  parameter Units.Inertia I_32 = 0 "Inertia, element 3,2, about the centre of mass";
  Units.Energy T "Kinetic energy";
  Units.Energy V "Potential energy of gravity, zero at the world's origin";
  Units.Energy E "Total energy";
protected
  outer World world;
  final parameter Units.Inertia I[3, 3] = [I_11, I_21, I_31; I_21, I_22, I_32; I_31, I_32, I_33]
    "Inertia about the centre of mass, resolved in frame_a";
  Units.Velocity v_CM[3] "Velocity of the centre of mass, resolved in frame_a";
equation
  // Newton; a is a proper acceleration, so the weight is on the right-hand side already
  frame_a.f = m*(frame_a.m.a + cross(frame_a.m.z, r_CM) + Frames.centripetal(frame_a.m.w)*r_CM);
  // Euler
  frame_a.t = I*frame_a.m.z + cross(frame_a.m.w, I*frame_a.m.w) + cross(r_CM, frame_a.f);

  v_CM = frame_a.m.v + cross(frame_a.m.w, r_CM);
  T = 0.5*m*(v_CM*v_CM) + 0.5*(frame_a.m.w*(I*frame_a.m.w));
  V = -m*(world.G*(frame_a.m.r + transpose(frame_a.m.T)*r_CM));
  E = T + V;
  annotation(
    __rung(look(body(frame = frame_a, m = m, r = r_CM, I = I))),
    Icon(graphics = {
      Rectangle(extent = {{-100, -16}, {0, 16}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-40, -62}, {84, 62}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name"),
      Text(extent = {{-100, -75}, {100, -105}}, textString = "m=%m")}),
    Documentation(info = "<html>
<p>Elements of the inertia tensor are those of the matrix (products of inertia with their
negative sign), resolved in axes parallel to <code>frame_a</code>.</p>
</html>"));
end Body;
