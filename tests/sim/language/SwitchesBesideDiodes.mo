// Two legs of ideal transistors beside diodes drive a coil. While both lower transistors may conduct the current of the
// coil passes zero slowly, and then a diode instead of its transistor conducts in one leg, a transistor in the other: on
// the one side of the change s is a current, on the other a voltage of 1e-5 of it. Combinations that short-circuit the
// source are no measure of it. A leg conducts in both directions, as a resistance does: the second coil.
// simulate: --tolerance 1e-8
// methods: esdirk dopri5 ida
// zero: error 2e-6
// moves: i 10
model SwitchesBesideDiodes
  model Ideal "as those of the Modelica Standard Library"
    input Boolean fire;
    Real v, i, s;
    Boolean off = s < 0 or not fire;
  equation
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Ideal;
  model Leg
    input Boolean up;
    input Real i "out of the leg";
    Real v "of its middle";
    Ideal tp(fire = up), tn(fire = not up), dp(fire = true), dn(fire = true);
  equation
    tp.v = V - v;
    dp.v = -tp.v;
    tn.v = v;
    dn.v = -v;
    tp.i - dp.i - tn.i + dn.i = i;
  end Leg;
  constant Real Ron = 1e-5, Goff = 1e-5, V = 120;
  parameter Real L = 1e-2, R = 0.1, E = 10;
  Boolean first = mod(time, 2e-3) < 1.2e-3, second = mod(time, 2e-3) < 1.1e-3;
  Leg a(up = first, i = i), b(up = second, i = -i);
  Real i(start = 0, fixed = true), j(start = 0, fixed = true), error = i - j;
equation
  L*der(i) = a.v - b.v - R*i - E*sin(100*time);
  L*der(j) = (if first then V else 0) - (if second then V else 0) - (R + 2*Ron)*j - E*sin(100*time);
  annotation(experiment(StopTime = 0.1));
end SwitchesBesideDiodes;
