// MLS 5.4: a missing inner component that the model itself refers to is added with its equations, once; an inner
// component whose type is no base of the outer one's but has all of it stands for it.
// model: InnerOfTheModel.Ship
// simulate: --stop 1
// zero: error 1e-9
// moves: x 0.1
package InnerOfTheModel
  connector Out
    output Boolean on;
    Real d;
    flow Real n;
  end Out;
  model State
    output Boolean on = time > 0.5;
    Out port;
  equation
    port.on = on;
    port.d = 2;
  end State;
  model Wind
    parameter Real speed = 1;
    function along
      input Real x;
      output Real y;
    algorithm
      y := 2*x;
    end along;
  end Wind;
  model Storm "no Wind by inheritance"
    parameter Real speed = 3;
    parameter Real gusts = 4;
    function along
      input Real x;
      output Real y;
    algorithm
      y := 2*x;
    end along;
  end Storm;
  model Sail
    outer Wind wind;
    Real force = wind.along(wind.speed);
  end Sail;
  model Ship
    outer State root;
    inner Storm wind;
    Sail sail;
    Real x(start = 0, fixed = true);
    Real error = x - 8*time + 2*max(0, time - 0.5);
  equation
    der(x) = sail.force + (if root.on then 0 else root.port.d);
  end Ship;
end InnerOfTheModel;
