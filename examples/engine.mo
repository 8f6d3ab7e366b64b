model Engine "A slider crank driven by gas that burns once in each turn"
  constant Real pi = 3.14159265358979323846;
  constant Real r = 0.04, l = 0.13, bore = 0.08,
    dead = 0.008 "height of the gas with the piston on top";
  parameter Linkage.Units.RotationalDamping brake = 0.25 "what the engine drives";
  inner Linkage.World world;
  Linkage.Joints.Revolute crank(useFlange = true, phi(start = pi/2 + 0.05, fixed = true),
    w(start = 100, fixed = true));
  Linkage.Parts.Body flywheel(m = 5, I_33 = 0.05);
  Linkage.Parts.Rod web(r = {r, 0, 0}, m = 0.5), rod(r = {l, 0, 0}, m = 0.4);
  Linkage.Joints.Revolute big, small(phi(start = -1.6));
  Linkage.Joints.Prismatic cylinder(n = {0, 1, 0}, useFlange = true, s(start = r + l));
  Linkage.Parts.Body piston(m = 0.3);
  Real height(unit = "m") = r + l + dead - cylinder.s "of the gas";
  Real burnt(unit = "1") = if mod(crank.phi - pi/2, 2*pi) < pi then 3 else 1
    "pressure with fuel, by that without";
  Real p(unit = "Pa") = 1e5*burnt*((2*r + dead)/height)^1.3;
  Linkage.Drives.Force gas(f = -(p - 1e5)*pi/4*bore^2);
  Linkage.Drives.Torque load(tau = -brake*crank.w);
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, flywheel.frame_a);
  connect(crank.frame_b, web.frame_a);
  connect(web.frame_b, big.frame_a);
  connect(big.frame_b, rod.frame_a);
  connect(rod.frame_b, small.frame_a);
  connect(world.frame_b, cylinder.frame_a);
  connect(cylinder.frame_b, piston.frame_a);
  connect(cylinder.frame_b, small.frame_b);
  connect(load.flange, crank.flange);
  connect(gas.flange, cylinder.flange);
  annotation(experiment(StopTime = 0.3, Interval = 5e-4));
end Engine;
