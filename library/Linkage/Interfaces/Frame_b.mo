within Linkage.Interfaces;
connector Frame_b "Frame on the side away from the world"
  extends Frame;
end Frame_b;
