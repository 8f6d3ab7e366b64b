// Chains of n pendulums built from parts of the Modelica Standard Library, for counts of operations.
// Zeros in vectors and tensors are final, so that the compiler may use them.
package PendulumChain
  model Planar "All axes parallel"
    parameter Integer n(min = 1) = 4;
    inner Modelica.Mechanics.MultiBody.World world(enableAnimation = false);
    Modelica.Mechanics.MultiBody.Joints.Revolute joint[n](
      each n = {0, 0, 1}, each phi(fixed = true, start = 0.3), each w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod[n](each final r = {0.9, 0, 0});
    Modelica.Mechanics.MultiBody.Parts.Body body[n](
      each m = 1.2, each final r_CM = {0.45, 0, 0}, each I_33 = 0.1);
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
    constant Real l = 0.9 "length of a rod";
    constant Real mass = 1.2 "of a rod";
    inner Modelica.Mechanics.MultiBody.World world(enableAnimation = false);
    Modelica.Mechanics.MultiBody.Joints.Revolute joint[n](
      n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n},
      each phi(fixed = true, start = 0.3), each w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod[n](each final r = {l, 0, 0});
    Modelica.Mechanics.MultiBody.Parts.Body body[n](
      each final m = mass, each final r_CM = {l/2, 0, 0}, each final I_11 = 0, each final I_21 = 0,
      each final I_31 = 0, each final I_32 = 0, each I_22 = 0.1, each I_33 = 0.1);
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

  model Ones = Spatial(l = 1, mass = 1) "Coefficients that are 1 by accident";

  model General "Axes z and y in turn, any inertia tensor and centre of mass"
    parameter Integer n(min = 1) = 4;
    inner Modelica.Mechanics.MultiBody.World world(enableAnimation = false);
    Modelica.Mechanics.MultiBody.Joints.Revolute joint[n](
      n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n},
      each phi(fixed = true, start = 0.3), each w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod[n](each r = {0.9, 0.1, -0.2});
    Modelica.Mechanics.MultiBody.Parts.Body body[n](
      each m = 1.2, each r_CM = {0.45, 0.05, -0.1}, each I_11 = 0.05, each I_22 = 0.1,
      each I_33 = 0.12, each I_21 = 0.01, each I_31 = -0.01, each I_32 = 0.02);
  equation
    connect(world.frame_b, joint[1].frame_a);
    for k in 1:n loop
      connect(joint[k].frame_b, rod[k].frame_a);
      connect(joint[k].frame_b, body[k].frame_a);
    end for;
    for k in 2:n loop
      connect(rod[k - 1].frame_b, joint[k].frame_a);
    end for;
  end General;
end PendulumChain;
