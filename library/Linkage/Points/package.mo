within Linkage;
package Points "Mechanisms of points and links"
  annotation(
    Icon(graphics = {
      Line(points = {{-60, -50}, {60, -50}, {0, 60}, {-60, -50}}, thickness = 1),
      Ellipse(extent = {{-74, -64}, {-46, -36}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{46, -64}, {74, -36}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-14, 46}, {14, 74}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
        fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>A <code>Point</code> has a mass and no axes; links, bars and springs hold points and anchors
together. <code>Attachment</code> is a point of a body. Links may be redundant: as
many as there are edges, say, of two tetrahedra on one base and one link between the apexes;
the forces are then those of least magnitude, and <code>rung dof</code> says which link follows
from which.</p>
<p>One link of a given length is one constraint, closed as a loop of bodies is. Positions at the
start are found so that all links have their lengths.</p>
<p><code>Truss</code> is a mechanism from tables: places, links, springs.</p>
</html>"));
end Points;
