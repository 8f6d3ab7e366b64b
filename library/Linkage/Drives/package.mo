within Linkage;
package Drives "One-dimensional elements on the flanges of joints"
  annotation(Documentation(info = "<html>
<p>Set <code>useFlange=true</code> in a revolute or prismatic joint and connect its
<code>flange</code>. The joint takes up the reaction, so one end of a spring that acts inside
the joint is fixed.</p>
</html>"));
end Drives;
