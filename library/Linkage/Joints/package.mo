within Linkage;
package Joints "Joints"
  annotation(Documentation(info = "<html>
<p>Each joint's coordinates and speeds are preferred states, relative from
<code>frame_a</code> to <code>frame_b</code>. Forces on the joint's own coordinates follow
d'Alembert's principle: the cut force's part along a free motion is the drive's, or
zero.</p>
<p>A joint may stand either way round in the tree: its equations lead away from the root of the
connection graph, so that no rotation matrix has to be inverted.</p>
</html>"));
end Joints;
