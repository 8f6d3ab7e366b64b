package Arrays "Chains of slender rods without connectors: every vector in a row of an array"
  partial model Base "Axes z and y in turn, as AlternatingPendulum of the library"
    parameter Integer n(min = 1) = 6 "Number of rods";
    parameter Real l = 1, m = 1, J = m*l^2/12;
    constant Real g = 9.81;
    final parameter Real G[3] = {0, -g, 0};
    final parameter Real r[3] = {l, 0, 0};
    final parameter Real I[3, 3] = diagonal({0, J, J});
    parameter Real e[n, 3] = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n}
      annotation(Evaluate = true);
    Real phi[n](each start = 0.2, each fixed = true), w[n](each start = 0.5, each fixed = true);
  end Base;

  function turned "From a frame turned by phi about e into the one before"
    input Real e[3], phi;
    output Real R[3, 3];
  algorithm
    R := outerProduct(e, e) + (identity(3) - outerProduct(e, e))*cos(phi) + skew(e)*sin(phi);
    annotation(Inline = true);
  end turned;

  model Body "Vectors in the rods' frames; a is less gravity"
    extends Base;
    Real A[n, 3, 3] "Into the frame before";
    Real omega[n, 3], alpha[n, 3], a[n, 3], b[n, 3], F[n, 3], f[n, 3], t[n, 3];
  equation
    for k in 1:n loop
      der(phi[k]) = w[k];
      A[k] = turned(e[k], phi[k]);
      if k == 1 then
        omega[k] = e[k]*w[k];
        alpha[k] = e[k]*der(w[k]);
        a[k] = transpose(A[k])*(-G);
      else
        omega[k] = transpose(A[k])*omega[k - 1] + e[k]*w[k];
        alpha[k] = transpose(A[k])*alpha[k - 1] + e[k]*der(w[k]) + cross(omega[k], e[k]*w[k]);
        a[k] = transpose(A[k])*b[k - 1];
      end if;
      b[k] = a[k] + cross(alpha[k], r) + cross(omega[k], cross(omega[k], r));
      F[k] = m*(a[k] + cross(alpha[k], r/2) + cross(omega[k], cross(omega[k], r/2)));
      if k == n then
        f[k] = F[k];
        t[k] = I*alpha[k] + cross(omega[k], I*omega[k]) + cross(r/2, F[k]);
      else
        f[k] = F[k] + A[k + 1]*f[k + 1];
        t[k] = I*alpha[k] + cross(omega[k], I*omega[k]) + cross(r/2, F[k]) + A[k + 1]*t[k + 1]
          + cross(r, A[k + 1]*f[k + 1]);
      end if;
      e[k]*t[k] = 0;
    end for;
  end Body;

  model World "All vectors in the world frame"
    extends Base;
    Real R[n, 3, 3] "From the rod's frame", d[n, 3] "From hinge to tip", u[n, 3] "Axes";
    Real omega[n, 3], alpha[n, 3], a[n, 3] "Of the tips", c[n, 3] "Of the middles";
    Real F[n, 3], f[n, 3], t[n, 3];
  equation
    for k in 1:n loop
      der(phi[k]) = w[k];
      d[k] = R[k]*r;
      u[k] = R[k]*e[k];
      if k == 1 then
        R[k] = turned(e[k], phi[k]);
        omega[k] = u[k]*w[k];
        alpha[k] = u[k]*der(w[k]);
        a[k] = cross(alpha[k], d[k]) + cross(omega[k], cross(omega[k], d[k]));
        c[k] = cross(alpha[k], d[k]/2) + cross(omega[k], cross(omega[k], d[k]/2));
      else
        R[k] = R[k - 1]*turned(e[k], phi[k]);
        omega[k] = omega[k - 1] + u[k]*w[k];
        alpha[k] = alpha[k - 1] + u[k]*der(w[k]) + cross(omega[k - 1], u[k]*w[k]);
        a[k] = a[k - 1] + cross(alpha[k], d[k]) + cross(omega[k], cross(omega[k], d[k]));
        c[k] = a[k - 1] + cross(alpha[k], d[k]/2) + cross(omega[k], cross(omega[k], d[k]/2));
      end if;
      F[k] = m*(c[k] - G);
      if k == n then
        f[k] = F[k];
        t[k] = R[k]*(I*(transpose(R[k])*alpha[k])
          + cross(transpose(R[k])*omega[k], I*(transpose(R[k])*omega[k]))) + cross(d[k]/2, F[k]);
      else
        f[k] = F[k] + f[k + 1];
        t[k] = R[k]*(I*(transpose(R[k])*alpha[k])
          + cross(transpose(R[k])*omega[k], I*(transpose(R[k])*omega[k]))) + cross(d[k]/2, F[k])
          + t[k + 1] + cross(d[k], f[k + 1]);
      end if;
      u[k]*t[k] = 0;
    end for;
  end World;
end Arrays;
