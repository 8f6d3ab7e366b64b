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
grep -q "F32: function 'Closed.shape' is partial, so it is not called" err || fail "Closed.mo: $(cat err)"

# What the specification forbids and can mean one thing only: a warning, an error with --strict.
cat >Clear.mo <<'M'
package Clear
  model Conditional
    Real x = time if true;
    Real y = x;
  end Conditional;
  model Arrays
    model T
      parameter Real p;
      Real x = p * time;
    end T;
    T t[2](p = 3), u(each p = 2);
    Real v[2](start = 1, each fixed = true);
    Boolean b = t[2].p == 3;
  equation
    der(v) = {1, 1};
  end Arrays;
  model Again
    replaceable model B = Arrays;
    B b;
  end Again;
  model Once
    extends Again(redeclare model B = Arrays);
  end Once;
  model Twice
    extends Once(redeclare model B = Arrays);
  end Twice;
  record Icon
  end Icon;
  package Data
    extends Icon;
    constant Real c = 3;
  end Data;
  model Reads
    Real y = Data.c * time;
  end Reads;
end Clear;
M
"$rung" check Clear.mo >out 2>err || fail "Clear.mo: $(cat err)"
grep -q ' 0 errors, ' out || fail "Clear.mo: $(cat out err)"
"$rung" check --strict Clear.mo >out 2>err && fail "Clear.mo passed --strict"
for code in N43 N47 T32 T03 N09; do
  grep -q "error $code" err || fail "Clear.mo --strict without $code: $(cat err)"
done
"$rung" simulate --model Clear.Arrays Clear.mo --stop 2 --interval 2 -o - >out 2>/dev/null || fail "Clear.Arrays"
[ "$(tail -n 1 out | cut -d, -f1)" = 2 ] || fail "Clear.Arrays: $(cat out)"

exit $failed
