// Whole arrays, ranges, elements with structural subscripts, connectors inside connectors.
model ConnectorArrays
  connector In = input Real;
  connector Out = output Real;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Plug
    Pin pin[2];
    parameter Integer phases = 2;
  end Plug;
  block Gain
    In u[3];
    Out y[3];
    parameter Real k = 2;
  equation
    y = k*u;
  end Gain;
  model Machine
    Plug plug;
  equation
    for k in 1:plug.phases loop
      plug.pin[k].v = k*plug.pin[k].i + time;
    end for;
  end Machine;
  parameter Integer which = 2;
  Gain a;
  Gain b;
  Out y;
  Machine m[2];
equation
  a.u = {1, 2, 3}*time;
  connect(a.y[2:3], b.u[1:2]);
  connect(a.y[1], b.u[3]);
  connect(b.y[which], y);
  connect(m[1].plug, m[2].plug);
end ConnectorArrays;
