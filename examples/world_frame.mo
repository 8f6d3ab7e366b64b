// rung count examples/world_frame.mo --model WorldFrame.Chain --sweep n=8,16,32
package WorldFrame "Chains of rods, their accelerations written in the world frame as textbooks do"
  constant Real g_earth = 9.81;

  model Rod "A slender rod on a hinge; a and b in the world frame, all else in its own"
    parameter Integer axis = 3 "Of the hinge: 2 is y, 3 is z" annotation(Evaluate = true);
    parameter Real l = 1 "Length, along x";
    parameter Real m = 1 "Mass";
    parameter Real J = m*l^2/12 "Inertia across, about the middle";
    final parameter Real g[3] = {0, -g_earth, 0} "Gravity, in the world frame";
    final parameter Real e[3] = if axis == 2 then {0, 1, 0} else {0, 0, 1};
    final parameter Real r[3] = {l, 0, 0} "From the hinge to the tip";
    Real phi(start = 0.2, fixed = true) "Angle";
    Real w(start = 0.5, fixed = true);
    Real R[3, 3] "What turns from the frame before into this one";
    Real T[3, 3] "From the world frame into this one";
    Real omega[3], alpha[3] "Angular velocity and acceleration";
    input Real a[3] "Acceleration of the hinge";
    Real b[3] "Acceleration of the tip";
    Real f[3], t[3] "Force and torque at the hinge";
    input Real f_b[3], t_b[3] "At the tip";
    Real F[3] "Mass times acceleration of the middle";
    input Real T_before[3, 3], omega_before[3], alpha_before[3] "The frame before";
  equation
    der(phi) = w;
    R = if axis == 2 then {{cos(phi), 0, -sin(phi)}, {0, 1, 0}, {sin(phi), 0, cos(phi)}}
      else {{cos(phi), sin(phi), 0}, {-sin(phi), cos(phi), 0}, {0, 0, 1}};
    T = R*T_before;
    omega = R*omega_before + e*w;
    alpha = R*alpha_before + e*der(w) + cross(omega, e*w);
    b = a + transpose(T)*(cross(alpha, r) + cross(omega, cross(omega, r)));
    F = m*(T*(a - g) + cross(alpha, r/2) + cross(omega, cross(omega, r/2)));
    f + f_b = F;
    t + t_b + cross(r, f_b) = {0, J*alpha[2], J*alpha[3]}
      + cross(omega, {0, J*omega[2], J*omega[3]}) + cross(r/2, F);
    e*t = 0;
  end Rod;

  model Chain "Axes z and y in turn"
    parameter Integer n(min = 1) = 6 "Number of rods";
    Rod rod[n](axis = {if mod(k, 2) == 1 then 3 else 2 for k in 1:n});
  equation
    rod[1].T_before = identity(3);
    rod[1].omega_before = zeros(3);
    rod[1].alpha_before = zeros(3);
    rod[1].a = zeros(3);
    for k in 2:n loop
      rod[k].T_before = rod[k - 1].T;
      rod[k].omega_before = rod[k - 1].omega;
      rod[k].alpha_before = rod[k - 1].alpha;
      rod[k].a = rod[k - 1].b;
      rod[k - 1].f_b = -transpose(rod[k].R)*rod[k].f;
      rod[k - 1].t_b = -transpose(rod[k].R)*rod[k].t;
    end for;
    rod[n].f_b = zeros(3);
    rod[n].t_b = zeros(3);
    annotation(experiment(StopTime = 2));
  end Chain;

  model PlanarRod "The same in the plane: vectors of two, one rotation"
    parameter Real l = 1, m = 1, J = m*l^2/12;
    final parameter Real g[2] = {0, -g_earth};
    Real phi(start = 0.1, fixed = true), w(start = 0, fixed = true);
    Real R[2, 2], T[2, 2], omega, alpha, b[2], F[2], f[2], t;
    input Real T_before[2, 2], omega_before, alpha_before, a[2], f_b[2], t_b;
  equation
    der(phi) = w;
    R = {{cos(phi), sin(phi)}, {-sin(phi), cos(phi)}};
    T = R*T_before;
    omega = omega_before + w;
    alpha = alpha_before + der(w);
    b = a + transpose(T)*{-omega^2*l, alpha*l};
    F = m*(T*(a - g) + {-omega^2*l/2, alpha*l/2});
    f + f_b = F;
    t + t_b + l*f_b[2] = J*alpha + l/2*F[2];
    t = 0;
  end PlanarRod;

  model PlanarChain "Axes parallel"
    parameter Integer n(min = 1) = 6 "Number of rods";
    PlanarRod rod[n];
  equation
    rod[1].T_before = identity(2);
    rod[1].omega_before = 0;
    rod[1].alpha_before = 0;
    rod[1].a = zeros(2);
    for k in 2:n loop
      rod[k].T_before = rod[k - 1].T;
      rod[k].omega_before = rod[k - 1].omega;
      rod[k].alpha_before = rod[k - 1].alpha;
      rod[k].a = rod[k - 1].b;
      rod[k - 1].f_b = -transpose(rod[k].R)*rod[k].f;
      rod[k - 1].t_b = -rod[k].t;
    end for;
    rod[n].f_b = zeros(2);
    rod[n].t_b = 0;
    annotation(experiment(StopTime = 2));
  end PlanarChain;
end WorldFrame;
