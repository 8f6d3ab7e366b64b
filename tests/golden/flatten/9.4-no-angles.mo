// Overdetermined types of which a connector has none: Connections says nothing then.
package Phases
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Angle;
  connector Terminal
    parameter Integer n = 0;
    Angle theta[n];
    Real v;
    flow Real i;
  end Terminal;
  model Source
    Terminal a;
  equation
    Connections.root(a.theta);
    a.v = time;
  end Source;
  model Load
    Terminal a, b;
  equation
    Connections.branch(a.theta, b.theta);
    Connections.potentialRoot(b.theta);
    a.i + b.i = 0;
    a.i = a.v - b.v;
  end Load;
end Phases;
model Main
  Phases.Source source;
  Phases.Load load;
equation
  connect(source.a, load.a);
end Main;
