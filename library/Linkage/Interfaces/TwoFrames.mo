within Linkage.Interfaces;
partial model TwoFrames "Part between two frames"
  Frame_a frame_a "Frame on the side of the world";
  Frame_b frame_b "Frame on the side away from the world";
end TwoFrames;
