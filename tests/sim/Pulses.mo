// simulate: --stop 10
// methods: ida cvode esdirk dopri5
// ends: gauss 1 3e-5
// ends: lorentz 1.0 3e-5
// ends: sech 1 3e-5
// ends: box 1 6e-5
// ends: train 9 2e-4
// ends: gated -2.0 6e-5
// ends: decay 0.36787944117144233 3e-5
// ends: called 1 3e-5
// ends: hat 1 6e-5
// ends: short 1 3e-5
// ends: solved 1 3e-5
// ends: still 10 3e-5
// ends: squared 1 3e-5
// ends: steps 1 3e-5
model Pulses "Pulses in time that no step may pass over: a millionth of a second within ten"
  parameter Real w = 1e-6, c = 3.14159265358979;
  constant Real pi = 3.14159265358979323846, e = 1e-9;
  function bell
    input Real u;
    output Real y;
  algorithm
    y := exp(-u*u);
  end bell;
  Real gauss, lorentz, sech, box, train, gated, called, hat, short, solved, z(start = 1);
  Real squared, steps "of what goes from one level to another";
  Real still "there is a pulse that is of no matter";
  Real decay(start = 1, fixed = true);
initial equation
  {gauss, lorentz, sech, box, train, gated, called, hat, short, solved, still} = zeros(11);
  {squared, steps} = zeros(2);
equation
  der(gauss) = exp(-((time - c)/w)^2)/(w*sqrt(pi));
  der(lorentz) = 1/(1 + ((time - c)/w)^2)/(w*pi);
  der(sech) = 1/cosh((time - c)/w)^2/(2*w);
  der(box) = noEvent(if time > c and time < c + w then 1/w else 0);
  der(train) = sum(exp(-((time - k)/w)^2) for k in 1:9)/(w*sqrt(pi));
  der(gated) = -exp(-((time - c)/w)^2)*(2 + sin(time - c))/(w*sqrt(pi));
  der(decay) = -decay*exp(-((time - c)/w)^2)/(w*sqrt(pi));
  der(called) = bell((time - c)/w)/(w*sqrt(pi));
  der(hat) = max(0, 1 - abs(time - c)/w)/w;
  der(short) = exp(-((time - 7)/e)^2)/(e*sqrt(pi));
  z^3 + z = 2 + exp(-((time - c)/w)^2);
  der(solved) = (z^3 + z - 2)/(w*sqrt(pi));
  der(squared) = (1 - tanh((time - c)/w)^2)/(2*w);
  der(steps) = (tanh((time - c)/w) - tanh((time - c)/w - 1))/(2*w);
  der(still) = 1 + 1e-9*exp(-((time - c)/w)^2);
end Pulses;
