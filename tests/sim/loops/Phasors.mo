// A circle of connections whose overdetermined record (MLS 9.4) has no residuals, as that of phasors: a network, and no
// kinematic loop that could be cut.
// simulate: --stop 1
// zero: error 1e-12
model Phasors "a circle of connections whose record has no residuals: its potentials and flows are those of a network"
  record Reference
    Real gamma;
    function equalityConstraint
      input Reference a, b;
      output Real residue[0];
    algorithm
      assert(abs(a.gamma - b.gamma) < 1e-6, "other references");
    end equalityConstraint;
  end Reference;
  connector Pin
    Real v;
    flow Real i;
    Reference reference;
  end Pin;
  model Source
    Pin p, n;
    parameter Real V = 1;
  equation
    Connections.root(p.reference);
    Connections.branch(p.reference, n.reference);
    p.reference.gamma = time;
    n.reference.gamma = p.reference.gamma;
    p.v - n.v = V;
    p.i + n.i = 0;
  end Source;
  model Resistor
    Pin p, n;
    parameter Real R = 1;
  equation
    Connections.branch(p.reference, n.reference);
    n.reference.gamma = p.reference.gamma;
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Ground
    Pin p;
  equation
    Connections.potentialRoot(p.reference);
    if Connections.isRoot(p.reference) then
      p.reference.gamma = 0;
    end if;
    p.v = 0;
  end Ground;
  Source source;
  Resistor a, b(R = 3);
  Ground ground;
  Real error = a.p.i - 0.25;
equation
  connect(source.p, a.p);
  connect(a.n, b.p);
  connect(b.n, source.n);
  connect(source.n, ground.p);
end Phasors;
