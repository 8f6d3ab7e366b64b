// Outer modifiers win over inner ones; nested ones meet; break removes a binding.
model Merge
  model A
    parameter Real a = 1;
    parameter Real b = 2;
    parameter Real c = 3;
    Real x(start = a, min = b) = c;
  end A;
  model B
    A inside(a = 10, b = 20);
  end B;
  model C
    extends B(inside(b = 200, x(nominal = 5)));
    parameter Real own = 7;
  end C;
  C one(inside(a = 1000, x(start = own2)));
  C two(inside.c = 3000);
  parameter Real own2 = 8;
  model D = A(c = 33);
  D three(b = one.own);
end Merge;
