within Linkage;
package Vehicles "Tyres, roads, springs and vehicles of them"
  annotation(Documentation(info = "<html>
<p>Vehicles run forwards along x, with y to the left and z up: <code>World(n = {0, 0, -1})</code>.</p>
</html>"));
end Vehicles;
