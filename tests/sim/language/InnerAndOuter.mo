// MLS 5.5: in equations and modifiers beside it, an element that is both inner and outer is the outer one; what is
// outer inside finds the inner one. `group` decays from 0.5 to 1, `whole` from 0.5 on; sources feed the port they mean.
// model: InnerAndOuter.Model
// simulate: --stop 2
// zero: error 1e-6
// zero: flows 1e-12
package InnerAndOuter
  connector Port
    Real v;
    flow Real i;
  end Port;
  model Source
    Port p;
  equation
    p.i = -1;
  end Source;
  model Root
    Boolean on = true;
    Port port;
  equation
    port.v = port.i - 1;
  end Root;
  model Decay
    outer Root root;
    Source s;
    Real x(start = 1, fixed = true);
  equation
    der(x) = if root.on then -x else 0;
    connect(s.p, root.port);
  end Decay;
  model Group
    parameter Real until;
    Source s[2];
    inner outer Root root(on = root.on and time <= until);
    Decay decay;
  equation
    for k in 1:2 loop
      connect(s[k].p, root.port);
    end for;
  end Group;
  model Model
    inner Root root(on = time >= 0.5);
    Group group(until = 1), whole(until = 3), none[1](each until = 0);
    Real error = abs(group.decay.x - exp(-max(0, min(time, 1) - 0.5))) +
      abs(whole.decay.x - exp(-max(0, time - 0.5))) + abs(none[1].decay.x - 1);
    // two of each group reach the root's port, one of each decay its group's
    Real flows = abs(root.port.i - 6) + abs(whole.s[2].p.v - 5) + abs(group.root.port.i - 1) + abs(group.decay.s.p.v);
  end Model;
end InnerAndOuter;
