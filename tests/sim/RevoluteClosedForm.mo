// simulate: --stop 5 --tolerance 1e-9
// methods: dopri5 esdirk
// zero: error 1e-9
// zero: error_f 1e-8
// constant: body.E 1e-7
// moves: joint.phi 1
model RevoluteClosedForm "Physical pendulum: acceleration and bearing force"
  inner Linkage.World world;
  Linkage.Joints.Revolute joint(phi(start = 0.4, fixed = true), w(start = 0.5, fixed = true));
  Linkage.Parts.Body body(m = 2, r_CM = {0.3, 0, 0}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.25);
  Real error = joint.a + 2*9.81*0.3*cos(joint.phi)/(0.25 + 2*0.3^2);
  // along the rod the bearing bears the weight's part and the centripetal force
  Real error_f = joint.frame_a.f*{cos(joint.phi), sin(joint.phi), 0}
    - 2*(9.81*sin(joint.phi) - 0.3*joint.w^2);
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
end RevoluteClosedForm;
