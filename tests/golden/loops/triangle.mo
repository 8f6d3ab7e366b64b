// Three hinges in a ring. The connection that closes it is cut (MLS 9.4): what flows there is a
// multiplier, an input; its constraint leaves the System.
model Triangle
  record Angle
    Real phi;
    function equalityConstraint
      input Angle a, b;
      output Real residue[1];
    algorithm
      residue := {b.phi - a.phi};
    end equalityConstraint;
  end Angle;
  connector Flange
    Angle r;
    flow Real t;
  end Flange;
  model Ground
    Flange b;
  equation
    Connections.root(b.r);
    b.r.phi = 0;
  end Ground;
  model Hinge
    Flange a, b;
    Real q(start = 0), w;
  equation
    Connections.branch(a.r, b.r);
    b.r.phi = a.r.phi + q;
    w = der(q);
    der(w) = b.t;
    a.t + b.t = 0;
  end Hinge;
  Ground ground;
  Hinge h[3];
equation
  connect(ground.b, h[1].a);
  connect(h[1].b, h[2].a);
  connect(h[2].b, h[3].a);
  connect(h[3].b, ground.b);
end Triangle;
