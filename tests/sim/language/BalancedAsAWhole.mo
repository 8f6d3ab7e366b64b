// MLS 4.8: parts that are unbalanced on purpose, a sink that sets nothing for a source that sets both, where the
// whole has as many equations as unknowns: a warning, no error. The pressure that the valve finds is 2*m_flow^2 below.
// simulate: --stop 1
// zero: error 1e-9
// moves: source.port.m 0.1
model BalancedAsAWhole
  connector Port
    Real p;
    flow Real m;
  end Port;
  model Source "one equation more than unknowns"
    Port port;
  equation
    port.p = 10;
    port.m = -1 - time;
  end Source;
  model Valve
    Port a, b;
  equation
    a.m + b.m = 0;
    a.p - b.p = 2*a.m^2;
  end Valve;
  model Sink "one equation less"
    Port port;
  end Sink;
  Source source;
  Valve valve;
  Sink sink;
  Real error = sink.port.p - (10 - 2*(1 + time)^2);
equation
  connect(source.port, valve.a);
  connect(valve.b, sink.port);
end BalancedAsAWhole;
