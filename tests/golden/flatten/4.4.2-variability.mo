// Parameters, constants, inputs and outputs of the model; bound inputs; records of parameters.
model Variability
  connector In = input Real;
  record Data
    Real a = 1;
    Integer k = 2;
    constant Real c = 3;
  end Data;
  block B
    input Real u = 5;
    input Real w;
    output Real y = u + w;
  end B;
  input Real u(unit = "V");
  input Integer n;
  output Real y;
  In plug;
  input Real bound = 2*time;
  parameter Data data(a = 4);
  Data varying(k = n);
  constant Real pi2 = 2*3;
  B b(w = time);
  discrete Real d;
protected
  parameter Real hidden = data.a*data.c;
equation
  y = u + n + plug + hidden + varying.c;
  when n > 2 then
    d = pi2;
  end when;
end Variability;
