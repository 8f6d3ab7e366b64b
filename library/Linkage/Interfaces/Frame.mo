within Linkage.Interfaces;
connector Frame "A point and three axes fixed to a rigid part"
  Motion m "Motion of the frame";
  flow Units.Force f[3] "Cut force into the component, resolved in the frame";
  flow Units.Torque t[3]
    "Cut torque into the component about the frame's origin, resolved in the frame";
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-60, -100}, {60, 100}}, lineColor = {38, 58, 92},
        fillColor = {95, 108, 128}, fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>The base of both frames; components have a <a
href=\"modelica://Linkage.Interfaces.Frame_a\">Frame_a</a> or a <a
href=\"modelica://Linkage.Interfaces.Frame_b\">Frame_b</a>. Connected frames move as one, and their
forces and torques add up to zero. All vectors are resolved in the frame itself, so that no rotation
is needed where frames meet.</p>
</html>"));
end Frame;
