// MLS 18.3: what InlineAfterIndexReduction keeps as a call depends on all its arguments until it is expanded
// simulate: --stop 3 --tolerance 1e-9
// zero: error 1e-7
// moves: w[1] 1
model ExpandedLater "By the calls w[2] and u[2] could both be states; they are the same"
  function same
    input Real v[2];
    output Real y[2];
  algorithm
    y := {v[1], v[2]};
    annotation(InlineAfterIndexReduction = true, derivative = same_der);
  end same;
  function same_der
    input Real v[2], dv[2];
    output Real dy[2];
  algorithm
    dy := dv;
    annotation(InlineAfterIndexReduction = true);
  end same_der;
  Real w[2](start = {1, 0}, each fixed = true, stateSelect = {StateSelect.default, StateSelect.prefer});
  Real u[2](stateSelect = {StateSelect.default, StateSelect.prefer}) = same(w);
  Real z[2] = der(u);
  Real error = abs(w[1] - cos(time)) + abs(z[1] + sin(time)) + abs(z[2] - cos(time));
equation
  der(w) = {-w[2], w[1]};
end ExpandedLater;
