// simulate: --stop 2 --tolerance 1e-9
// zero: E 1e-6
// constant: distance 1e-7
// moves: p[1] 0.5
// moves: w[1] 0.1
model RodOfEulerParameters "A point in a plane on a rod that turns by Euler parameters: both of its coordinates seem free by structure, since Q seems to follow from the rod's ends"
  parameter Real m = 2, J = 0.1, g = 9.81;
  parameter Real d[3] = {0.6, 0, 0.5} "From the point to the ground, resolved in the rod";
  final parameter Real ground[3] = d;
  Real p[2](each start = 0, each stateSelect = StateSelect.prefer);
  Real v[2](each start = 0, each stateSelect = StateSelect.prefer);
  Real Q[4](start = {1, 0, 0, 0}), w[3];
  Real R[3, 3] "Into the rod's axes", F[3] "Of the rod on the point";
  Real distance = sqrt((ground[1] - p[1])^2 + (ground[2] - p[2])^2);
  Real E = m/2*(v*v) + J/2*(w*w) + m*g*p[2];
equation
  v = der(p);
  m*der(v) = F[1:2] - {0, m*g};
  R = {{2*(Q[1]^2 + Q[2]^2) - 1, 2*(Q[2]*Q[3] + Q[1]*Q[4]), 2*(Q[2]*Q[4] - Q[1]*Q[3])},
    {2*(Q[2]*Q[3] - Q[1]*Q[4]), 2*(Q[1]^2 + Q[3]^2) - 1, 2*(Q[3]*Q[4] + Q[1]*Q[2])},
    {2*(Q[2]*Q[4] + Q[1]*Q[3]), 2*(Q[3]*Q[4] - Q[1]*Q[2]), 2*(Q[1]^2 + Q[4]^2) - 1}};
  Q*Q = 1;
  w = 2*{{-Q[2], Q[1], Q[4], -Q[3]}, {-Q[3], -Q[4], Q[1], Q[2]}, {-Q[4], Q[3], -Q[2], Q[1]}}*der(Q);
  J*der(w) = cross(d, R*F);
  {p[1], p[2], 0} + transpose(R)*d = ground;
end RodOfEulerParameters;
