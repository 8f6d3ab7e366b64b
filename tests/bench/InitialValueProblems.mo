package InitialValueProblems "From the test set for initial value problem solvers (Bari and CWI), as equations"
  constant Real pi = 3.14159265358979323846;

  model Hires "High irradiance response of plants"
    Real y[8](start = {1, 0, 0, 0, 0, 0, 0, 0.0057}, each fixed = true);
  protected
    constant Real k1 = 1.71, k2 = 0.43, k3 = 8.32, k4 = 0.69, k5 = 0.035, k6 = 8.32, k7 = 280, k8 = 0.69, k9 = 0.69;
  equation
    der(y[1]) = -k1*y[1] + k2*y[2] + k6*y[3] + 0.0007;
    der(y[2]) = k1*y[1] - (k2 + k3)*y[2];
    der(y[3]) = -(k6 + k1)*y[3] + k2*y[4] + k5*y[5];
    der(y[4]) = k3*y[2] + k1*y[3] - (k4 + k2)*y[4];
    der(y[5]) = -(k5 + k1)*y[5] + k2*(y[6] + y[7]);
    der(y[6]) = -k7*y[6]*y[8] + k8*y[4] + k1*y[5] - k2*y[6] + k8*y[7];
    der(y[7]) = k7*y[6]*y[8] - (k2 + k8 + k9)*y[7];
    der(y[8]) = -der(y[7]);
    annotation(experiment(StopTime = 321.8122));
  end Hires;

  model Robertson "Three reactions with rates from 0.04 to 3e7"
    Real y[3](start = {1, 0, 0}, each fixed = true, nominal = {1, 1e-6, 1});
  equation
    der(y[1]) = -0.04*y[1] + 1e4*y[2]*y[3];
    der(y[2]) = 0.04*y[1] - 1e4*y[2]*y[3] - 3e7*y[2]^2;
    der(y[3]) = 3e7*y[2]^2;
    annotation(experiment(StopTime = 1e11));
  end Robertson;

  model Oregonator "The reaction of Belousov and Zhabotinsky"
    Real y[3](start = {1, 2, 3}, each fixed = true);
  equation
    der(y[1]) = 77.27*(y[2] + y[1] - y[1]*y[2] - 8.375e-6*y[1]^2);
    der(y[2]) = (y[3] - (1 + y[1])*y[2])/77.27;
    der(y[3]) = 0.161*(y[1] - y[3]);
    annotation(experiment(StopTime = 360));
  end Oregonator;

  model VanDerPol
    parameter Real mu = 1000;
    Real y[2](start = {2, 0}, each fixed = true);
  equation
    der(y[1]) = y[2];
    der(y[2]) = mu*(1 - y[1]^2)*y[2] - y[1];
    annotation(experiment(StopTime = 2000));
  end VanDerPol;

  model E5 "Reactions whose products differ by many orders of magnitude"
    Real y[4](start = {1.76e-3, 0, 0, 0}, each fixed = true, nominal = {1e-3, 1e-10, 1e-11, 1e-10});
  protected
    constant Real A = 7.89e-10, B = 1.1e7, C = 1.13e3, M = 1e6;
  equation
    der(y[1]) = -A*y[1] - B*y[1]*y[3];
    der(y[2]) = A*y[1] - M*C*y[2]*y[3];
    der(y[3]) = der(y[2]) - der(y[4]);
    der(y[4]) = B*y[1]*y[3] - C*y[4];
    annotation(experiment(StopTime = 1e6));
  end E5;

  model Pollution "25 reactions of 20 substances in the air"
    Real y[20](start = {0, 0.2, 0, 0.04, 0, 0, 0.1, 0.3, 0.01, 0, 0, 0, 0, 0, 0, 0, 0.007, 0, 0, 0}, each fixed = true);
    Real r[25];
  equation
    r = {0.35*y[1], 26.6*y[2]*y[4], 1.23e4*y[5]*y[2], 8.6e-4*y[7], 8.2e-4*y[7], 1.5e4*y[7]*y[6], 1.3e-4*y[9],
      2.4e4*y[9]*y[6], 1.65e4*y[11]*y[2], 9e3*y[11]*y[1], 0.022*y[13], 1.2e4*y[10]*y[2], 1.88*y[14],
      1.63e4*y[1]*y[6], 4.8e6*y[3], 3.5e-4*y[4], 0.0175*y[4], 1e8*y[16], 4.44e11*y[16], 1240*y[17]*y[6],
      2.1*y[19], 5.78*y[19], 0.0474*y[1]*y[4], 1780*y[19]*y[1], 3.12*y[20]};
    der(y[1]) = -r[1] - r[10] - r[14] - r[23] - r[24] + r[2] + r[3] + r[9] + r[11] + r[12] + r[22] + r[25];
    der(y[2]) = -r[2] - r[3] - r[9] - r[12] + r[1] + r[21];
    der(y[3]) = -r[15] + r[1] + r[17] + r[19] + r[22];
    der(y[4]) = -r[2] - r[16] - r[17] - r[23] + r[15];
    der(y[5]) = -r[3] + 2*r[4] + r[6] + r[7] + r[13] + r[20];
    der(y[6]) = -r[6] - r[8] - r[14] - r[20] + r[3] + 2*r[18];
    der(y[7]) = -r[4] - r[5] - r[6] + r[13];
    der(y[8]) = r[4] + r[5] + r[6] + r[7];
    der(y[9]) = -r[7] - r[8];
    der(y[10]) = -r[12] + r[7] + r[9];
    der(y[11]) = -r[9] - r[10] + r[8] + r[11];
    der(y[12]) = r[9];
    der(y[13]) = -r[11] + r[10];
    der(y[14]) = -r[13] + r[12];
    der(y[15]) = r[14];
    der(y[16]) = -r[18] - r[19] + r[16];
    der(y[17]) = -r[20];
    der(y[18]) = r[20];
    der(y[19]) = -r[21] - r[22] - r[24] + r[23] + r[25];
    der(y[20]) = -r[25] + r[24];
    annotation(experiment(StopTime = 60));
  end Pollution;

  model Pleiades "Seven stars in a plane, some of which pass each other closely"
    parameter Real moved = 0 "what the first star starts off by, for sensitivity";
    Real x[7](start = {3 + moved, 3, -1, -3, 2, -2, 2}, each fixed = true), y[7](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true);
    Real u[7](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true), v[7](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true);
  equation
    der(x) = u;
    der(y) = v;
    for i in 1:7 loop
      der(u[i]) = sum(j*(x[j] - x[i])/((x[j] - x[i])^2 + (y[j] - y[i])^2)^1.5 for j in cat(1, 1:i - 1, i + 1:7));
      der(v[i]) = sum(j*(y[j] - y[i])/((x[j] - x[i])^2 + (y[j] - y[i])^2)^1.5 for j in cat(1, 1:i - 1, i + 1:7));
    end for;
    annotation(experiment(StopTime = 3));
  end Pleiades;

  model ChemicalAkzo "A reactor with dissolving carbon dioxide; one equation without a derivative"
    Real y[6](start = {0.444, 0.00123, 0, 0.007, 0, 115.83*0.444*0.007},
      fixed = {true, true, true, true, true, false});
    Real r[5], F;
  equation
    r = {18.7*y[1]^4*sqrt(y[2]), 0.58*y[3]*y[4], 0.58/34.4*y[1]*y[5], 0.09*y[1]*y[4]^2, 0.42*y[6]^2*sqrt(y[2])};
    F = 3.3*(0.9/737 - y[2]);
    der(y[1]) = -2*r[1] + r[2] - r[3] - r[4];
    der(y[2]) = -r[1]/2 - r[4] - r[5]/2 + F;
    der(y[3]) = r[1] - r[2] + r[3];
    der(y[4]) = -r[2] + r[3] - 2*r[4];
    der(y[5]) = r[2] - r[3] + r[5];
    0 = 115.83*y[1]*y[4] - y[6];
    annotation(experiment(StopTime = 180));
  end ChemicalAkzo;

  model Transistor "An amplifier of two transistors; its capacitors are its states"
    Real y[8](start = {0, 3, 3, 6, 3, 3, 6, 0}) "Potentials of the nodes";
    Real c12(start = 3, fixed = true) = y[2] - y[1], c45(start = -3, fixed = true) = y[5] - y[4],
      c78(start = -6, fixed = true) = y[8] - y[7];
    Real c3(start = 3, fixed = true) = y[3], c6(start = 3, fixed = true) = y[6];
    Real g1 = 1e-6*(exp((y[2] - y[3])/0.026) - 1), g2 = 1e-6*(exp((y[5] - y[6])/0.026) - 1);
  protected
    constant Real U = 6, r = 9000, alpha = 0.99;
  equation
    1e-6*der(c12) = (y[1] - 0.1*sin(200*pi*time))/1000;
    -1e-6*der(c12) = y[2]/r + (y[2] - U)/r + (1 - alpha)*g1;
    -2e-6*der(c3) = y[3]/r - g1;
    3e-6*der(c45) = (y[4] - U)/r + alpha*g1;
    -3e-6*der(c45) = y[5]/r + (y[5] - U)/r + (1 - alpha)*g2;
    -4e-6*der(c6) = y[6]/r - g2;
    5e-6*der(c78) = (y[7] - U)/r + alpha*g2;
    -5e-6*der(c78) = y[8]/r;
    annotation(experiment(StopTime = 0.2));
  end Transistor;

  model RingModulator "Two sine waves are multiplied by four diodes; hundreds of oscillations at 1e-9 s"
    Real y[15](each start = 0, each fixed = true, nominal = {if k <= 7 then 1 else 1e-4 for k in 1:15})
      "Seven voltages, eight currents";
    Real u1 = 0.5*sin(2000*pi*time), u2 = 2*sin(20000*pi*time);
    Real u[4] = {y[3] - y[5] - y[7] - u2, -y[4] + y[6] - y[7] - u2, y[4] + y[5] + y[7] + u2, -y[3] - y[6] + y[7] + u2};
    Real q[4] = {40.67286402e-9*(exp(17.7493332*u[k]) - 1) for k in 1:4};
  protected
    constant Real C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, R = 25e3, Rp = 50, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4,
      Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600;
  equation
    C*der(y[1]) = y[8] - y[10]/2 + y[11]/2 + y[14] - y[1]/R;
    C*der(y[2]) = y[9] - y[12]/2 + y[13]/2 + y[15] - y[2]/R;
    Cs*der(y[3]) = y[10] - q[1] + q[4];
    Cs*der(y[4]) = -y[11] + q[2] - q[3];
    Cs*der(y[5]) = y[12] + q[1] - q[3];
    Cs*der(y[6]) = -y[13] - q[2] + q[4];
    Cp*der(y[7]) = -y[7]/Rp + q[1] + q[2] - q[3] - q[4];
    Lh*der(y[8]) = -y[1];
    Lh*der(y[9]) = -y[2];
    Ls2*der(y[10]) = y[1]/2 - y[3] - Rg2*y[10];
    Ls3*der(y[11]) = -y[1]/2 + y[4] - Rg3*y[11];
    Ls2*der(y[12]) = y[2]/2 - y[5] - Rg2*y[12];
    Ls3*der(y[13]) = -y[2]/2 + y[6] - Rg3*y[13];
    Ls1*der(y[14]) = -y[1] + u1 - (Ri + Rg1)*y[14];
    Ls1*der(y[15]) = -y[2] - (Rc + Rg1)*y[15];
    annotation(experiment(StopTime = 1e-3));
  end RingModulator;

  model Beam "An elastic beam of 40 pieces, clamped at one end, pushed at the other until t = pi"
    parameter Integer n = 40;
    Real y[2*n](each start = 0, each fixed = true) "Angles of the pieces, then their speeds";
    Real c[n], s[n] "Of the angle between a piece and the one before";
    Real v[n], w[n] "Torques and what couples the pieces along the beam";
    Real f = if time < pi then 1.5*sin(time)^2 else 0 "The force is {-f, f}";
  equation
    for i in 1:n loop
      c[i] = if i > 1 then cos(y[i] - y[i - 1]) else 0;
      s[i] = if i > 1 then sin(y[i] - y[i - 1]) else 0;
      v[i] = n^4*((if i > 1 then y[i - 1] else -y[1]) - 2*y[i] + (if i < n then y[i + 1] else y[n]))
        + n^2*f*(cos(y[i]) + sin(y[i]));
      (if i == 1 then 1 elseif i == n then 3 else 2)*w[i] - (if i > 1 then c[i]*w[i - 1] else 0)
        - (if i < n then c[i + 1]*w[i + 1] else 0)
        = y[n + i]^2 + (if i < n then s[i + 1]*v[i + 1] else 0) - (if i > 1 then s[i]*v[i - 1] else 0);
      der(y[i]) = y[n + i];
      der(y[n + i]) = (if i == 1 then 1 elseif i == n then 3 else 2)*v[i]
        - (if i > 1 then c[i]*v[i - 1] + s[i]*w[i - 1] else 0)
        - (if i < n then c[i + 1]*v[i + 1] - s[i + 1]*w[i + 1] else 0);
    end for;
    annotation(experiment(StopTime = 5));
  end Beam;

  model Fekete "Twenty points that repel each other on a sphere; constraints of position and of velocity"
    parameter Integer n = 20;
    Real p[n, 3](start = {{cos(a[i])*cos(b[i]), sin(a[i])*cos(b[i]), sin(b[i])} for i in 1:n});
    Real q[n, 3](each start = 0);
    Real lambda[n], mu[n];
  protected
    final parameter Real a[n] = {if i <= 3 then 2*pi*i/3 + pi/13 elseif i <= 10 then 2*pi*(i - 3)/7 + pi/29
      elseif i <= 16 then 2*pi*(i - 10)/6 + pi/7 else 2*pi*(i - 17)/4 + pi/17 for i in 1:n};
    final parameter Real b[n] = {if i <= 3 then 3*pi/8 elseif i <= 10 then pi/8 elseif i <= 16 then -2*pi/15
      else -3*pi/10 for i in 1:n};
  equation
    for i in 1:n loop
      der(p[i, :]) = q[i, :] + 2*mu[i]*p[i, :];
      for k in 1:3 loop
        der(q[i, k]) = sum((p[i, k] - p[j, k])/((p[i, :] - p[j, :])*(p[i, :] - p[j, :])) for j in cat(1, 1:i - 1, i + 1:n))
          - 0.5*q[i, k] + 2*lambda[i]*p[i, k];
      end for;
      p[i, :]*p[i, :] = 1;
      p[i, :]*q[i, :] = 0;
    end for;
    annotation(experiment(StopTime = 1000));
  end Fekete;

  model CarAxis "An axle on two springs, written with constraints between points"
    Real xl(start = 0), yl(start = 0.5, fixed = true), xr(start = 1), yr(start = 0.5, fixed = true);
    Real ul(start = -0.5), vl(start = 0, fixed = true), ur(start = -0.5), vr(start = 0, fixed = true);
    Real l1(start = 0), l2(start = 0);
    Real yb = 0.1*sin(10*time), xb = sqrt(1 - yb^2);
    Real Ll = sqrt(xl^2 + yl^2), Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  protected
    constant Real k = 10*0.01^2/2, L0 = 0.5;
  equation
    der(xl) = ul;
    der(yl) = vl;
    der(xr) = ur;
    der(yr) = vr;
    k*der(ul) = (L0 - Ll)*xl/Ll + l1*xb + 2*l2*(xl - xr);
    k*der(vl) = (L0 - Ll)*yl/Ll + l1*yb + 2*l2*(yl - yr) - k;
    k*der(ur) = (L0 - Lr)*(xr - xb)/Lr - 2*l2*(xl - xr);
    k*der(vr) = (L0 - Lr)*(yr - yb)/Lr - 2*l2*(yl - yr) - k;
    0 = xb*xl + yb*yl;
    0 = (xl - xr)^2 + (yl - yr)^2 - 1;
    annotation(experiment(StopTime = 3));
  end CarAxis;

  model Andrews "The squeezing mechanism by its mass matrix and the equations of its three loops"
    parameter Real drive = 0.033;
    // beta, theta, gamma, phi, delta, omega, epsilon
    Real q[7](start = {-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
      0.222668390165885884674473185609, 0.487364979543842550225598953530, -0.222668390165885884674473185609,
      1.23054744454982119249735015568}, fixed = {true, false, false, false, false, false, false});
    Real w[7](each start = 0, fixed = {true, false, false, false, false, false, false});
    Real l[6];
  protected
    constant Real m[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
    constant Real I[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
    constant Real xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, c0 = 4530, l0 = 0.07785;
    constant Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874,
      sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02,
      zt = 0.04, fa = 0.01421;
    Real xd, yd, L, F, fx, fy;
    Real be = q[1], th = q[2], ga = q[3], ph = q[4], de = q[5], om = q[6], ep = q[7];
    Real M11, M21, M54, M55, M76, M77;
  equation
    der(q) = w;
    M11 = m[1]*ra^2 + m[2]*(rr^2 - 2*da*rr*cos(th) + da^2) + I[1] + I[2];
    M21 = m[2]*(da^2 - da*rr*cos(th)) + I[2];
    M54 = m[4]*((e - ea)^2 + zt*(e - ea)*sin(ph)) + I[4];
    M55 = m[4]*(zt^2 + 2*zt*(e - ea)*sin(ph) + (e - ea)^2) + m[5]*(ta^2 + tb^2) + I[4] + I[5];
    M76 = m[6]*((zf - fa)^2 - u*(zf - fa)*sin(om)) + I[6];
    M77 = m[6]*((zf - fa)^2 - 2*u*(zf - fa)*sin(om) + u^2) + m[7]*(ua^2 + ub^2) + I[6] + I[7];
    xd = xb + sd*cos(ga) + sc*sin(ga);
    yd = yb + sd*sin(ga) - sc*cos(ga);
    L = sqrt((xd - xc)^2 + (yd - yc)^2);
    F = -c0*(L - l0)/L;
    fx = F*(xd - xc);
    fy = F*(yd - yc);
    // accelerations and Coriolis terms, drive and spring, forces of the loops
    M11*der(w[1]) + M21*der(w[2]) = drive - m[2]*da*rr*w[2]*(w[2] + 2*w[1])*sin(th)
      - (l[1] + l[3] + l[5])*(-rr*sin(be) + d*sin(be + th)) - (l[2] + l[4] + l[6])*(rr*cos(be) - d*cos(be + th));
    M21*der(w[1]) + (m[2]*da^2 + I[2])*der(w[2]) = m[2]*da*rr*w[1]^2*sin(th)
      - (l[1] + l[3] + l[5])*d*sin(be + th) + (l[2] + l[4] + l[6])*d*cos(be + th);
    (m[3]*(sa^2 + sb^2) + I[3])*der(w[3]) = fx*(sc*cos(ga) - sd*sin(ga)) + fy*(sd*cos(ga) + sc*sin(ga))
      + l[1]*ss*cos(ga) + l[2]*ss*sin(ga);
    (m[4]*(e - ea)^2 + I[4])*der(w[4]) + M54*der(w[5]) = m[4]*zt*(e - ea)*w[5]^2*cos(ph)
      + l[3]*e*cos(ph + de) + l[4]*e*sin(ph + de);
    M54*der(w[4]) + M55*der(w[5]) = -m[4]*zt*(e - ea)*w[4]*(w[4] + 2*w[5])*cos(ph)
      + l[3]*(e*cos(ph + de) - zt*sin(de)) + l[4]*(e*sin(ph + de) + zt*cos(de));
    (m[6]*(zf - fa)^2 + I[6])*der(w[6]) + M76*der(w[7]) = -m[6]*u*(zf - fa)*w[7]^2*cos(om)
      - l[5]*zf*sin(om + ep) + l[6]*zf*cos(om + ep);
    M76*der(w[6]) + M77*der(w[7]) = m[6]*u*(zf - fa)*w[6]*(w[6] + 2*w[7])*cos(om)
      - l[5]*(zf*sin(om + ep) - u*cos(ep)) + l[6]*(zf*cos(om + ep) + u*sin(ep));
    rr*cos(be) - d*cos(be + th) - ss*sin(ga) = xb;
    rr*sin(be) - d*sin(be + th) + ss*cos(ga) = yb;
    rr*cos(be) - d*cos(be + th) - e*sin(ph + de) - zt*cos(de) = xa;
    rr*sin(be) - d*sin(be + th) + e*cos(ph + de) - zt*sin(de) = ya;
    rr*cos(be) - d*cos(be + th) - zf*cos(om + ep) - u*sin(ep) = xa;
    rr*sin(be) - d*sin(be + th) - zf*sin(om + ep) + u*cos(ep) = ya;
    annotation(experiment(StopTime = 0.03));
  end Andrews;

  function drainCurrent "of a field effect transistor, Shichman and Hodges"
    input Real vds, vgs, vbs, vgd, vbd;
    input Real v0, gamma, phi, beta, reverse "beta where drain and source change places";
    output Real i;
  protected
    Real over;
  algorithm
    if vds > 0 then
      over := vgs - v0 - gamma*(sqrt(phi - vbs) - sqrt(phi));
      i := if over <= 0 then 0 elseif over <= vds then -beta*over^2*(1 + 0.02*vds)
        else -beta*vds*(2*over - vds)*(1 + 0.02*vds);
    else
      over := vgd - v0 - gamma*(sqrt(phi - vbd) - sqrt(phi));
      i := if over <= 0 then 0 elseif over <= -vds then reverse*over^2*(1 - 0.02*vds)
        else -reverse*vds*(2*over + vds)*(1 - 0.02*vds);
    end if;
  end drainCurrent;
  function junctionCurrent
    input Real v;
    output Real i;
  algorithm
    i := if v <= 0 then -1e-14*(exp(v/25.85) - 1) else 0;
  end junctionCurrent;
  function junctionCapacity
    input Real v;
    output Real c;
  algorithm
    c := if v <= 0 then 2.4e-5/sqrt(1 - v/0.87) else 2.4e-5*(1 + v/1.74);
  end junctionCapacity;

  model Nand "Three transistors of a gate; capacities depend on the voltage"
    Real y[14](start = {5, 5, B, B, 5, 3.62385, 5, B, B, 3.62385, 0, 3.62385, B, B}, each fixed = true);
    Real V1, V2, S1, S2, i1, i2, i3;
    Integer turn1 = integer(time/20), turn2 = integer(time/40);
  protected
    constant Real B = -2.5, D = 5, R = 4, Rb = 10, C = 0.6e-4, C9 = 0.5e-4;
    Real t1 = time - 20*turn1, t2 = time - 40*turn2;
    Real c35, c4, c59, c810, c1014, c13;
  equation
    S1 = if t1 > 15 then -1 elseif t1 > 10 then 0 elseif t1 > 5 then 1 else 0;
    V1 = if t1 > 15 then 20 - t1 elseif t1 > 10 then 5 elseif t1 > 5 then t1 - 5 else 0;
    S2 = if t2 > 35 then -1 elseif t2 > 20 then 0 elseif t2 > 15 then 1 else 0;
    V2 = if t2 > 35 then 40 - t2 elseif t2 > 20 then 5 elseif t2 > 15 then t2 - 15 else 0;
    i1 = drainCurrent(y[2] - y[1], y[5] - y[1], y[3] - y[5], y[5] - y[2], y[4] - D, -2.43, 0.2, 1.28, 5.35e-4, 5.35e-4);
    i2 = drainCurrent(y[7] - y[6], V1 - y[6], y[8] - y[10], V1 - y[7], y[9] - y[5], 0.2, 0.035, 1.01, 1.748e-3, 1.748e-4);
    i3 = drainCurrent(y[12] - y[11], V2 - y[11], y[13], V2 - y[12], y[14] - y[10], 0.2, 0.035, 1.01, 1.748e-3, 1.748e-4);
    c35 = junctionCapacity(y[3] - y[5]);
    c4 = junctionCapacity(y[4] - D);
    c59 = junctionCapacity(y[9] - y[5]);
    c810 = junctionCapacity(y[8] - y[10]);
    c1014 = junctionCapacity(y[14] - y[10]);
    c13 = junctionCapacity(y[13]);
    C*(der(y[1]) - der(y[5])) = -(y[1] - y[5])/R - i1;
    C*(der(y[2]) - der(y[5])) = -(y[2] - D)/R + i1;
    c35*(der(y[3]) - der(y[5])) = -(y[3] - B)/Rb + junctionCurrent(y[3] - y[5]);
    c4*der(y[4]) = -(y[4] - B)/Rb + junctionCurrent(y[4] - D);
    C*(2*der(y[5]) - der(y[1]) - der(y[2])) + c35*(der(y[5]) - der(y[3])) + c59*(der(y[5]) - der(y[9])) + C9*der(y[5])
      = -(y[5] - y[1])/R - junctionCurrent(y[3] - y[5]) - (y[5] - y[7])/R - junctionCurrent(y[9] - y[5]);
    C*der(y[6]) = C*S1 - (y[6] - y[10])/R - i2;
    C*der(y[7]) = C*S1 - (y[7] - y[5])/R + i2;
    c810*(der(y[8]) - der(y[10])) = -(y[8] - B)/Rb + junctionCurrent(y[8] - y[10]);
    c59*(der(y[9]) - der(y[5])) = -(y[9] - B)/Rb + junctionCurrent(y[9] - y[5]);
    c810*(der(y[10]) - der(y[8])) + c1014*(der(y[10]) - der(y[14])) + C9*der(y[10])
      = -(y[10] - y[6])/R - junctionCurrent(y[8] - y[10]) - (y[10] - y[12])/R - junctionCurrent(y[14] - y[10]);
    C*der(y[11]) = C*S2 - y[11]/R - i3;
    C*der(y[12]) = C*S2 - (y[12] - y[10])/R + i3;
    c13*der(y[13]) = -(y[13] - B)/Rb + junctionCurrent(y[13]);
    c1014*(der(y[14]) - der(y[10])) = -(y[14] - B)/Rb + junctionCurrent(y[14] - y[10]);
    annotation(experiment(StopTime = 80));
  end Nand;
end InitialValueProblems;
