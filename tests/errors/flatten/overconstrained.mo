package P
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real r[0];
    algorithm
      r := fill(0.0, 0);
    end equalityConstraint;
  end Angle;
  connector C
    Angle a;
    flow Real f;
  end C;
end P;
model Main
  P.C c; // error F03: no root
  P.C d;
equation
  connect(c, d);
end Main;
