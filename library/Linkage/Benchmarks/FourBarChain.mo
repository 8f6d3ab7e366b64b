within Linkage.Benchmarks;
model FourBarChain "m four-bars, each on the coupler of the one before, m degrees of freedom"
  extends Icons.Example;
  parameter Integer m(min = 1) = 15 "Number of four-bars" annotation(Evaluate = true);
  parameter Integer configuration(min = 1, max = 3) = 1
    "1: all in one plane, 2: planes turned by 90 degrees in turn, 3: by 30 degrees"
    annotation(Evaluate = true);
  final parameter Units.Angle turn =
    if configuration == 1 then 0 elseif configuration == 2 then pi/2 else pi/6
    "From one plane to the next, about the coupler's middle line";
  parameter Units.Length a = 0.4 "Length of base and coupler";
  parameter Units.Length b = 0.5 "Length of the rockers";
  inner World world;
  Joints.Revolute foot[m](each n = {0, 0, 1},
    phi(start = {if k == 1 then 0.4 else 0.1 for k in 1:m}, each fixed = true),
    each w(fixed = true));
  Parts.Rod rocker1[m](each r = {0, -b, 0}, each m = 1);
  Joints.Revolute knee[m](each n = {0, 0, 1},
    phi(start = {if k == 1 then -0.4 else -0.1 for k in 1:m}));
  Parts.Rod coupler[m](each r = {a, 0, 0}, each m = 1);
  Joints.Revolute hip[m](each n = {0, 0, 1},
    phi(start = {if k == 1 then 0.4 else 0.1 for k in 1:m}));
  Parts.Rod rocker2[m](each r = {0, -b, 0}, each m = 1);
  Joints.Revolute closing[m](each n = {0, 0, 1},
    phi(start = {if k == 1 then -0.4 else -0.1 for k in 1:m}));
  // from the base's first end to its second, and the plane of the next four-bar
  Parts.FixedTranslation base[m](each r = {a, 0, 0});
  Parts.FixedRotation plane[m](each n = {0, 1, 0}, each angle = turn);
  output Units.Energy E = sum(rocker1.E) + sum(rocker2.E) + sum(coupler.E) "Total energy";
protected
  constant Real pi = 3.14159265358979323846;
equation
  connect(world.frame_b, plane[1].frame_a);
  for k in 1:m loop
    connect(plane[k].frame_b, foot[k].frame_a);
    connect(plane[k].frame_b, base[k].frame_a);
    connect(foot[k].frame_b, rocker1[k].frame_a);
    connect(rocker1[k].frame_b, knee[k].frame_a);
    connect(knee[k].frame_b, coupler[k].frame_a);
    connect(base[k].frame_b, hip[k].frame_a);
    connect(hip[k].frame_b, rocker2[k].frame_a);
    connect(coupler[k].frame_b, closing[k].frame_a);
    connect(rocker2[k].frame_b, closing[k].frame_b);
  end for;
  for k in 2:m loop
    connect(coupler[k - 1].frame_a, plane[k].frame_a);
  end for;
  annotation(
    experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Parallelograms, so that three of the six constraints of each loop are redundant. After the
second example of Callejo and others 2014, whose dimensions are not printed.</p>
</html>"));
end FourBarChain;
