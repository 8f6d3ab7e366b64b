within Linkage.Points;
model Truss "Points, links and springs from tables"
  parameter Units.Length r_0[:, 3]
    "Positions of the points, at the start and with all links in shape";
  parameter Units.Length anchors[:, 3] = zeros(0, 3)
    "Positions of anchors, which count on from the last point"
    annotation(Evaluate = true);
  parameter Integer links[:, 2] = zeros(0, 2)
    "The two ends of each link: numbers of points and anchors"
    annotation(Evaluate = true);
  parameter Integer springs[:, 2] = zeros(0, 2) "The two ends of each spring"
    annotation(Evaluate = true);
  parameter Units.Mass m[n] = ones(n) "Masses of the points";
  parameter Units.Stiffness c[size(springs, 1)] = ones(size(springs, 1))
    "Stiffnesses of the springs";
  parameter Units.Damping d[size(springs, 1)] = zeros(size(springs, 1)) "Dampings of the springs";
  parameter Units.Length l_0[size(springs, 1)] = {
    distance(places[springs[k, 1], :], places[springs[k, 2], :]) for k in 1:size(springs, 1)}
    "Lengths of the springs without force";
  Point point[n](m = m, r_0 = r_0) "The points";
  Anchor anchor[size(anchors, 1)](r = anchors) "The anchors";
  Link link[size(links, 1)](
    final l = {distance(places[links[k, 1], :], places[links[k, 2], :]) for k in 1:size(links, 1)})
    "The links";
  Spring spring[size(springs, 1)](c = c, d = d, l_0 = l_0) "The springs";
  output Units.Energy E = sum(point.E) + sum(spring.V) "Total energy";
protected
  final parameter Integer n = size(r_0, 1) "Number of points" annotation(Evaluate = true);
  final parameter Units.Length places[:, 3] = [r_0; anchors] "Of points and anchors";

  function distance "Distance of two points"
    input Units.Length a[3] "One";
    input Units.Length b[3] "Other";
    output Units.Length s "Distance";
  algorithm
    s := sqrt((b - a)*(b - a));
    annotation(Inline = true);
  end distance;
equation
  for k in 1:size(links, 1) loop
    if links[k, 1] <= n then
      connect(point[links[k, 1]].place, link[k].place_a);
    else
      connect(anchor[links[k, 1] - n].place, link[k].place_a);
    end if;
    if links[k, 2] <= n then
      connect(point[links[k, 2]].place, link[k].place_b);
    else
      connect(anchor[links[k, 2] - n].place, link[k].place_b);
    end if;
  end for;
  for k in 1:size(springs, 1) loop
    if springs[k, 1] <= n then
      connect(point[springs[k, 1]].place, spring[k].place_a);
    else
      connect(anchor[springs[k, 1] - n].place, spring[k].place_a);
    end if;
    if springs[k, 2] <= n then
      connect(point[springs[k, 2]].place, spring[k].place_b);
    else
      connect(anchor[springs[k, 2] - n].place, spring[k].place_b);
    end if;
  end for;
  annotation(
    Icon(graphics = {
      Line(points = {{-70, -50}, {70, -50}, {30, 50}, {-30, 50}, {-70, -50}, {30, 50}},
        thickness = 1),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>All lengths are those between the places given, so that any number of links fits:</p>
<pre>
Points.Truss roof(r_0 = {{0, 1, 0}, {1, 1, 0}}, anchors = {{0, 0, 0}, {1, 0, 0}},
  links = {{1, 2}, {1, 3}, {2, 4}});
</pre>
</html>"));
end Truss;
