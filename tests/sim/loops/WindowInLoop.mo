// simulate: --tolerance 1e-6 --stop 1.2
// methods: esdirk dopri5 ida cvode
// ends: p 1 1e-4
// ends: q 1 1e-4
model WindowInLoop "conditions without events that a four-bar fulfils for a small part of a step"
  extends Linkage.Benchmarks.PlanarFourBars(N = 1);
  Real p(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  der(p) = if noEvent(foot[1].phi < -1.5 and foot[1].phi > -1.501) then -1000*foot[1].w else 0;
  der(q) = if noEvent(foot[1].phi - time < -2.2 and foot[1].phi - time > -2.201) then
    1000*(1 - foot[1].w) else 0;
end WindowInLoop;
