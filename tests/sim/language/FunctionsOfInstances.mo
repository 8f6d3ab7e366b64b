// MLS 7.3, 12.4.2: functions redeclared by way of others, constrained by values of the instance, as defaults
// model: FunctionsOfInstances.Model
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
package FunctionsOfInstances
  partial function Line
    input Real u;
    input Real shift = 0;
    output Real y;
  end Line;
  function scaled
    extends Line;
    input Real k = 1;
  algorithm
    y := k*u + shift;
  end scaled;
  function twice "a function that a function is given by default"
    extends Line;
    input Line f;
  algorithm
    y := f(f(u));
  end twice;
  model Plain
    replaceable function f = Line;
    Real y = f(time);
  end Plain;
  model Shifted
    parameter Real d = 10;
    replaceable function f = Line constrainedby Line(shift = d);
    Real y = f(time);
  end Shifted;
  model Renamed
    extends Plain(redeclare function f = g);
    replaceable function g = Line;
  end Renamed;
  model RenamedShifted
    extends Shifted(redeclare function f = g);
    replaceable function g = Line constrainedby Line(shift = 2*d);
  end RenamedShifted;
  partial model Road
    replaceable function position = Line;
  end Road;
  model Slope
    extends Road(redeclare function position = scaled(k = slope));
    parameter Real slope = 2;
  end Slope;
  model Shape
    extends Plain(redeclare function f = twice(final f = road.position));
    outer Road road;
  end Shape;
  model Model
    parameter Real k = 3;
    Renamed renamed(redeclare function g = scaled(k = k));
    Renamed other(redeclare function g = scaled(final k = 2*k));
    RenamedShifted both(redeclare function g = scaled(k = k));
    Shifted shifted(redeclare function f = scaled(final k = 4*k), d = 5);
    inner Slope road(slope = 5);
    Shape shape;
    Real error[5] = {renamed.y - 3*time, other.y - 6*time, both.y - 3*time - 10,
                     shifted.y - 12*time - 5, shape.y - 25*time};
  end Model;
end FunctionsOfInstances;
