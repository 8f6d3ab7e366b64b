// Accelerations x and y in one frame, forces in another: y is measured from gravity, and its equation
// turned into the frame of T, in which T*y has no coefficients but ones.
model Turned
  Real p(start = 0.1, fixed = true), q(start = 0.2, fixed = true);
  Real u(fixed = true), v(fixed = true);
  Real R[2, 2] = {{cos(p), sin(p)}, {-sin(p), cos(p)}};
  Real S[2, 2] = {{cos(q), sin(q)}, {-sin(q), cos(q)}};
  Real T[2, 2] = S*R;
  Real x[2], y[2], f[2], alpha, beta;
equation
  der(p) = u;
  der(q) = v;
  der(u) = alpha;
  der(v) = beta;
  x = transpose(R)*{-u^2, alpha};
  y = x + transpose(T)*{-v^2, beta};
  f = T*(y + {0, 9.81});
  alpha = -S[1, 2]*f[1] - S[2, 2]*f[2];
  beta = -f[2];
end Turned;
