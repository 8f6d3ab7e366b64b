// rung count examples/distillation.mo --sweep n=8,16,32
// model: Distillation
// simulate: --stop 400 --tolerance 1e-9
// methods: ida cvode
// constant: content 1e-7
// zero: late 1e-5
// moves: tray[1].x 0.2
model Distillation "A binary column with energy balances on its trays, by default at total reflux"
  connector LiquidOut "Flows down"
    output Real L(unit = "mol/s");
    output Real x "Mole fraction of the light component";
    output Real h(unit = "kJ/mol");
  end LiquidOut;
  connector LiquidIn
    input Real L(unit = "mol/s");
    input Real x "Mole fraction of the light component";
    input Real h(unit = "kJ/mol");
  end LiquidIn;
  connector VapourOut "Rises"
    output Real V(unit = "mol/s");
    output Real y "Mole fraction of the light component";
    output Real h(unit = "kJ/mol");
  end VapourOut;
  connector VapourIn
    input Real V(unit = "mol/s");
    input Real y "Mole fraction of the light component";
    input Real h(unit = "kJ/mol");
  end VapourIn;
  function enthalpyOfLiquid
    input Real x;
    output Real h;
  algorithm
    h := 2 - 0.5*x;
  end enthalpyOfLiquid;
  function enthalpyOfVapour
    input Real y;
    output Real h;
  algorithm
    h := 32 - 4*y;
  end enthalpyOfVapour;

  model Tray "What leaves it is in equilibrium; the liquid on it has a constant amount"
    LiquidIn above;
    LiquidOut below;
    VapourIn down;
    VapourOut up;
    parameter Real M(unit = "mol") = 1, alpha = 2.5 "Relative volatility";
    parameter Real Q(unit = "kW") = 0 "Heating";
    parameter Real F(unit = "mol/s") = 0, z = 0.5 "Liquid feed";
    Real x(fixed = true), y, h, H;
  equation
    y = alpha*x/(1 + (alpha - 1)*x);
    h = enthalpyOfLiquid(x);
    H = enthalpyOfVapour(y);
    below.x = x;
    below.h = h;
    up.y = y;
    up.h = H;
    above.L + down.V + F = below.L + up.V;
    M*der(x) = above.L*above.x + down.V*down.y - below.L*x - up.V*y + F*z;
    M*der(h) = above.L*above.h + down.V*down.h - below.L*h - up.V*H + F*enthalpyOfLiquid(z) + Q;
  end Tray;
  model Condenser "Sends a fraction of what comes up back down"
    VapourIn vapour;
    LiquidOut liquid;
    parameter Real M(unit = "mol") = 1, reflux = 1;
    Real x(fixed = true);
  equation
    liquid.x = x;
    liquid.h = enthalpyOfLiquid(x);
    liquid.L = reflux*vapour.V;
    M*der(x) = vapour.V*(vapour.y - x);
  end Condenser;
  model Bottom "Takes the liquid, gives no vapour"
    LiquidIn liquid;
    VapourOut vapour;
  equation
    vapour.V = 0;
    vapour.y = 0;
    vapour.h = 0;
  end Bottom;

  parameter Integer n = 8 "Number of trays, the lowest one heated";
  parameter Integer feed = div(n + 1, 2) "Number of the tray that is fed";
  parameter Real alpha = 2.5, Q = 30, M = 1, F = 0, z = 0.5, reflux = 1;
  Tray tray[n](each M = M, each alpha = alpha, Q = {if k == n then Q else 0 for k in 1:n},
    F = {if k == feed then F else 0 for k in 1:n}, each z = z, x(each start = 0.5));
  Condenser condenser(M = M, reflux = reflux, x(start = 0.5));
  Bottom bottom;
  output Real content = M*(condenser.x + sum(tray.x)) "Constant at total reflux";
  // Fenske: there, in the end, each tray enriches by the relative volatility
  output Real late = if time < 300 then 0
    else log(condenser.x/(1 - condenser.x)) - log(tray[n].x/(1 - tray[n].x)) - n*log(alpha);
equation
  connect(condenser.liquid, tray[1].above);
  connect(condenser.vapour, tray[1].up);
  for k in 2:n loop
    connect(tray[k - 1].below, tray[k].above);
    connect(tray[k - 1].down, tray[k].up);
  end for;
  connect(tray[n].below, bottom.liquid);
  connect(tray[n].down, bottom.vapour);
end Distillation;
