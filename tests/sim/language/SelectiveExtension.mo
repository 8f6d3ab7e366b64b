// MLS 7.4: what a base has is left out: a component on a connection, another in place of one that is
// not replaceable, a model of what is left
// simulate: --stop 1 --interval 1 --tolerance 1e-9
// ends: a.filter.y 2.207276647028654 1e-6
// ends: b.controller.y 1.103638323514327 1e-6
// ends: c.plant.y 3 1e-12
model SelectiveExtension
  connector In = input Real;
  connector Out = output Real;
  block Gain
    In u;
    Out y = k * u;
    parameter Real k = 2;
  end Gain;
  block Slow
    In v;
    Out y;
  equation
    der(y) = v - y;
  end Slow;
  block Source
    Out y = time;
  end Source;
  partial model Base
    Gain plant(k = 3) "plant";
    Gain unused if false;
  end Base;
  model System
    extends Base;
    Gain controller;
    Source reference;
  equation
    connect(reference.y, controller.u);
    if true then
      for i in 1:1 loop
        connect(controller.y, /* a comment */ plant.u);
      end for;
    end if;
  end System;
  model Filtered "a component on a connection"
    extends System(break connect(plant.u, controller.y), controller(k = 5));
    Slow filter(y(start = 1, fixed = true));
  equation
    connect(controller.y, filter.v);
    connect(filter.y, plant.u);
  end Filtered;
  model Replaced "what is not replaceable"
    extends System(break controller, break unused);
    Slow controller(y(start = 1, fixed = true));
  equation
    connect(reference.y, controller.v);
    connect(controller.y, plant.u);
  end Replaced;
  model Reused "of what is left"
    extends Filtered(break reference, break filter);
    In u;
  equation
    connect(u, controller.u);
    connect(u, plant.u);
  end Reused;
  Filtered a;
  Replaced b(controller(y(start = 2)));
  Reused c(u = time);
end SelectiveExtension;
