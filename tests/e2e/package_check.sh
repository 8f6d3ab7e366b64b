#!/bin/sh
# rung check of a package: a class that is partial only as long as what is replaceable in it has not been redeclared
# is no error (MLS 7.3, 4.4.2); a call of a partial function that nobody can replace is one.
# usage: package_check.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >Open.mo <<'M'
package Open
  partial package Medium
    replaceable partial function density
      input Real p;
      output Real d;
    end density;
    replaceable partial model Properties
      Real p, d;
    end Properties;
  end Medium;
  partial model Law
    Real u, y;
  end Law;
  partial model Ground
    Real slope;
  end Ground;
  function partialShape
    input Real x;
    output Real y;
  end partialShape;
  model Volume "its medium is chosen later, and handed on"
    replaceable package M = Medium;
    M.Properties inside;
    Real d = M.density(3);
    Pipe pipe(redeclare package M = M);
  end Volume;
  model Pipe
    replaceable package M = Medium;
    Real d = M.density(2);
  end Pipe;
  model Loop "its law is chosen later"
    replaceable Law law;
  equation
    law.u = time;
  end Loop;
  model Tyre "the ground is found around it"
    outer Ground ground;
    Real s = ground.slope;
  end Tyre;
  class Remark "no model: not balanced by itself"
    Real x, y;
  end Remark;
  model Noted
    Remark remark;
  end Noted;
end Open;
M
"$rung" check Open.mo >out 2>err || fail "Open.mo: $(cat err)"
grep -q ' 0 errors, 0 warnings' out || fail "Open.mo: $(cat out err)"
"$rung" simulate --model Open.Pipe Open.mo >out 2>err && fail "Open.Pipe ran"
grep -q 'F32.*is partial' err || fail "Open.Pipe: $(cat err)"

cat >Closed.mo <<'M'
package Closed
  package Medium
    replaceable partial function density
      input Real p;
      output Real d;
    end density;
  end Medium;
  partial function shape
    input Real x;
    output Real y;
  end shape;
  model Pipe
    Real d = shape(2);
  end Pipe;
end Closed;
M
"$rung" check Closed.mo >out 2>err && fail "Closed.mo passed"
grep -q "F32: function 'Closed.shape' has no algorithm: it is partial" err || fail "Closed.mo: $(cat err)"

exit $failed
