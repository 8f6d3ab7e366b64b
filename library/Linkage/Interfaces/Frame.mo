within Linkage.Interfaces;
connector Frame "A point and three axes fixed to a rigid part"
  Motion m "Motion of the frame";
  flow Units.Force f[3] "Cut force into the component, resolved in the frame";
  flow Units.Torque t[3]
    "Cut torque into the component about the frame's origin, resolved in the frame";
end Frame;
