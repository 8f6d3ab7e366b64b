#!/usr/bin/env python3
"""Closed loops with fixed steps, by each way of solving for a step, against methods with error control.

usage: loop_paths.py RUNG SOURCE CACHE [--only PATTERN;...] [--write PART.md]

ali3p (the trapezoidal rule) with the Newton step that is generated with the model, and with a matrix that is
factored at run time; at three steps, each half of the one before. The error is that of trajectories.py. At each
step both ways must be within three times the smaller error, which must fall by about four when the step
halves (from 3 to 5.5; not asked where it is below 1e-9), and the balances of the cut-open mechanism must hold.
ida, cvode and dopri5 at 1e-8 must agree with the reference within 1e-6. Exit status 1 if something fails.
"""
import argparse
import fnmatch
import re
import sys

from trajectories import POINTS, TIGHT, Case, Run, Runner, differences, first_line

MODELS = [
    (Case("MasslessRod", 0.25, "tests/sim/loops/MasslessRod.mo"), 0.0025),
    (Case("Linkage.Benchmarks.Bricard", 1), 0.005),
    (Case("Linkage.Benchmarks.SpatialFourBar", 1), 0.0025),
    (Case("Linkage.Benchmarks.SpatialSliderCrank", 1), 0.00125),
]
PATHS = (("generated step", []), ("matrix", ["--jacobian", "coloured"]))
CONTROLLED = ("esdirk", "ida", "cvode")
AGREE = 2e-6

HEAD = """
## Closed loops with fixed steps

Written by `tests/bench/loop_paths.py`. The trapezoidal rule with multipliers (`ali3p`), its Newton steps generated
with the model, or with a matrix at run time; errors against dopri5 at 1e-12. Balance: the largest of what the
equations of motion of the cut-open mechanism miss, after a step (`norm(balance)` in results). Last:
esdirk, ida and cvode at 1e-8 against the reference.

| model | step, s | generated step | matrix | balance | esdirk | ida | cvode |
|---|---|---|---|---|---|---|---|
"""


def balance(log):
    """Of massless coordinates; 0 where a mechanism has none, and so no balance."""
    found = re.search(r"\|balance\| <= ([0-9.e+-]+)", log)
    return float(found[1]) if found else 0


def judge(runner, case, first):
    wrong, lines = [], []
    states = runner.states(case)
    reference = runner.run(case, case.stop, TIGHT, states, "--method", "dopri5", keep=True)
    if not isinstance(reference, Run):
        return lines, [f"dopri5 at {TIGHT}: {first_line(reference)}"]
    sizes = {n: max(map(abs, reference.column(n))) for n in states}

    def off(run, what):
        if not isinstance(run, Run):
            wrong.append(f"{what}: {first_line(run)}")
            return float("inf")
        return max(differences(run, reference, case.stop, states, sizes) or [float("inf")])

    controlled = []
    for method in CONTROLLED:
        error = off(runner.run(case, case.stop, "1e-8", states, "--method", method), method)
        controlled.append(f"{error:.1e}")
        if not error <= AGREE:
            wrong.append(f"{method} at 1e-8 off by {error:.1e}")
    before = 0
    for halved in range(3):
        step = first / 2**halved
        errors, largest = [], 0
        for name, options in PATHS:
            run = runner.run(case, case.stop, "1e-10", states, "--method", "ali3p", "--step", repr(step), *options)
            errors.append(off(run, f"{name}, step {step:g}"))
            largest = max(largest, balance(run.log if isinstance(run, Run) else run))
        own = min(errors)
        if max(errors) > 3 * own + 1e-10:
            wrong.append(f"step {step:g}: the ways of solving are {errors[0]:.1e} and {errors[1]:.1e} off")
        if before > 1e-9 and not 3 <= before / own <= 5.5:
            wrong.append(f"step {step:g}: the error falls by {before / own:.2f}")
        if not largest <= 1e-6:
            wrong.append(f"step {step:g}: a balance misses {largest:.1e}")
        before = own
        lines.append([case.model, f"{step:g}"] + [f"{e:.2e}" for e in errors] + [f"{largest:.0e}"] +
                     (controlled if halved == 0 else ["", "", ""]))
    return lines, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("source")
    parser.add_argument("cache")
    parser.add_argument("--only", default="*")
    parser.add_argument("--write")
    arguments = parser.parse_args()
    runner = Runner(arguments.rung, arguments.source, arguments.cache)
    part, failures = HEAD, []
    for case, first in MODELS:
        if not any(fnmatch.fnmatch(case.model, pattern) for pattern in arguments.only.split(";")):
            continue
        lines, wrong = judge(runner, case, first)
        for line in lines:
            part += "| " + " | ".join(line) + " |\n"
            print("| " + " | ".join(line) + " |", flush=True)
        for text in wrong:
            failures.append((case.model, text))
            print(f"  FAILED {case.model}: {text}", flush=True)
    if failures:
        part += "\nWhat fails:\n\n" + "".join(f"- {model}: {text}\n" for model, text in failures)
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as f:
            f.write(part)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
