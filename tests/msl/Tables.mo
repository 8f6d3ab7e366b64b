model Tables "external objects of the library: time, one-dimensional and two-dimensional tables, a root"
  Modelica.Blocks.Sources.CombiTimeTable parabola(table = [0, 0; 1, 1; 2, 4; 3, 9],
    smoothness = Modelica.Blocks.Types.Smoothness.ContinuousDerivative);
  Modelica.Blocks.Tables.CombiTable1Ds broken(table = [0, 0; 1, 2; 3, 4]);
  Modelica.Blocks.Tables.CombiTable2Ds saddle(table = [0, 1, 2; 0, 0, 1; 1, 1, 3]);
  Real slope = der(parabola.y[1]);
  Real x(start = 0, fixed = true);
  Real root = Modelica.Math.Nonlinear.solveOneNonlinearEquation(function cubic(a = 1 + time), 0, 4);
  function cubic
    extends Modelica.Math.Nonlinear.Interfaces.partialScalarFunction;
    input Real a;
  algorithm
    y := u^3 + a*u - 2;
  end cubic;
  Real off[5] "what they are and what they should be";
equation
  broken.u = time;
  saddle.u1 = time/2;
  saddle.u2 = 1.5;
  der(x) = broken.y[1];
  off[1] = slope - 2*time;
  off[2] = broken.y[1] - (if noEvent(time < 1) then 2*time else 1 + time);
  off[3] = saddle.y - (1 + 1.5*time)/2;
  off[4] = x - (if noEvent(time < 1) then time^2 else 1 + (time - 1) + (time^2 - 1)/2);
  off[5] = root^3 + (1 + time)*root - 2;
end Tables;
