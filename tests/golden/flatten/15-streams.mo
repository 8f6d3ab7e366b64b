model Streams "inStream, actualStream; sets of two and of three, and one seen from inside"
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;

  model Source
    Port port;
    parameter Real h0 = 1;
    Real mixed = inStream(port.h);
    Real actual = actualStream(port.h);
  equation
    port.p = 1;
    port.h = h0;
  end Source;

  model Pair
    Port edge;
    Source one(h0 = 2);
    Source two;
  equation
    connect(edge, one.port);
    connect(edge, two.port);
  end Pair;

  model Sink
    Port port;
  equation
    port.m = 2;
    port.h = 5;
  end Sink;

  Pair pair;
  Sink sink;
  Sink alone;
  Real unconnected = inStream(alone.port.h);
equation
  connect(pair.edge, sink.port);
end Streams;
