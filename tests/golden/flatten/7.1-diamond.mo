// What is inherited twice is there once; equations too.
model Diamond
  partial model Root
    Real x;
    parameter Real p = 1;
  equation
    x = p*time;
  end Root;
  partial model Left
    extends Root;
    Real l = x;
  end Left;
  partial model Right
    extends Root;
    Real r = -x;
  end Right;
  extends Left;
  extends Right;
end Diamond;
