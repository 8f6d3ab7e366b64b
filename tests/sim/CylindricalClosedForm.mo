// simulate: --stop 3 --tolerance 1e-9
// zero: error_s 1e-7
// zero: error_phi 1e-7
// zero: error_z 1e-8
// moves: joint.s 5
// moves: joint.phi 5
model CylindricalClosedForm "Body on a sloping rod: falls along it, turns freely about it"
  inner Linkage.World world(g = 10);
  // centre of mass on the axis: the fall and the rotation do not touch each other
  Linkage.Joints.Cylindrical joint(n = {3, -4, 0}, s(start = 0, fixed = true),
    v(start = -1, fixed = true), phi(start = 0.2, fixed = true), w(start = 3, fixed = true));
  Linkage.Parts.Body body(m = 2, r_CM = {0.3, -0.4, 0}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.25,
    I_21 = 0.02, I_31 = 0.01, I_32 = -0.03);
  Real error_s = joint.s - (-time + 0.5*8*time^2);
  Real error_phi = joint.phi - (0.2 + 3*time);
  // off the axis: both, seen as a pendulum about the rod
  Linkage.Joints.Cylindrical hinge(n = {0, 0, 1}, s(start = 0, fixed = true),
    v(start = 0, fixed = true), phi(start = 0.2, fixed = true), w(start = 1, fixed = true));
  Linkage.Parts.Body arm(m = 2, r_CM = {0.3, 0, 0.1}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.25);
  Real error_z = hinge.z + 2*10*0.3*cos(hinge.phi)/(0.25 + 2*0.3^2);
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
end CylindricalClosedForm;
