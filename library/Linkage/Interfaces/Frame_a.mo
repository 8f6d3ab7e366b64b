within Linkage.Interfaces;
connector Frame_a "Frame on the side of the world"
  extends Frame;
  annotation(Documentation(info = "<html>
<p>Equal to <a href=\"modelica://Linkage.Interfaces.Frame_b\">Frame_b</a> but for its look. Either
may be connected to either.</p>
</html>"));
end Frame_a;
