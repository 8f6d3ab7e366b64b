// Where a diode opens currents are 1e-9 of those before, and conductances chosen as divisors before the
// run are 1e-5: relations lose digits in the elimination and find no consistent values, unless
// equations are solved with pivoting at run time. Without states nothing else tells.
// simulate: --stop 0.05 --interval 0.0005
// moves: u[1] 10
// zero: between 1e-9
model DiodesInParallel "ideal diodes behind a source"
  model Diode "MLS 8.5: a curve by its parameter s"
    parameter Real knee = 0, closed = 1e-5, open = 1e-5;
    Real u, i, s;
    Boolean off(start = true);
  equation
    off = s < 0;
    u = s*(if off then 1 else closed) + knee;
    i = s*(if off then open else 1) + open*knee;
  end Diode;
  Diode d[4](knee = {0.7, 0, 0, 0.7});
  Real u[3], source = 10*sin(314*time + 1.6), i = (source - u[1])/5;
  Real between = max(0, min(u[2] - u[1] - 0.71, u[2])) "the first diode conducts beyond its knee";
equation
  d.u = {u[2] - u[1], u[3] - u[1], u[1] - u[2], u[1] - u[2]};
  i + d[1].i + d[2].i = u[1]/1e5 + d[3].i + d[4].i;
  d[3].i + d[4].i = d[1].i + u[2]/1e3;
  d[2].i + u[3]/1e5 = 0;
end DiodesInParallel;
