// Expandable connectors: parts that connections add, that other buses give, that nothing uses.
package Buses
  connector In = input Real;
  connector Out = output Real;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  model Load
    Flange f;
    input Real tau;
  equation
    f.tau = tau;
  end Load;
  model Turn
    Flange f;
    input Real phi;
  equation
    f.phi = phi;
  end Turn;
  expandable connector SubBus
  end SubBus;
  expandable connector Bus
    Real speed(unit = "rad/s");
    Real unused;
    SubBus sub;
  end Bus;
  expandable connector Empty
  end Empty;
  model Sensor
    Bus bus;
    Out w;
    Out q[2];
  equation
    w = time;
    q = {1, 2}*time;
    connect(w, bus.speed);
    connect(q, bus.q);
  end Sensor;
  model Controller
    Empty bus;
    In u;
    In p;
    Load end_(tau = u + p);
  equation
    connect(bus.speed, u);
    connect(bus.q[2], p);
    connect(bus.shaft, end_.f);
  end Controller;
  model Drive
    Bus bus;
    Turn end_(phi = 2*time);
    Out temperature = 300;
  equation
    connect(end_.f, bus.shaft);
    connect(temperature, bus.sub.temperature);
  end Drive;
  model All
    Sensor s;
    Controller c;
    Drive d;
    Empty wire;
    Out t;
  equation
    connect(s.bus, wire);
    connect(wire, c.bus);
    connect(d.bus, wire);
    connect(wire.sub.temperature, t);
  end All;
end Buses;
model Main
  extends Buses.All;
end Main;
