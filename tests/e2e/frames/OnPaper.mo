package OnPaper "Chains as written on paper: rotations R[n,3,3], positions with v = der(p), angular momenta with der(L)"
  partial model Base
    parameter Integer n(min = 1) = 6 "Number of bodies";
    parameter Real l = 1, m = 1, J1 = 0.01, J2 = 0.08, J3 = 0.09;
    constant Real g = 9.81;
    final parameter Real G[3] = {0, -g, 0};
    final parameter Real r[3] = {l, 0, 0};
    final parameter Real I[3, 3] = diagonal({J1, J2, J3});
    parameter Real e[n, 3] = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n}
      annotation(Evaluate = true);
    Real phi[n](each start = 0.2, each fixed = true), w[n](each start = 0.5, each fixed = true);
    Real R[n, 3, 3] "From the body's frame into the world", u[n, 3] "Axes";
    Real q[n, 3] "Hinges", p[n, 3] "Centres", v[n, 3], omega[n, 3], L[n, 3];
    Real f[n, 3] "Forces of the hinges", t[n, 3];
  equation
    for k in 1:n loop
      der(phi[k]) = w[k];
      u[k] = R[k]*e[k];
      if k == 1 then
        R[k] = turned(e[k], phi[k]);
        q[k] = {0, 0, 0};
        omega[k] = u[k]*w[k];
      else
        R[k] = R[k - 1]*turned(e[k], phi[k]);
        q[k] = q[k - 1] + R[k - 1]*r;
        omega[k] = omega[k - 1] + u[k]*w[k];
      end if;
      p[k] = q[k] + R[k]*r/2;
      v[k] = der(p[k]);
    end for;
  end Base;

  function turned "From a frame turned by phi about e into the one before"
    input Real e[3], phi;
    output Real R[3, 3];
  algorithm
    R := outerProduct(e, e) + (identity(3) - outerProduct(e, e))*cos(phi) + skew(e)*sin(phi);
    annotation(Inline = true);
  end turned;

  model Joints "Torques about the hinges"
    extends Base;
  equation
    for k in 1:n loop
      L[k] = R[k]*I*transpose(R[k])*omega[k];
      if k < n then
        m*der(v[k]) = f[k] - f[k + 1] + m*G;
        der(L[k]) = t[k] - t[k + 1] + cross(q[k] - p[k], f[k]) - cross(q[k + 1] - p[k], f[k + 1]);
      else
        m*der(v[k]) = f[k] + m*G;
        der(L[k]) = t[k] + cross(q[k] - p[k], f[k]);
      end if;
      u[k]*t[k] = 0;
    end for;
  end Joints;

  model Centres "Torques about the centres"
    extends Base;
  equation
    for k in 1:n loop
      L[k] = R[k]*I*transpose(R[k])*omega[k];
      if k < n then
        m*der(v[k]) = f[k] - f[k + 1] + m*G;
        der(L[k]) = t[k] - t[k + 1] - cross(p[k + 1] - p[k], f[k + 1]);
      else
        m*der(v[k]) = f[k] + m*G;
        der(L[k]) = t[k];
      end if;
      u[k]*(t[k] - cross(q[k] - p[k], f[k])) = 0;
    end for;
  end Centres;

  model Origin "Torques and momenta about the origin"
    extends Base;
  equation
    for k in 1:n loop
      L[k] = R[k]*I*transpose(R[k])*omega[k] + m*cross(p[k], v[k]);
      if k < n then
        m*der(v[k]) = f[k] - f[k + 1] + m*G;
        der(L[k]) = t[k] - t[k + 1] + m*cross(p[k], G);
      else
        m*der(v[k]) = f[k] + m*G;
        der(L[k]) = t[k] + m*cross(p[k], G);
      end if;
      u[k]*(t[k] - cross(q[k], f[k])) = 0;
    end for;
  end Origin;

  model Connectors "The same chain of parts of the library"
    parameter Integer n = 6;
    parameter Real l = 1, m = 1, J1 = 0.01, J2 = 0.08, J3 = 0.09;
    inner Linkage.World world(g = 9.81, n = {0, -1, 0});
    Linkage.Joints.Revolute joint[n](n = {if mod(k, 2) == 1 then {0, 0, 1} else {0, 1, 0} for k in 1:n},
      each phi(start = 0.2, fixed = true), each w(start = 0.5, fixed = true));
    Linkage.Parts.FixedTranslation arm[n](each r = {l, 0, 0});
    Linkage.Parts.Body body[n](each m = m, each r_CM = {l/2, 0, 0}, each I_11 = J1, each I_22 = J2, each I_33 = J3);
  equation
    connect(world.frame_b, joint[1].frame_a);
    for k in 1:n loop
      connect(joint[k].frame_b, arm[k].frame_a);
      connect(joint[k].frame_b, body[k].frame_a);
      if k < n then
        connect(arm[k].frame_b, joint[k + 1].frame_a);
      end if;
    end for;
  end Connectors;
end OnPaper;
