// simulate: --method trapezoid --step 1e-3 --interval 0.1
// ends: s 0.6196229171 1e-4
model GovernorTrapezoid "A stiff governor by the trapezoidal rule"
  extends Linkage.Benchmarks.FlyballGovernor;
end GovernorTrapezoid;
