within Linkage.Interfaces;
partial model TwoFrames "Part between two frames"
  Frame_a frame_a "Frame on the side of the world"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  Frame_b frame_b "Frame on the side away from the world"
    annotation(Placement(transformation(extent = {{84, -16}, {116, 16}})));
  annotation(Documentation(info = "<html>
<p>The base of joints, rods and forces between two frames.</p>
</html>"));
end TwoFrames;
