// MLS 7.3.2: what a constraining clause redeclares has been redeclared already, by the constraining clause of the
// function that is brought.
// model: ConstrainedTwice.Pump
// simulate: --stop 1
// zero: error 1e-12
package ConstrainedTwice
  package Water
    constant Real d = 1000;
  end Water;
  package Oil
    extends Water(d = 800);
  end Oil;
  partial function rise
    replaceable package M = Water;
    input Real q;
    output Real dp;
  end rise;
  function linear
    extends rise;
  algorithm
    dp := M.d*q;
  end linear;
  partial model Machine
    replaceable package M = Oil;
    replaceable function law = linear constrainedby rise(redeclare package M = M);
    Real dp = law(time);
  end Machine;
  model Pump
    extends Machine(redeclare function law = ofPump);
    replaceable function ofPump = linear constrainedby rise(redeclare package M = M);
    Real error = dp - 800*time;
  end Pump;
end ConstrainedTwice;
