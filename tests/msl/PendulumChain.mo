package PendulumChain "Chains of n pendulums built from parts of the Modelica Standard Library"
  model Planar "All axes parallel"
    parameter Integer n(min = 1) = 4;
    inner Modelica.Mechanics.MultiBody.World world(enableAnimation = false);
    Modelica.Mechanics.MultiBody.Joints.Revolute joint[n](each n = {0, 0, 1}, each phi(fixed = true, start = 0.3), each w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod[n](each final r = {1, 0, 0});
    Modelica.Mechanics.MultiBody.Parts.Body body[n](each final m = 1, each final r_CM = {0.5, 0, 0}, each final I_33 = 0.1);
  equation
    connect(world.frame_b, joint[1].frame_a);
    for k in 1:n loop
      connect(joint[k].frame_b, rod[k].frame_a);
      connect(joint[k].frame_b, body[k].frame_a);
    end for;
    for k in 2:n loop
      connect(rod[k - 1].frame_b, joint[k].frame_a);
    end for;
  end Planar;

  model Spatial "Axes z and y in turn, slender rods"
    parameter Integer n(min = 1) = 4;
    inner Modelica.Mechanics.MultiBody.World world(enableAnimation = false);
    Modelica.Mechanics.MultiBody.Joints.Revolute joint[n](n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n}, each phi(fixed = true, start = 0.3), each w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod[n](each final r = {1, 0, 0});
    Modelica.Mechanics.MultiBody.Parts.Body body[n](each final m = 1, each final r_CM = {0.5, 0, 0}, each final I_11 = 0, each final I_21 = 0, each final I_31 = 0, each final I_32 = 0, each final I_22 = 0.1, each final I_33 = 0.1);
  equation
    connect(world.frame_b, joint[1].frame_a);
    for k in 1:n loop
      connect(joint[k].frame_b, rod[k].frame_a);
      connect(joint[k].frame_b, body[k].frame_a);
    end for;
    for k in 2:n loop
      connect(rod[k - 1].frame_b, joint[k].frame_a);
    end for;
  end Spatial;
end PendulumChain;
