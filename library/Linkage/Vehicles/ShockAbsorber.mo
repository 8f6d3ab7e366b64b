within Linkage.Vehicles;
model ShockAbsorber
  "Spring and damper along the line between two frames' origins; forces from polynomials"
  extends Interfaces.TwoFrames;
  parameter Real spring[:] = {0, 1e4}
    "Force of the spring, positive for tension: factors of 1, s, s^2, ... (N, N/m, ...)";
  parameter Real damper[:] = {0, 1e3}
    "Force of the damper between v_in and v_out: factors of 1, v, v^2, ...";
  parameter Units.Velocity v_in = -1e3 "Fast compression begins";
  parameter Real fast_in[2] = {0, 1e3} "Force there: factors of 1, v";
  parameter Units.Velocity v_out = 1e3 "Fast extension begins";
  parameter Real fast_out[2] = {0, 1e3} "Force there: factors of 1, v";
  Units.Length s(min = 0) "Distance of the origins";
  Units.Velocity v "Speed at which the distance grows";
  Units.Force f_s "Force of the spring, positive for tension";
  Units.Force f_d "Force of the damper";
  Units.Energy V "Energy in the spring, zero at s = 0";
  Units.Power loss "Power lost";
protected
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in the world frame";
  Units.Cosine e[3] "Direction from frame_a to frame_b, resolved in the world frame";
equation
  r_rel = frame_b.m.r - frame_a.m.r;
  s = sqrt(r_rel*r_rel);
  e = r_rel/s;
  v = (frame_b.m.T*e)*frame_b.m.v - (frame_a.m.T*e)*frame_a.m.v;
  f_s = sum(spring[k]*s^(k - 1) for k in 1:size(spring, 1));
  V = sum(spring[k]*s^k/k for k in 1:size(spring, 1));
  f_d = if v < v_in then fast_in*{1, v}
    elseif v > v_out then fast_out*{1, v}
    else sum(damper[k]*v^(k - 1) for k in 1:size(damper, 1));
  loss = f_d*v;

  frame_a.f = -frame_a.m.T*(e*(f_s + f_d));
  frame_b.f = frame_b.m.T*(e*(f_s + f_d));
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(coil(a = frame_a, b = frame_b, c = 1, d = 1))),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-50, 0}}),
      Rectangle(extent = {{-50, -30}, {30, 30}}),
      Line(points = {{0, -25}, {0, 25}}, thickness = 1),
      Line(points = {{0, 0}, {100, 0}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Values of the three laws of the damper should meet where they change. The two origins must not
meet.</p>
</html>"));
end ShockAbsorber;
