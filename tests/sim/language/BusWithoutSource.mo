// model: BusWithoutSource.Whole
// simulate: --stop 1
// zero: off 1e-12
// moves: user.u 0.5
package BusWithoutSource "An element of a bus that is connected to an absent component alone is not there (MLS 9.1.3)"
  expandable connector Bus
    Real a, b;
  end Bus;
  connector RealOutput = output Real;
  connector RealInput = input Real;
  block Source
    RealOutput y = 3*time;
  end Source;
  model Reader
    parameter Boolean has = false;
    Bus bus;
    Source one;
    Source two if has;
  equation
    connect(one.y, bus.a);
    connect(two.y, bus.b);
  end Reader;
  model User
    Bus bus;
    RealInput u;
  equation
    connect(bus.a, u);
  end User;
  model Whole
    Reader reader;
    Bus bus;
    User user;
    Real off = user.u - 3*time;
  equation
    connect(reader.bus, bus);
    connect(bus, user.bus);
  end Whole;
end BusWithoutSource;
