within Linkage;
package Frames "Rotations of frames"
  annotation(Documentation(info = "<html>
<p>A rotation matrix R from frame a to frame b takes the components of a vector in a to
its components in b: v_b = R*v_a. The rows of R are the axes of b, resolved in a.</p>
</html>"));
end Frames;
