Chapter 15: stream connectors.

// illegal stream-no-flow: 
connector C
  Real p;
  stream Real h;
end C;
model M
  C c;
equation
  c.p = 1;
  c.h = 2;
end M;
// illegal stream-two-flows: 
connector C
  Real p, q;
  flow Real m, n;
  stream Real h;
end C;
model M
  C c;
equation
  c.p = 1;
  c.q = 1;
  c.h = 2;
end M;
// legal stream-two-flows
connector C
  Real p;
  flow Real m;
  stream Real h, s;
end C;
model M
  C c;
equation
  c.p = 1;
  c.h = 2;
  c.s = 2;
end M;
// legal stream-no-flow
connector C
  Real p;
  flow Real m;
  stream Real h;
end C;
model M
  C c;
equation
  c.p = 1;
  c.h = 2;
end M;
