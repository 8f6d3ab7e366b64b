// The default controls its error whatever stop and interval are: 6.64 J are kept.
// simulate: --stop 1 --interval 0.1 --tolerance 1e-6
// ends: crank.phi -0.81828 1e-5
// constant: E 1e-5
// zero: norm(phi) 1e-7
// zero: norm(der(der(phi))) 1e-3
// moves: crank.phi 0.5
model LoopsByDefault "A closed loop with nothing said of the method"
  extends Linkage.Benchmarks.SpatialFourBar;
end LoopsByDefault;
