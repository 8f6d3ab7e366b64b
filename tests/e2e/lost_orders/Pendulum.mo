package Pendulum "A chain of n rods in the plane, written in ways of which some cost more with each rod"
  partial model Base
    parameter Integer n = 8;
    parameter Real l = 1, m = 1, J = 0.1, g = 9.81;
    Real phi[n](each start = 0.3, each fixed = true), w[n](each start = 0, each fixed = true);
  equation
    der(phi) = w;
  end Base;

  partial model Points "Centres and hinges, one from another"
    extends Base;
    Real x[n], y[n], hx[n + 1], hy[n + 1];
  equation
    hx[1] = 0;
    hy[1] = 0;
    for k in 1:n loop
      hx[k + 1] = hx[k] + l*sin(phi[k]);
      hy[k + 1] = hy[k] - l*cos(phi[k]);
      x[k] = hx[k] + l/2*sin(phi[k]);
      y[k] = hy[k] - l/2*cos(phi[k]);
    end for;
  end Points;

  partial model Forces "Of the hinges; the rod behind the last one is none"
    extends Base;
    Real fx[n + 1], fy[n + 1];
  equation
    fx[n + 1] = 0;
    fy[n + 1] = 0;
    for k in 1:n loop
      J*der(w[k]) = -l/2*cos(phi[k])*(fx[k] + fx[k + 1]) - l/2*sin(phi[k])*(fy[k] + fy[k + 1]);
    end for;
  end Forces;

  model Chain "Each from its neighbour"
    extends Points;
    extends Forces;
  equation
    for k in 1:n loop
      m*der(der(x[k])) = fx[k] - fx[k + 1];
      m*der(der(y[k])) = fy[k] - fy[k + 1] - m*g;
    end for;
  end Chain;

  model Sums "Positions are sums over all rods before"
    extends Forces;
    Real x[n], y[n];
  equation
    for k in 1:n loop
      x[k] = sum(l*sin(phi[j]) for j in 1:k - 1) + l/2*sin(phi[k]); // E07 in Sums
      y[k] = -sum(l*cos(phi[j]) for j in 1:k - 1) - l/2*cos(phi[k]);
      m*der(der(x[k])) = fx[k] - fx[k + 1];
      m*der(der(y[k])) = fy[k] - fy[k + 1] - m*g;
    end for;
  end Sums;

  model Moments "Of all rods beyond a hinge, about it"
    extends Points;
  equation
    for k in 1:n loop
      0 = sum(J*der(w[j]) + m*((x[j] - hx[k])*(der(der(y[j])) + g) - (y[j] - hy[k])*der(der(x[j]))) for j in k:n); // E07 in Moments
    end for;
  end Moments;

  model Lagrange "Angles alone"
    extends Base;
    Real I[n, n];
  equation
    for k in 1:n loop
      for j in 1:n loop
        I[k, j] = m*l^2*((n - max(k, j)) + 0.5)*cos(phi[k] - phi[j]) +
          (if k == j then J - m*l^2/4 else 0);
      end for;
      sum(I[k, j]*der(w[j]) + m*l^2*((n - max(k, j)) + 0.5)*sin(phi[k] - phi[j])*w[j]^2 for j in 1:n) + ((n - k) + 0.5)*m*g*l*sin(phi[k]) = 0; // E07 in Lagrange
    end for;
  end Lagrange;

  model Carriage "Measured from a carriage: its acceleration is in the equations of all rods"
    extends Points;
    extends Forces;
    parameter Real M = 3;
    Real s(start = 0, fixed = true), v(start = 0, fixed = true), X[n];
  equation
    der(s) = v;
    M*der(v) = -fx[1];
    for k in 1:n loop
      X[k] = s + x[k];
      m*der(der(X[k])) = fx[k] - fx[k + 1];
      m*der(der(y[k])) = fy[k] - fy[k + 1] - m*g;
    end for;
  end Carriage;
end Pendulum;
