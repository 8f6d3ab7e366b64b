model UnknownClass "A type that does not exist"
  Real x = 1;
  Linkage.Joints.Revolut joint; // error N02: Revolut
end UnknownClass;
