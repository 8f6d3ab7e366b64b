// A loop of three frames: the connection that closes it becomes equalityConstraint.
package Frames
  record Orientation
    Real c;
    Real s;
    encapsulated function equalityConstraint
      import Frames.Orientation;
      input Orientation a;
      input Orientation b;
      output Real residue[1];
    algorithm
      residue := {a.c*b.s - a.s*b.c};
    end equalityConstraint;
  end Orientation;
  connector Frame
    Real r;
    Orientation R;
    flow Real f;
  end Frame;
  model Root
    Frame f;
  equation
    Connections.root(f.R);
    f.r = 0;
    f.R = Orientation(1, 0);
  end Root;
  model Bar
    Frame a;
    Frame b;
  equation
    Connections.branch(a.R, b.R);
    b.r = a.r + 1;
    a.f + b.f = 0;
    if Connections.rooted(a.R) then
      b.R = a.R;
    else
      a.R = b.R;
    end if;
  end Bar;
  model Joint
    Frame a;
    Frame b;
    Real phi;
  equation
    Connections.branch(a.R, b.R);
    a.f + b.f = 0;
    b.f = b.r - a.r;
    if Connections.rooted(a.R) then
      b.R = Orientation(a.R.c*cos(phi) - a.R.s*sin(phi), a.R.s*cos(phi) + a.R.c*sin(phi));
    else
      a.R = Orientation(b.R.c*cos(phi) + b.R.s*sin(phi), b.R.s*cos(phi) - b.R.c*sin(phi));
    end if;
  end Joint;
  model Body
    Frame f;
    parameter Boolean canBeRoot = true;
    Real v;
  equation
    if canBeRoot then
      Connections.potentialRoot(f.R, 5);
    end if;
    v = der(f.r);
    if Connections.isRoot(f.R) then
      f.R = Orientation(0, 1);
      f.f = 0;
    else
      f.f = der(v);
    end if;
  end Body;
  model Loop
    Root root;
    Bar x;
    Joint y;
    Body tied;
  equation
    connect(root.f, x.a);
    connect(x.b, y.b);
    connect(y.a, root.f);
    connect(tied.f, x.b);
    assert(cardinality(root.f) == 2, "twice");
  end Loop;
  model Floating
    Bar x;
    Body a;
    Body b(canBeRoot = false);
  equation
    connect(b.f, x.a);
    connect(x.b, a.f);
  end Floating;
end Frames;
model Main
  extends Frames.Loop;
  Frames.Floating floating;
end Main;
