// A planar four-bar of hinges in a connector that has the position beside its overdetermined record,
// as that of MLS 9.4: three of six constraints are redundant, in a plane that no axis is along. The
// same of Linkage's parts is the reference.
// simulate: --tolerance 1e-9 --stop 2 --interval 0.05
// methods: esdirk dopri5
// zero: d[1] 1e-7
// zero: d[2] 1e-7
// moves: rocker.phi 0.1
// constant: E 1e-6
// zero: norm(phi) 1e-8
model PositionBesideRecord "Redundant constraints, positions apart from rotations"
  record Orientation
    Real T[3, 3] "from the world to the frame";
    Real w[3] "angular velocity in the frame";
    function equalityConstraint
      input Orientation a;
      input Orientation b;
      output Real residue[3];
    algorithm
      residue := {a.T[2, :]*b.T[3, :], a.T[3, :]*b.T[1, :], a.T[1, :]*b.T[2, :]};
      annotation(Inline = true);
    end equalityConstraint;
  end Orientation;
  connector Frame
    Real r[3] "in the world";
    Orientation R;
    flow Real f[3] "in the frame";
    flow Real t[3];
  end Frame;
  model Ground
    parameter Real at[3] = zeros(3);
    Frame a;
  equation
    Connections.root(a.R);
    a.r = at;
    a.R.T = identity(3);
    a.R.w = zeros(3);
  end Ground;
  model Hinge
    parameter Real n[3];
    final parameter Real e[3] = n/sqrt(n*n);
    Real phi(stateSelect = StateSelect.prefer), w(stateSelect = StateSelect.prefer);
    Frame a, b;
  protected
    Real Q[3, 3] = [e]*transpose([e]) + (identity(3) - [e]*transpose([e]))*cos(phi) - skew(e)*sin(phi);
  equation
    Connections.branch(a.R, b.R);
    der(phi) = w;
    b.r = a.r;
    if Connections.rooted(a.R) then
      b.R.T = Q*a.R.T;
      b.R.w = Q*a.R.w + e*w;
    else
      a.R.T = transpose(Q)*b.R.T;
      a.R.w = transpose(Q)*b.R.w - e*w;
    end if;
    zeros(3) = a.f + transpose(Q)*b.f;
    zeros(3) = a.t + transpose(Q)*b.t;
    0 = b.t*e;
  end Hinge;
  model Rod "of a point mass in the middle and inertia about each axis"
    parameter Real r[3], m = 1, J = 0.1;
    Frame a, b;
    Real c[3] = a.r + transpose(a.R.T)*r/2, v[3] = der(c), w[3] = a.R.w, E;
  protected
    Real force[3] = m*a.R.T*(der(v) + {0, 9.81, 0});
  equation
    Connections.branch(a.R, b.R);
    b.r = a.r + transpose(a.R.T)*r;
    b.R.T = a.R.T;
    b.R.w = a.R.w;
    zeros(3) = force - a.f - b.f;
    J*der(w) = a.t + b.t + cross(r, b.f) - cross(r/2, force);
    E = 0.5*m*v*v + 0.5*J*w*w + 9.81*m*c[2];
  end Rod;
  model Same
    inner Linkage.World world(g = 9.81, n = {0, -1, 0});
    parameter Real n[3];
    Linkage.Joints.Revolute crank(n = n, phi(start = 0, fixed = true), w(start = 3, fixed = true)), knee(n = n), last(n = n), rocker(n = n);
    Linkage.Parts.FixedTranslation ground(r = rg), a(r = ra), b(r = rb), c(r = rc);
    Linkage.Parts.Body ma(m = 1, r_CM = ra/2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1), mb(m = 1, r_CM = rb/2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1), mc(m = 1, r_CM = rc/2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
    parameter Real ra[3], rb[3], rc[3], rg[3];
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, a.frame_a);
    connect(crank.frame_b, ma.frame_a);
    connect(a.frame_b, knee.frame_a);
    connect(knee.frame_b, b.frame_a);
    connect(knee.frame_b, mb.frame_a);
    connect(world.frame_b, ground.frame_a);
    connect(ground.frame_b, rocker.frame_a);
    connect(rocker.frame_b, c.frame_a);
    connect(rocker.frame_b, mc.frame_a);
    connect(b.frame_b, last.frame_a);
    connect(last.frame_b, c.frame_b);
  end Same;
  constant Real u[3] = {2, 1, -1}/sqrt(6), v[3] = {0, 1, 1}/sqrt(2), n[3] = cross(u, v);
  constant Real ra[3] = 0.2*u + 0.1*v, rb[3] = 0.5*u + 0.3*v, rc[3] = 0.1*u + 0.4*v, rg[3] = 0.6*u;
  Ground world;
  Rod base(r = rg);
  Hinge crank(n = n, phi(start = 0, fixed = true), w(start = 3, fixed = true)), knee(n = n), last(n = n), rocker(n = n);
  Rod a(r = ra), b(r = rb), c(r = rc);
  Same same(n = n, ra = ra, rb = rb, rc = rc, rg = rg);
  Real E = a.E + b.E + c.E, d[2] = {crank.phi - same.crank.phi, rocker.phi - same.rocker.phi};
equation
  connect(world.a, crank.a);
  connect(crank.b, a.a);
  connect(a.b, knee.a);
  connect(knee.b, b.a);
  connect(world.a, base.a);
  connect(base.b, rocker.a);
  connect(rocker.b, c.a);
  connect(b.b, last.a);
  connect(last.b, c.b);
end PositionBesideRecord;
