package Slender "Rods without inertia about their own lines (I = 0), on hinges that turn them about these"
  model Arm "Six hinges about changing axes; the last turns the last rod about its line"
    extends Chain(n = 6, axis = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}});
  end Arm;

  model Stretched "It starts in a line, where nothing resists the fourth hinge either"
    extends Chain(n = 6, axis = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, start = 0);
  end Stretched;

  model Turns "Each third rod on a hinge along its line"
    extends Chain(axis = {if mod(k, 3) == 0 then {0, 0, 1} elseif mod(k, 3) == 1 then {0, 1, 0}
      else {1, 0, 0} for k in 1:n});
  end Turns;

  model Chain
    parameter Integer n = 6;
    parameter Real axis[n, 3] annotation(Evaluate = true);
    parameter Real start = 0.3, I = 0;
    inner Linkage.World world;
    Linkage.Joints.Revolute joint[n](n = axis, each phi(start = start, fixed = true), each w(start = 0.1, fixed = true));
    Linkage.Parts.FixedTranslation arm[n](each final r = {1, 0, 0});
    Linkage.Parts.Body body[n](each m = 1, each final r_CM = {0.5, 0, 0}, each I_11 = I, each I_22 = 1/12, each I_33 = 1/12);
    output Real E = sum(body.E);
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

  model Tree "A trunk in the plane, and from each of its links a branch of two rods"
    extends Chain(n = 3, axis = {{0, 0, 1} for k in 1:n}, E = sum(body.E) + sum(rod.E) + sum(twig.E));
    Linkage.Joints.Revolute a[n](each n = {0, 1, 0}, each phi(start = 0.3, fixed = true), each w(fixed = true));
    Linkage.Joints.Revolute b[n](each n = {1, 0, 0}, each phi(start = 0.2, fixed = true), each w(fixed = true));
    Linkage.Parts.FixedTranslation branch[n](each final r = {1, 0, 0});
    Linkage.Parts.Body rod[n](each m = 1, each final r_CM = {0.5, 0, 0}, each I_11 = I, each I_22 = 1/12, each I_33 = 1/12);
    Linkage.Parts.Body twig[n](each m = 1, each final r_CM = {0.5, 0, 0}, each I_11 = I, each I_22 = 1/12, each I_33 = 1/12);
  equation
    for k in 1:n loop
      connect(arm[k].frame_b, a[k].frame_a);
      connect(a[k].frame_b, rod[k].frame_a);
      connect(a[k].frame_b, branch[k].frame_a);
      connect(branch[k].frame_b, b[k].frame_a);
      connect(b[k].frame_b, twig[k].frame_a);
    end for;
  end Tree;

  model Planar "The last link is nothing but its length"
    extends Chain(n = 8, axis = {{0, 0, 1} for k in 1:n}, body(final m = {if k < n then 1 else I for k in 1:n},
      final I_33 = {if k < n then 1/12 else I for k in 1:n}));
  end Planar;

  model Loop "A four-bar whose coupler hangs on ball joints"
    parameter Real I = 0;
    inner Linkage.World world;
    Linkage.Joints.Revolute crank(phi(start = 1.2), w(start = 1)), rocker(phi(start = 1.5));
    Linkage.Parts.FixedTranslation base(r = {2, 0, 0}), c(r = {0.4, 0, 0}), k(r = {2, 0, 0}), r(r = {1, 0, 0});
    Linkage.Parts.Body crankMass(r_CM = {0.2, 0, 0}, I_11 = I, I_22 = 0.1, I_33 = 0.1),
      rockerMass(r_CM = {0.5, 0, 0}, I_11 = I, I_22 = 0.1, I_33 = 0.1),
      coupler(r_CM = {1, 0, 0}, I_11 = I, I_22 = 0.3, I_33 = 0.3);
    Linkage.Joints.Spherical s1, s2;
    output Real E = crankMass.E + rockerMass.E + coupler.E;
  equation
    connect(world.frame_b, crank.frame_a);
    connect(world.frame_b, base.frame_a);
    connect(base.frame_b, rocker.frame_a);
    connect(crank.frame_b, crankMass.frame_a);
    connect(crank.frame_b, c.frame_a);
    connect(c.frame_b, s1.frame_a);
    connect(s1.frame_b, k.frame_a);
    connect(s1.frame_b, coupler.frame_a);
    connect(k.frame_b, s2.frame_a);
    connect(s2.frame_b, r.frame_b);
    connect(rocker.frame_b, r.frame_a);
    connect(rocker.frame_b, rockerMass.frame_a);
  end Loop;

  model Driven "A torque about the line of a rod"
    parameter Real tau = 1e-3, I = 0;
    inner Linkage.World world;
    Linkage.Joints.Revolute lift(n = {0, 1, 0}, phi(start = 0.3));
    Linkage.Joints.Revolute roll(n = {1, 0, 0}, useFlange = true);
    Linkage.Parts.Body rod(m = 1, r_CM = {0.5, 0, 0}, I_11 = I, I_22 = 1/12, I_33 = 1/12);
    Linkage.Drives.Torque drive(tau = tau);
  equation
    connect(world.frame_b, lift.frame_a);
    connect(lift.frame_b, roll.frame_a);
    connect(roll.frame_b, rod.frame_a);
    connect(drive.flange, roll.flange);
  end Driven;
end Slender;
