within Linkage.Vehicles.Iltis;
model Car "The vehicle; how the rack moves is an input"
  input Units.Length rack = 0 "Way of the steering rack to the left";
  parameter Units.Velocity v_0 = 20 "Speed at the start, which the wheels turn with";
  // at rest, with the tyres' forces in the centres of the wheels
  constant Units.Length h_0 = 0.5629166421259 "Height of the chassis at the start";
  constant Units.Angle pitch_0 = 0.00255749844104 "Its pitch there";
  inner World world(n = {0, 0, -1});
  Joints.Free free(r_rel(start = {0, 0, h_0}, each fixed = true),
    Q(start = {cos(pitch_0/2), 0, sin(pitch_0/2), 0}, each fixed = true),
    v_rel(start = {v_0, 0, 0}, each fixed = true), w_rel(each fixed = true)) "Of the chassis";
  Parts.Body chassis(m = 1260, I_11 = 130, I_22 = 1620, I_33 = 1670);
  Parts.FixedTranslation to_rack(r = {0.83, 0, 0.03}),
    to_rear(r = {-0.907, 0, 0.03}) "Inner ends of the tie rods";
  Joints.Prismatic steering(n = {0, 1, 0}, useFlange = true) "The steering rack";
  Drives.TranslationalMotion driver(s = rack);
  Parts.FixedTranslation rod[4](r = {{0, 0.07*side[k], 0} for k in 1:4});
  Corner corner[4](x = {0.97, 0.97, -1.047, -1.047}, side = side, fore = {1, 1, -1, -1},
    radius = {0.364325, 0.364325, 0.363812, 0.363812}, each v_0 = v_0,
    hinge(
      phi(start = {-side[k]*(if k < 3 then 0.1987973144521 else 0.2151176228197) for k in 1:4})))
    "Front left and right, rear left and right";
  output Units.Angle pitch = atan2(free.frame_b.m.T[3, 1], free.frame_b.m.T[3, 3])
    "First turn, about y: nose down";
  output Units.Angle roll = -asin(free.frame_b.m.T[3, 2])
    "Second turn, about the x then met: to the right";
  output Units.Angle yaw = atan2(free.frame_b.m.T[1, 2], free.frame_b.m.T[2, 2])
    "Third turn, about the z then met: to the left";
  constant Integer side[4] = {1, -1, 1, -1};
equation
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, chassis.frame_a);
  connect(free.frame_b, to_rack.frame_a);
  connect(to_rack.frame_b, steering.frame_a);
  connect(driver.flange, steering.flange);
  connect(free.frame_b, to_rear.frame_a);
  for k in 1:2 loop
    connect(steering.frame_b, rod[k].frame_a);
    connect(to_rear.frame_b, rod[k + 2].frame_a);
  end for;
  for k in 1:4 loop
    connect(rod[k].frame_b, corner[k].rod);
    connect(free.frame_b, corner[k].chassis);
  end for;
  annotation(Icon(graphics = {
    Polygon(
      points = {{-95, -10}, {-90, 15}, {-50, 25}, {-25, 60}, {40, 60}, {60, 22}, {92, 15},
        {95, -10}, {95, -30}, {-95, -30}},
      lineColor = {38, 58, 92}, fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-79, -59}, {-31, -11}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
      fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-67, -47}, {-43, -23}}, lineColor = {38, 58, 92},
      fillColor = {225, 230, 238}, fillPattern = FillPattern.Solid),
    Ellipse(extent = {{31, -59}, {79, -11}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
      fillPattern = FillPattern.Solid),
    Ellipse(extent = {{43, -47}, {67, -23}}, lineColor = {38, 58, 92}, fillColor = {225, 230, 238},
      fillPattern = FillPattern.Solid),
    Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}));
end Car;
