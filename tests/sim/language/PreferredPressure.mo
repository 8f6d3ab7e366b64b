// MLS 4.9.7.1: a preferred variable that is not differentiated is a state, here the pressure of a stiff volume
// simulate: --stop 3 --tolerance 1e-6
// methods: dopri5 ida esdirk
// zero: error 1e-5
// zero: left 1e-5
// moves: p 1e5
// agree: p 10
model PreferredPressure "Water of compressibility kappa flows in; its mass changes by a millionth"
  parameter Real V = 1, d0 = 1000, kappa = 4.6e-10, ps = 3e6, p0 = 1e5, T = 0.7;
  Real m, w, d;
  Real p(start = p0, fixed = true, nominal = 1e5, stateSelect = StateSelect.prefer);
  Real error = (p - ps - (p0 - ps)*exp(-time/T))/p;
  Real left = (p - ps)/(p0 - ps) - exp(-time/T);
  // preferred as well, and no states: of the time alone, without a derivative, beside p
  Real drive(stateSelect = StateSelect.prefer) = ps + 0*time;
  Real steps(stateSelect = StateSelect.prefer) = count(p);
  Real gauge(stateSelect = StateSelect.prefer) = p - 1e5;
  function count
    input Real p;
    output Real n = 0;
  algorithm
    while n < p/1e5 loop
      n := n + 1;
    end while;
  end count;
  function density
    input Real p;
    input Real d0, kappa, p0;
    output Real d;
  algorithm
    d := d0*exp(kappa*(p - p0));
    annotation(Inline = false, derivative(noDerivative = d0, noDerivative = kappa, noDerivative = p0) = density_der);
  end density;
  function density_der
    input Real p;
    input Real d0, kappa, p0;
    input Real p_der;
    output Real d_der;
  algorithm
    d_der := d0*kappa*exp(kappa*(p - p0))*p_der;
  end density_der;
equation
  m = V*d;
  d = density(p, d0, kappa, p0);
  der(m) = w;
  w = m*kappa*(drive - p)/T;
end PreferredPressure;
