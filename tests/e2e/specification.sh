#!/bin/sh
# docs/specification.md is true: each row has a known state and names tests that exist; a row that
# is not done names one of tests/errors.
# usage: specification.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cd "$source" || exit 1
awk -F '|' '
    !/^\| [0-9]/ { next }
    {
        rows++
        state = $4
        gsub(/ /, "", state)
        if (state !~ /^(yes|flat|part|no)$/) { print "FAILED: no state in: " $0; bad = 1 }
        n = split($5, part, "`")
        tests = errors = 0
        for (k = 2; k <= n; k += 2) {
            tests++
            if (part[k] ~ /^tests\/errors\//) errors++
            if ((getline line < part[k]) < 0) { print "FAILED: there is no " part[k]; bad = 1 }
            close(part[k])
        }
        if (tests == 0) { print "FAILED: no test in: " $0; bad = 1 }
        if (state != "yes" && errors == 0) { print "FAILED: no test of the error in: " $0; bad = 1 }
    }
    END { print rows " rows"; exit bad || rows < 40 }' docs/specification.md
