model Robot "Two links with motors and gears, brought to a place by position controllers"
  parameter Real from[2](each unit = "rad") = {-1.5, 0} "angles at the start";
  parameter Real to[2](each unit = "rad") = {0.9, -1.2} "angles wanted after a second";
  parameter Real P(unit = "V/rad") = 200, I(unit = "V/(rad.s)") = 400,
    D(unit = "V.s/rad") = 10 "gains";
  Real wanted[2](each unit = "rad") = from
    + (to - from)*(if time < 1 then time^2*(3 - 2*time) else 1);
  Real missed[2](each unit = "rad.s", each start = 0, each fixed = true)
    "integral of what is missing";
  inner Linkage.World world;
  Linkage.Joints.Revolute joint[2](each useFlange = true, phi(start = from, each fixed = true),
    w(each fixed = true));
  Linkage.Parts.Rod link[2](r = {{0.5, 0, 0}, {0.4, 0, 0}}, m = {3, 2});
  Linkage.Parts.Body hand(m = 1);
  Linkage.Sensors.RotationalMotion angle[2];
  Linkage.Drives.DCMotor motor[2](u = P*(wanted - angle.phi) + I*missed - D*angle.w);
  Linkage.Drives.Inertia rotor[2](each J = 1e-4);
  Linkage.Drives.Gear gear[2](each ratio = 80);
equation
  der(missed) = wanted - angle.phi;
  connect(world.frame_b, joint[1].frame_a);
  connect(joint.frame_b, link.frame_a);
  connect(link[1].frame_b, joint[2].frame_a);
  connect(link[2].frame_b, hand.frame_a);
  connect(motor.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, joint.flange);
  connect(angle.flange, joint.flange);
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Robot;
