model UnbalancedConnector "MLS 9.3: as many flow variables as potential ones; 15.1: one for streams"
  connector Pin // error F07: connector UnbalancedConnector.Pin is not balanced: it has 1 flow variable and 2 that are neither
    Real v, extra;
    flow Real i;
  end Pin;

  connector Port // error F07: connector UnbalancedConnector.Port has stream variables, so it needs one flow variable, not 2
    Real p, q;
    flow Real m, n;
    stream Real h;
  end Port;

  model Source
    Pin pin;
    Port port;
  equation
    pin.v = 1;
    pin.extra = 2;
    port.p = 1;
    port.q = 2;
    port.h = 3;
  end Source;

  Source source;
end UnbalancedConnector;
