within Linkage.Vehicles.Iltis;
model Corner "One wheel with its suspension"
  Interfaces.Frame_a chassis "Frame of the chassis";
  Interfaces.Frame_a rod "Inner end of the tie rod";
  parameter Integer side = 1 "1: left, -1: right" annotation(Evaluate = true);
  parameter Units.Length x = 0 "How far before the chassis frame";
  parameter Integer fore = 1 "Tie rod: 1 behind the axle, -1 before it" annotation(Evaluate = true);
  replaceable model WheelTyre = CalspanTyre constrainedby Tyre "The tyre";
  replaceable model Damper = ShockAbsorber(spring = {-4.0092e6, 2.8397e7, -6.7061e7, 5.2796e7},
    damper = {0, 9945.627, 33955.72, -59832.25, -395651}, v_in = -0.2, fast_in = {-416.42, 1844.3},
    v_out = 0.21, fast_out = {1919.1638, 1634.727}) "The shock absorber";
  parameter Units.Length radius = 0.364325 "Of the tyre without load";
  parameter Units.Velocity v_0 = 20 "Speed of the vehicle, which the wheel turns with";
  // heights are above the road, ways to the side from the middle, in the position of construction
  constant Units.Length h_0 = 0.57 "Height of the chassis frame";
  constant Units.Length hinge_at[2] = {0.259, 0.302} "Hinge of the arm";
  constant Units.Length joint_at[2] = {0.572, 0.229} "Joint of arm and carrier";
  constant Units.Length top_at[2] = {0.488, 0.531} "Joint of leaf and carrier";
  constant Units.Length root_at[2] = {0.1585, 0.6} "Where the leaf turns";
  constant Units.Length h_w = 0.356 "Height of the wheel";
  final parameter Units.Length arm_l = sqrt((joint_at - hinge_at)*(joint_at - hinge_at));
  final parameter Units.Length carrier_l = sqrt((top_at - joint_at)*(top_at - joint_at));
  final parameter Units.Length leaf_l = sqrt((top_at - root_at)*(top_at - root_at));
  final parameter Units.Angle lean = atan((joint_at[1] - top_at[1])/(top_at[2] - joint_at[2]))
    "Of the carrier";
  Parts.FixedTranslation to_hinge(r = {x, side*hinge_at[1], hinge_at[2] - h_0});
  Joints.Revolute hinge(n = {1, 0, 0},
    phi(start = side*atan((joint_at[2] - hinge_at[2])/(joint_at[1] - hinge_at[1])), fixed = true),
    w(fixed = true)) "Of the arm";
  Parts.FixedTranslation to_arm(r = {0, side*(arm_l - 0.16073), 0});
  Parts.Body arm(m = 6, I_11 = 0.052099, I_22 = 0.023235, I_33 = 0.068864) "The arm";
  Parts.FixedTranslation along_arm(r = {0, side*arm_l, 0});
  Parts.FixedTranslation to_root(r = {x, side*root_at[1], root_at[2] - h_0});
  Joints.RevoluteByRod knuckle(n = {1, 0, 0}, r = {0, 0, carrier_l}, l = leaf_l, side = -side)
    "Between arm and carrier; the leaf holds the carrier's top";
  Joints.RevoluteByRod steering(n = {0, 0, 1},
    r = {-fore*0.14, side*(-0.038537057),
      0.19236225 + carrier_l*(h_w - joint_at[2])/(top_at[2] - joint_at[2])},
    l = 0.38424601, side = -fore*side) "The wheel's turn about the carrier";
  Parts.FixedRotation upright(n = {1, 0, 0}, angle = -side*lean);
  Parts.FixedTranslation to_wheel(r = {0, side*0.043, h_w - joint_at[2]});
  Parts.SpinningBody wheel(m = 57.35, I_axis = 1.908, I_across = 1.2402, w = v_0/radius);
  WheelTyre tyre(radius = radius, c = 460000);
  Parts.FixedTranslation to_top(r = {0, 0, carrier_l});
  Parts.FixedTranslation to_leaf(r = {x, 0, 0.137});
  LeafSpring leaf(s_0 = 0.1,
    table = [0, 35906*(0.006 - 0.152) - 1e7*0.006; 0.006, 35906*(0.006 - 0.152); 0.152, 0]);
  Parts.FixedTranslation to_bumper(r = {x + fore*0.075, side*0.297, 0.062});
  Parts.FixedTranslation to_damper(r = {fore*0.075, side*(arm_l - 0.0728438), -0.0046671});
  Damper damper;
equation
  connect(chassis, to_hinge.frame_a);
  connect(to_hinge.frame_b, hinge.frame_a);
  connect(hinge.frame_b, to_arm.frame_a);
  connect(to_arm.frame_b, arm.frame_a);
  connect(hinge.frame_b, along_arm.frame_a);
  connect(along_arm.frame_b, knuckle.frame_a);
  connect(chassis, to_root.frame_a);
  connect(to_root.frame_b, knuckle.frame_c);
  connect(knuckle.frame_b, steering.frame_a);
  connect(rod, steering.frame_c);
  connect(steering.frame_b, upright.frame_a);
  connect(upright.frame_b, to_wheel.frame_a);
  connect(to_wheel.frame_b, wheel.frame_a);
  connect(to_wheel.frame_b, tyre.frame_a);
  connect(knuckle.frame_b, to_top.frame_a);
  connect(chassis, to_leaf.frame_a);
  connect(to_leaf.frame_b, leaf.frame_a);
  connect(to_top.frame_b, leaf.frame_b);
  connect(chassis, to_bumper.frame_a);
  connect(to_bumper.frame_b, damper.frame_a);
  connect(hinge.frame_b, to_damper.frame_a);
  connect(to_damper.frame_b, damper.frame_b);
  annotation(Icon(graphics = {
    Ellipse(extent = {{-60, -80}, {60, 40}}, lineColor = {38, 58, 92}, fillColor = {90, 100, 115},
      fillPattern = FillPattern.Solid),
    Ellipse(extent = {{-30, -50}, {30, 10}}, lineColor = {38, 58, 92}, fillColor = {225, 230, 238},
      fillPattern = FillPattern.Solid),
    Line(points = {{-90, -20}, {0, -20}}, color = {38, 58, 92}, thickness = 1.5),
    Line(points = {{-60, 70}, {-48, 88}, {-24, 52}, {0, 88}, {24, 52}, {48, 88}, {60, 70}},
      color = {38, 58, 92}),
    Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}));
end Corner;
