model MissingInner "No world"
  Linkage.Joints.Free joint;
  Linkage.Parts.Body body; // note: in component body
equation
  connect(joint.frame_b, body.frame_a);
end MissingInner;
