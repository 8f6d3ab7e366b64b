// MLS 4.7, 12.6: records as variables, parameters, arrays and function arguments
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
model Records
  record Point
    Real x = 0;
    Real y = 0;
  end Point;
  record Circle
    extends Point;
    Real r[2];
  end Circle;
  function shift
    input Point p;
    input Real by = 1;
    output Point q;
  algorithm
    q := p;
    q.x := p.x + by;
  end shift;
  function centre
    input Point p[:];
    output Point c;
  algorithm
    c := Point(sum(p.x)/size(p, 1), sum(p[k].y for k in 1:size(p, 1))/size(p, 1));
  end centre;
  Point p(x = time, y = 2);
  Point q = shift(p, by = 4);
  Circle c = Circle(x = 1, y = 2, r = {3, 4});
  parameter Point origin(x = 10);
  Point list[3] = {Point(k, k^2) for k in 1:3};
  Point middle = centre(list);
  Real error[3];
equation
  error[1] = q.x - time - 4 + (q.y - 2);
  error[2] = c.x + c.y + c.r[1] + c.r[2] - 10 + origin.x - 10 + origin.y;
  error[3] = middle.x - 2 + 3*(middle.y - 14/3);
end Records;
