within Linkage.Examples;
partial model Chain "Bodies one behind the other, each on a hinge at the tip of the one before"
  extends Icons.Example;
  parameter Integer n(min = 1) = 4 "Number of bodies" annotation(Evaluate = true);
  inner World world;
  Joints.Revolute joint[n];
  Parts.FixedTranslation arm[n];
  Parts.Body body[n];
  output Units.Energy E = sum(body.E) "Total energy";
equation
  connect(world.frame_b, joint[1].frame_a);
  for k in 2:n loop
    connect(arm[k - 1].frame_b, joint[k].frame_a);
  end for;
  for k in 1:n loop
    connect(joint[k].frame_b, body[k].frame_a);
    connect(joint[k].frame_b, arm[k].frame_a);
  end for;
end Chain;
