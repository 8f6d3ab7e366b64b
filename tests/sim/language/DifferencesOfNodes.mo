// simulate: --stop 3 --tolerance 1e-8
// methods: esdirk dopri5 ida
// zero: be 1e-7
// zero: bc 1e-7
// moves: vbe 0.3
// moves: vbc 0.3
model DifferencesOfNodes "Currents that jump at differences of node voltages, which are states, written with nodes and with states"
  function current "of a junction, which jumps at v = -0.2"
    input Real v;
    output Real i;
  algorithm
    i := if v > -0.2 then 0.1*(exp(v/0.3) - 1) else -0.02 + 0.1*v;
  end current;
  parameter Real RB = 1, RE = 0.2, RC = 2, Cbe = 0.3, Cbc = 0.1;
  Real u = sin(3*time), B, C, E, vbe(start = 0, fixed = true), vbc(start = 0, fixed = true), ib, ic, ie, ibe, ibc, ice;
  // the same by hand: the network is linear in its nodes
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), jbe, jbc, jce, nB, nC, nE, jb, jc, je;
  Real be = vbe - x, bc = vbc - y;
equation
  vbe = B - E;
  vbc = B - C;
  u - B = RB*ib;
  E = RE*ie;
  5 - C = RC*ic;
  ibe = current(B - E) + Cbe*der(vbe);
  ibc = current(B - C) + Cbc*der(vbc);
  ice = 2*max(0, current(C - E - 0.5)) + current(-(E - C))/10;
  ib = ibe + ibc;
  ie = ibe + ice;
  ic + ibc = ice;
  nE = nB - x;
  nC = nB - y;
  u - nB = RB*jb;
  nE = RE*je;
  5 - nC = RC*jc;
  jbe = current(x) + Cbe*der(x);
  jbc = current(y) + Cbc*der(y);
  jce = 2*max(0, current(x - y - 0.5)) + current(x - y)/10;
  jb = jbe + jbc;
  je = jbe + jce;
  jc + jbc = jce;
end DifferencesOfNodes;
