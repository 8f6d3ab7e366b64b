// simulate: --tolerance 1e-11
// methods: ida dopri5
// ends: l[1] 0.0493455784275402809 1e-8
// ends: l[2] 0.496989460230171154 1e-8
// ends: r[1] 1.04174252488542152 1e-8
// ends: r[2] 0.373911027265361257 1e-8
model CarAxisReference "Against the reference of the IVP test set"
  extends Linkage.Benchmarks.CarAxis;
end CarAxisReference;
