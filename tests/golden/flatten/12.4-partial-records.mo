model PartialRecords "a function may leave parts of a record without a value that nobody uses"
  record Properties
    Real p;
    Real rho;
    Real unused;
  end Properties;
  function of_pressure
    input Real p;
    output Properties x;
  algorithm
    x.p := p;
    x.rho := p/2;
  end of_pressure;
  function density
    input Real p;
    output Real rho;
  protected
    Properties x;
  algorithm
    x := of_pressure(p);
    rho := x.rho;
  end density;
  parameter Integer chosen(fixed = false) "solved for at the start";
  Real a[3] = {time, 2*time, 3*time};
  Real y = density(time);
  Real z = a[chosen];
initial equation
  chosen = 2;
end PartialRecords;
