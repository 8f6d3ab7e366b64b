// Records: bindings as a whole and by part, arrays, equations between them, final parts seen.
model Records
  record Pair
    Real a = 1;
    Real b[2];
  end Pair;
  record Frame
    extends Pair;
    Pair inner_[2];
  end Frame;
  parameter Real l = 3;
  final parameter Pair p = Pair(a = l, b = {0, l});
  parameter Pair q(a = 5, b = {6, 7});
  Pair u = if time > 1 then p else q;
  Pair v[2](each a = time, b = {{1, 2}, {3, 4}});
  Frame f;
  Real sum_ = p.a*p.b[1] + p.b*p.b;
  record Point
    Real x;
    Real y;
  end Point;
  Point c;
  Point d;
equation
  f.b = {1, 2};
  f.inner_.b = v.b;
  c = d;
  d.x = 1;
  d.y = 2;
end Records;
