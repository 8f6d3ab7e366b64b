model EndlessBus
  expandable connector B
  end B;
  connector C = Real;
  B b;
  B c; // error F04: itself as a part
  C x;
equation
  connect(b, c.sub);
  connect(b.sub, c);
  connect(b.x, x);
  connect(b, b.me);
end EndlessBus;
