within Linkage.Vehicles.HMMWV;
model Car "The vehicle; the way of the front tie rods' inner ends is an input"
  input Units.Length rack = 0 "Way of the inner ends of the front tie rods to the left";
  parameter Units.Velocity v_0 = 20 "Speed at the start, which the wheels turn with";
  replaceable model WheelTyre = LinearTyre constrainedby Tyre "The tyres";
  constant Units.Length radius = 0.47 "Of the tyres without load";
  constant Integer side[4] = {1, -1, 1, -1};
  constant Units.Length x[4] = {1.688965, 1.688965, -1.688965, -1.688965} "Of the suspensions";
  // at rest on a level road
  constant Units.Length h_0 = 0.582990338478409 "Height of the chassis at the start";
  constant Units.Angle pitch_0 = 0.00373565537512525 "Its pitch there: nose down";
  constant Units.Angle lower_0[2] = {0.212636235182908, 0.230827374117427}
    "Lower wishbones there, front and rear: the wheel down";
  inner World world(n = {0, 0, -1});
  Joints.Free free(r_rel(start = {0, 0, h_0}, each fixed = true),
    Q(start = {cos(pitch_0/2), 0, sin(pitch_0/2), 0}, each fixed = true),
    v_rel(start = {v_0, 0, 0}, each fixed = true), w_rel(each fixed = true)) "Of the chassis";
  Parts.Body chassis(m = 2086.52, r_CM = {0.056, 0, 0.213}, I_11 = 1078.52, I_22 = 2955.66,
    I_33 = 3570.2);
  Parts.FixedTranslation axle[4](r = {{x[k], 0, 0} for k in 1:4}) "Where a suspension is";
  Joints.Prismatic steering(n = {0, 1, 0}, useFlange = true) "Inner ends of the front tie rods";
  Drives.TranslationalMotion driver(s = rack);
  Parts.FixedTranslation rod[4](r = {
    {if k < 3 then x[k] - 0.25 else 0.223, side[k]*(if k < 3 then 0.448 else 0.416),
      if k < 3 then 0.054 else 0.059}
    for k in 1:4}) "Inner ends of the tie rods";
  DoubleWishbone corner[4](
    lower = {[
      0.223, side[k]*0.307, 0;
      -0.223, side[k]*0.307, 0;
      if k < 3 then -0.036 else 0.036, side[k]*0.787, -0.118] for k in 1:4},
    upper = {if k < 3 then [
            -0.048, side[k]*0.446, 0.245;
            -0.268, side[k]*0.478, 0.196;
            -0.053, side[k]*0.716, 0.215]
      else [0.349, side[k]*0.462, 0.228; 0.077, side[k]*0.462, 0.224; 0.036, side[k]*0.716, 0.216]
      for k in 1:4},
    tie = {if k < 3 then [-0.25, side[k]*0.448, 0.054; -0.176, side[k]*0.821, -0.016]
      else [0.223, side[k]*0.416, 0.059; 0.17, side[k]*0.821, -0.009] for k in 1:4},
    center = {{if k < 3 then -0.04 else 0.036, side[k]*0.91, -0.026} for k in 1:4},
    spring_at = {if k < 3 then [0.104, side[k]*0.51, 0.197; 0.097, side[k]*0.543, -0.047]
      else [-0.104, side[k]*0.502, 0.256; -0.097, side[k]*0.543, -0.047] for k in 1:4},
    shock_at = {if k < 3 then [0.104, side[k]*0.498, 0.323; 0.097, side[k]*0.543, -0.047]
      else [-0.104, side[k]*0.498, 0.323; -0.097, side[k]*0.544, -0.038] for k in 1:4},
    r_CM = {[
      0, side[k]*0.547, -0.059;
      if k < 3 then -0.106 else 0.124, side[k]*0.589, if k < 3 then 0.218 else 0.221;
      if k < 3 then -0.04 else 0.036, side[k]*0.751, -0.026] for k in 1:4},
    c = {167062, 167062, 369149, 369149}, c_3 = {3.60854e7, 3.60854e7, 7.97362e7, 7.97362e7},
    s_0 = {0.339, 0.339, 0.382, 0.382}, d = {19015.5692, 19015.5692, 36725.2201, 36725.2201},
    lower_hinge(
      phi(start = {-side[k]*lower_0[if k < 3 then 1 else 2] for k in 1:4}, each fixed = true),
      w(each fixed = true))) "Front left and right, rear left and right";
  Parts.SpinningBody wheel[4](each m = 71.105, each I_axis = 7.38782, each I_across = 4.34457,
    each w = v_0/radius) "Spindle, wheel and tyre";
  WheelTyre tyre[4](each radius = radius, each c = 326332);
  output Units.Angle pitch = atan2(free.frame_b.m.T[3, 1], free.frame_b.m.T[3, 3])
    "First turn, about y: nose down";
  output Units.Angle roll = -asin(free.frame_b.m.T[3, 2])
    "Second turn, about the x then met: to the right";
  output Units.Angle yaw = atan2(free.frame_b.m.T[1, 2], free.frame_b.m.T[2, 2])
    "Third turn, about the z then met: to the left";
equation
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, chassis.frame_a);
  connect(free.frame_b, steering.frame_a);
  connect(driver.flange, steering.flange);
  for k in 1:2 loop
    connect(steering.frame_b, rod[k].frame_a);
    connect(axle[k + 2].frame_b, rod[k + 2].frame_a);
  end for;
  for k in 1:4 loop
    connect(free.frame_b, axle[k].frame_a);
    connect(axle[k].frame_b, corner[k].frame_a);
    connect(rod[k].frame_b, corner[k].rack);
    connect(corner[k].frame_b, wheel[k].frame_a);
    connect(corner[k].frame_b, tyre[k].frame_a);
  end for;
  annotation(Icon(graphics = {
    Polygon(
      points = {{-95, -10}, {-92, 20}, {-40, 25}, {-20, 60}, {60, 60}, {70, 22}, {92, 15},
        {95, -10}, {95, -30}, {-95, -30}},
      lineColor = {38, 58, 92}, fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-84, -64}, {-30, -10}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
      fillPattern = FillPattern.Solid),
    Ellipse(extent = {{30, -64}, {84, -10}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
      fillPattern = FillPattern.Solid),
    Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}));
end Car;
