model ClassExtends "redeclare class extends of what has been so redeclared already"
  package Base
    replaceable record State
    end State;
    replaceable function f
      input State s;
      output Real y;
    end f;
    replaceable model Kind = Plain;
  end Base;
  model Plain
  end Plain;
  package Second
    extends Base;
    redeclare replaceable record extends State
      Real p;
    end State;
  end Second;
  package Third
    extends Second;
    redeclare record extends State
      Real q[2];
    end State;
    redeclare function extends f
    algorithm
      y := s.p + s.q[2];
    end f;
  end Third;
  /* the same replaceable class inherited twice, with other words about it */
  model Left
    replaceable package Medium = Base "of the left";
  end Left;
  model Right
    replaceable package Medium = Base "of the right" annotation(choicesAllMatching = true);
  end Right;
  model Both
    extends Left;
    extends Right;
    Medium.State s;
  equation
    s.p = time;
    s.q = {1, Medium.f(s)};
  end Both;
  Both both(redeclare package Medium = Third);
end ClassExtends;
