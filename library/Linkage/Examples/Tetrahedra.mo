within Linkage.Examples;
model Tetrahedra "Two tetrahedra of links on one base, a link between the apexes, one to an anchor"
  extends Points.Truss(r_0 = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.3, 0.8, 0.3}, {0.3, -0.8, 0.3}},
    anchors = {{-1, 0, 0}},
    links = {{1, 2}, {2, 3}, {3, 1}, {1, 4}, {2, 4}, {3, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5},
      {1, 6}});
  inner World world;
  annotation(
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02),
    Documentation(info = "<html>
<p>Nine links make one body of five points; the tenth, between the apexes, is redundant. The
eleventh
leaves that body five of its six degrees of freedom.</p>
</html>"));
end Tetrahedra;
