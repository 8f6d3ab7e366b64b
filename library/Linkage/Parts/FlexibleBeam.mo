within Linkage.Parts;
model FlexibleBeam "Slender beam along x that bends and twists: rigid segments on elastic joints"
  extends Interfaces.TwoFrames;
  parameter Integer n(min = 1) = 6 "Number of elastic joints" annotation(Evaluate = true);
  parameter Units.Length l = 1 "Length";
  parameter Units.Mass m = 1 "Mass";
  parameter Units.Inertia I_x(min = 0) = 1e-4*m*l^2 "Inertia about its line; not zero";
  parameter Real GI_t(unit = "N.m2", min = 0) = 10
    "Stiffness against torsion: shear modulus times torsion constant";
  parameter Real EI_y(unit = "N.m2", min = 0) = 10
    "Stiffness against bending about y: modulus times second moment";
  parameter Real EI_z(unit = "N.m2", min = 0) = 10 "Stiffness against bending about z";
  parameter Real damping(unit = "s", min = 0) = 1e-3 "Damping by stiffness, of the material";
  Body foot(final m = m/(2*n), final r_CM = {h/4, 0, 0}, final I_11 = I_x/(2*n),
    final I_22 = m/(2*n)*h^2/48, final I_33 = m/(2*n)*h^2/48, final I_21 = 0, final I_31 = 0,
    final I_32 = 0) "Half a segment, fixed to frame_a";
  FixedTranslation first(final r = {h/2, 0, 0}) "Its line";
  Joints.Spherical joint[n] "Between the segments";
  Forces.Bushing spring[n](each final c = zeros(3), each final d = zeros(3),
    each final r_0 = zeros(3), each final c_t = {GI_t, EI_y, EI_z}/h,
    each final d_t = damping*{GI_t, EI_y, EI_z}/h) "Their elasticity";
  Body segment[n](final m = m/n*share, final r_CM = {{share[k]*h/2, 0, 0} for k in 1:n},
    final I_11 = I_x/n*share, final I_22 = m/n*h^2/12*share.^3, final I_33 = m/n*h^2/12*share.^3,
    each final I_21 = 0, each final I_31 = 0, each final I_32 = 0)
    "The segments, the last of which is a half";
  FixedTranslation length[n](final r = {{share[k]*h, 0, 0} for k in 1:n}) "Their lines";
  Units.Energy V = sum(spring.V) "Elastic energy";
  Units.Energy E = foot.E + sum(segment.E) + V "Total energy";
  Units.Power loss = sum(spring.loss) "Power lost";
protected
  final parameter Units.Length h = l/n "Length of a segment";
  final parameter Real share[n] = {if k < n then 1 else 0.5 for k in 1:n} "Of a whole segment";
equation
  connect(frame_a, foot.frame_a);
  connect(frame_a, first.frame_a);
  connect(first.frame_b, joint[1].frame_a);
  connect(length[1:n - 1].frame_b, joint[2:n].frame_a);
  connect(joint.frame_a, spring.frame_a);
  connect(joint.frame_b, spring.frame_b);
  connect(joint.frame_b, segment.frame_a);
  connect(joint.frame_b, length.frame_a);
  connect(length[n].frame_b, frame_b);
  annotation(
    Icon(graphics = {
      Line(points = {{-100, -20}, {-60, -14}, {-20, 0}, {20, 20}, {60, 45}, {100, 75}},
        thickness = 1),
      Line(points = {{-100, 20}, {-60, 26}, {-20, 40}, {20, 60}, {60, 85}}),
      Text(extent = {{-100, -40}, {100, -80}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Any rotations, small strains; neither shear nor stretching. A joint stands in the middle of each
n-th of the beam, so deflections are right up to a part that falls with the square of n: of a
cantilever with a load at its tip 1/(4 n^2) is missing.</p>
<p>The frequencies of the last segments are high: take an implicit method, or few segments.</p>
</html>"));
end FlexibleBeam;
