// simulate: --tolerance 1e-8
// constant: energy 1e-6
// zero: error 1e-6
// moves: point[4].r[1] 0.3
model RedundantLinks "Ten links between five points, of which one is redundant, move as nine"
  extends Linkage.Examples.Tetrahedra;
  Linkage.Points.Truss nine(r_0 = r_0, anchors = anchors,
    links = {{1, 2}, {2, 3}, {3, 1}, {1, 4}, {2, 4}, {3, 4}, {1, 5}, {2, 5}, {3, 5}, {1, 6}});
  Linkage.Units.Energy energy = 100 + E;
  Real error = nine.point[4].r[1] - point[4].r[1] + nine.point[5].r[2] - point[5].r[2];
end RedundantLinks;
