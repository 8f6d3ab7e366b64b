// simulate: --step 1e-4
// methods: ali3p penalty half-explicit dopri5
// zero: error 1e-6
// moves: x 0.2
// zero: norm(der(phi)) 1e-2
model SliderCrankClosedForm "A prescribed crank: constraints that depend on time"
  extends Linkage.Benchmarks.SliderCrank;
end SliderCrankClosedForm;
