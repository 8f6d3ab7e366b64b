#!/bin/sh
# What stands at the head of a model of tests/sim is read whole: a check that could not fail, or that
# would not be read, makes the test fail, and so does a trajectory that breaks its check.
# usage: checks.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
trajectory_test=$(dirname "$rung")/trajectory_test

# says STATUS TEXT: the head on stdin, before a model of der(x) = -x; TEXT must be said
n=0
says() {
    n=$((n + 1))
    {
        cat
        printf 'model Decay%d\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Decay%d;\n' $n $n
    } >Decay$n.mo
    "$trajectory_test" "$rung" "$dir" Decay$n.mo >log 2>&1
    got=$?
    [ $got -eq "$1" ] && grep -qF -- "$2" log || fail "status $got, or '$2' is not said: $(cat Decay$n.mo log)"
}

# what holds, and what does not
says 0 'ends' <<'END'
// A decay, to e^-1.
// simulate: --tolerance 1e-9
// ends: x 0.36787944117144233 1e-6
END
says 1 'FAILED' <<'END'
// ends: x 0.36 1e-6
END
says 1 'FAILED' <<'END'
// constant: x 1e-6
END
says 1 'FAILED' <<'END'
// moves: x 2
END
says 0 'agree' <<'END'
// simulate: --step 1e-3 --tolerance 1e-9
// methods: dopri5 rk4
// agree: x 1e-6
END
says 1 'FAILED' <<'END'
// simulate: --step 0.25
// methods: dopri5 euler
// agree: x 1e-6
END

# what could not fail
says 1 'Decay7.mo:1: one method agrees with itself' <<'END'
// methods: dopri5
// agree: x 1e-6
END
says 1 'one method agrees with itself' <<'END'
// agree: x 1e-6
END
says 1 'Decay9.mo:1: a method twice: rk4' <<'END'
// methods: rk4 rk4
// agree: x 1e-6
END
says 1 'Decay10.mo:2: a check without a bound: x' <<'END'
// ends: x 0.36787944117144233 1e-3
// zero: x
END
says 1 'a check without a bound: x 0.36787944117144233' <<'END'
// ends: x 0.36787944117144233
END
says 1 'a check without a bound' <<'END'
// moves: x 0.1
// constant:
END
says 1 'more than a check: x 0.1 within a second' <<'END'
// moves: x 0.1 within a second
END
says 1 'everything keeps this bound: x inf' <<'END'
// zero: x inf
END
says 1 'everything keeps this bound: x 0' <<'END'
// moves: x 0
END
says 1 'there is no such check: end' <<'END'
// moves: x 0.1
// end: x 1 1e-3
END
says 1 "the result has no 'y'" <<'END'
// zero: y 1e-3
END
says 1 'says nothing to check' <<'END'
// A decay.
END
says 1 'Decay19.mo:4: stands after the head of the file: zero' <<'END'
// moves: x 0.1

// A remark.
// zero: x 1e-3
END

[ $failed -eq 0 ] && echo "no check is empty"
exit $failed
