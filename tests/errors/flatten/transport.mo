model Transport "spatialDistribution (MLS 3.7.4.2) with inputs that it does not take"
  parameter Real late = 1;
  Real x = time, a[7], b[7];
equation
  (a[1], b[1]) = spatialDistribution(1, 2, x); // error T07: 'positiveVelocity' of 'spatialDistribution' is missing
  (a[2], b[2]) = spatialDistribution(1, 2, x, 3); // error T08: 'positiveVelocity' of 'spatialDistribution' is a Boolean, this is Integer
  (a[3], b[3]) = spatialDistribution(1, 2, x, true, {0, 0.5, 1}); // error T08: the same size, at least 2, these are 3 and 2
  (a[4], b[4]) = spatialDistribution(1, 2, x, true, {0, 0.5}, {1, 2}); // error T08: ascend from 0 to 1
  (a[5], b[5]) = spatialDistribution(1, 2, x, true, {0, 1}, {x, 2}); // error T20: parameter expressions
  (a[6], b[6]) = spatialDistribution({1}, 2, x, true); // error T08: 'in0' of 'spatialDistribution' is a Real, this is Integer[1]
  (a[7], b[7]) = spatialDistribution(1, 2, x, true, wrong = 3); // error T07: no input 'wrong'
end Transport;
