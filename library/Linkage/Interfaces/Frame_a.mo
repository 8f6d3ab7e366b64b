within Linkage.Interfaces;
connector Frame_a "Frame on the side of the world"
  extends Frame;
end Frame_a;
