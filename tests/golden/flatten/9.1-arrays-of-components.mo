// Connectors of arrays of components are arrays; slices; components in conditional arrays.
model Arrays
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model R
    Pin p;
    Pin n;
    parameter Real r = 1;
  equation
    p.v - n.v = r*p.i;
    p.i + n.i = 0;
  end R;
  model Ladder
    parameter Integer n = 2;
    R step[n](r = 1:n);
    R rung_[n, 2](each r = 10);
    Pin out[n];
    Pin extra[n] if n > 2;
  equation
    connect(step.p, rung_[:, 1].p);
    connect(step.n, rung_[:, 2].p);
    for k in 1:n - 1 loop
      connect(rung_[k, 1].n, rung_[k + 1, 1].n);
    end for;
    connect(rung_[:, 2].n, out);
    connect(out, extra);
  end Ladder;
  Ladder ladder;
  Real v[2] = ladder.rung_[:, 1].n.v;
  Real sum_ = sum(ladder.step[1:2].r) + ladder.step[end].r;
end Arrays;
