#!/bin/sh
# docs/specification.md is true: each row has a known state and names tests that exist; a row that
# is not done names one of tests/errors. Each row of rules names cases of tests/rules that are refused,
# `redeclare-*` for all that begin so, or another test that exists.
# usage: specification.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cd "$source" || exit 1
awk -F '|' '
    BEGIN {
        while (("sed -n \"s/^.. illegal \\([^:]*\\):.*/\\1/p\" tests/rules/*.mo" | getline line) > 0)
            rule[line] = 1
    }
    /^\| MLS [0-9]/ {
        rules++
        n = split($5, part, "`")
        for (k = 2; k <= n; k += 2) {
            name = part[k]
            found = 0
            if (name ~ /^tests\//)
                found = (getline line < name) > 0
            else if (name ~ /[.]mo$/)
                found = (getline line < ("tests/rules/" name)) > 0
            else if (sub(/[*]$/, "", name)) {
                for (r in rule)
                    if (index(r, name) == 1) found = 1
            } else
                found = name in rule
            if (!found) { print "FAILED: no illegal model " part[k]; bad = 1 }
        }
        if (n < 2) { print "FAILED: no test in: " $0; bad = 1 }
    }
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
    END { print rows " rows, " rules " of rules"; exit bad || rows < 40 || rules < 20 }' docs/specification.md
