within;
package Linkage "Mechanisms of rigid bodies in the plane and in space"
  annotation(
    version = "0.1",
    Documentation(info = "<html>
<p>Bodies, joints and forces that are joined by frames. A frame carries the whole motion of
the point and the axes it stands for, resolved in its own axes, so that the matrices met
when the accelerations are solved for are symmetric.</p>
<p>A model needs one <code>inner Linkage.World world</code>. Joints lead from
<code>world.frame_b</code> through <code>frame_a</code> to <code>frame_b</code> and to the
bodies; <a href=\"modelica://Linkage.Examples\">Linkage.Examples</a> shows how.</p>
<p>Uniform gravity enters in one place: the world's frame has the acceleration -g. Every
acceleration in a frame is therefore a proper acceleration, what an accelerometer
fixed there reads, and no orientation is needed to weigh a body.</p>
</html>"));
end Linkage;
