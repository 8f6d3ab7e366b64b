#!/usr/bin/env python3
"""Errors of runs with nothing said but the tolerance, and how they fall with it.

usage: trajectories.py RUNG SOURCE CACHE [--only PATTERN;...] [--method NAME] [--write PAGE.md]

Each case is run by the default method (or that of --method) at tolerances 1e-4, 1e-6 and 1e-8, over the span in which a
perturbation grows by less than 100, and compared at 101 points with a reference: two methods at 1e-12
that agree, or numbers that were published. The error of a variable is the largest difference, relative to
1 + its largest value; that of a run is the largest of its states. A case passes if at each tolerance the
error is at most 100 times the tolerance (plus what the references differ by), and is smaller at a smaller
tolerance. The same run over the whole time of the model's experiment is audited.

References are kept in the folder CACHE, by model and options, and computed where they are missing.
Exit status 1 if a case fails.
"""
import argparse
import csv
import fnmatch
import hashlib
import math
import os
import re
import resource
import signal
import subprocess
import sys
from dataclasses import dataclass

TOLERANCES = ("1e-4", "1e-6", "1e-8")
TIGHT = "1e-12"
PERTURBATION = 1e-7
MOST_GROWTH = 100
POINTS = 100
LIMIT = 600  # seconds of processor time for a run: other programs do not shorten them

EVERY_SPEED = "joint(each w(start=1e-7))"
EVERY_TURNING = "joint(each w(start=0.5 + 1e-7))"


@dataclass(frozen=True)
class Case:
    model: str
    stop: float  # of the experiment
    file: str = ""  # from the root of the tree; the library's own models have none
    perturb: str = "world(n={1e-7, -1, 1e-7})"  # a modifier that changes start or motion by 1e-7, or none
    energy: str = ""  # a variable that stays constant
    published: dict = None  # values at stop, of states
    digits: float = 0  # how far published values are from the truth
    audit: bool = True
    nominal: float = 1
    known: str = ""  # why it falls short: what fails is told, and is no failure of this program


def linkage(name, stop, **more):
    return Case("Linkage." + name, stop, **more)


def ivp(name, stop, digits=1e-9, **more):
    """of the test set for initial value problems; published end values are read beside this file"""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ivp_endvalues.csv")
    with open(path, newline="") as f:
        published = {row["variable"]: float(row["value"]) for row in csv.DictReader(f) if row["model"] == name}
    return Case("InitialValueProblems." + name, stop, file="tests/bench/InitialValueProblems.mo",
                **{"perturb": "", "published": published, "digits": digits, **more})


CASES = [
    linkage("Examples.FreeBody", 5),
    linkage("Examples.PushedBody", 5),
    linkage("Examples.SplitPendulum", 10, energy="E", perturb=EVERY_SPEED),
    linkage("Examples.UniversalPendulum", 10),
    linkage("Examples.SphericalPendulum", 10),
    linkage("Examples.Slider", 10),
    linkage("Examples.SpatialChain20", 10, energy="E", perturb=EVERY_TURNING),
    linkage("Examples.AlternatingPendulum", 10, energy="E", perturb=EVERY_TURNING),
    linkage("Examples.AlternatingPendulumGeneral", 10, energy="E", perturb=EVERY_TURNING),
    linkage("Examples.PlanarPendulum", 10, energy="E", perturb=EVERY_SPEED),
    linkage("Examples.CylindricalJoint", 5),
    linkage("Examples.DoublePendulum", 10, energy="E"),
    linkage("Examples.SpringPendulum", 10),
    linkage("Examples.TorsionPendulum", 10),
    linkage("Examples.MultiPendulum", 10, energy="E", perturb=EVERY_SPEED),
    linkage("Examples.DrivenArm", 5),
    linkage("Benchmarks.Pendulum", 10, energy="E", published={"x": -0.275087, "y": -0.961419}, digits=5e-7),
    linkage("Benchmarks.PlanarFourBars", 10, energy="E",
            published={"x": 0.3284581115, "y": 0.9445185382}, digits=1e-9),
    linkage("Benchmarks.PlanarFourBars(N=8)", 0.7, energy="E"),
    linkage("Benchmarks.Squeezer", 0.03, energy="E", perturb="drive = 0.033*(1 + 1e-7)", published={
        "beta.phi": 15.81077119629904, "theta.phi": -15.75637105984298, "gamma.phi": 0.04082224013073101,
        "phi.phi": -0.5347301163226948, "delta.phi": 0.5244099658805304, "omega.phi": 0.5347301163226948,
        "epsilon.phi": 1.048080741042263, "beta.w": 1139.920302151208, "theta.w": -1424.379294994111,
        "gamma.w": 11.03291221937134, "phi.w": 19.29337464421385, "delta.w": 0.5735699284790808,
        "omega.w": -19.29337464421385, "epsilon.w": 0.3231791658026955}, digits=1e-9),
    linkage("Benchmarks.SliderCrank", 0.1, perturb=""),
    linkage("Benchmarks.CarAxis", 3, perturb="rate = 10*(1 + 1e-7)"),
    linkage("Benchmarks.Bricard", 10, energy="E",
            published={"P3[1]": 0.9992646101, "P3[2]": -0.9999997298, "P3[3]": -0.0007351194}, digits=1e-6),
    linkage("Benchmarks.FiveBar", 5, energy="E"),
    linkage("Benchmarks.SpatialFourBar", 5, energy="E"),
    linkage("Benchmarks.SpatialSliderCrank", 5, energy="E", perturb="world(n={1e-7, 1e-7, -1})",
            published={"x": 0.24071957, "crank.phi": 54.33333216}, digits=2e-8),
    linkage("Benchmarks.FlyballGovernor", 10, perturb="world(g=9.81*(1 + 1e-7))", published={"s": 0.6196229171}, digits=2e-8),
    linkage("Benchmarks.FourBarChain(m=3)", 5, energy="E"),
    linkage("Benchmarks.FourBarChain(m=4,configuration=2)", 5, energy="E"),
    Case("Rope", 3, "examples/rope.mo"),
    Case("Arm", 5, "examples/arm.mo"),
    Case("DoublePendulum", 10, "examples/double_pendulum.mo"),
    Case("Crane", 20, "examples/crane.mo", perturb="world(n={1e-7, 1e-7, -1})"),
    Case("WorldFrame.Chain", 5, "examples/world_frame.mo", perturb="rod(each w(start=0.5 + 1e-7))"),
    Case("FourFamilies.Planar", 5, "examples/four_families.mo", energy="E", perturb=EVERY_SPEED),
    Case("FourFamilies.Split", 5, "examples/four_families.mo", energy="E", perturb=EVERY_SPEED),
    Case("FourFamilies.Alternating", 5, "examples/four_families.mo", energy="E", perturb=EVERY_TURNING),
    Case("FourFamilies.Multi", 5, "examples/four_families.mo", energy="E", perturb=EVERY_SPEED),
    Case("ResistorGrid", 1, "examples/resistor_grid.mo", perturb=""),
    Case("Distillation", 400, "examples/distillation.mo", perturb=""),
    Case("SpringChain", 10, "examples/spring_chain.mo", perturb=""),
    Case("HeatRod", 20, "examples/heat_rod.mo", perturb=""),
    Case("RlcLadder", 10, "examples/rlc_ladder.mo", perturb=""),
    *(Case("NonStiff." + name, stop, "tests/bench/NonStiff.mo", **more) for name, stop, more in (
        ("Oscillator", 6283.2, {"perturb": "x(start=1 + 1e-7)"}), ("Kepler", 62.8, {"perturb": "x(start=0.1 + 1e-7)"}),
        ("Turning", 200, {"perturb": "w(start=2.5 + 1e-7)"}),
        ("Advection", 1, {"perturb": ""}), ("Rooms", 100, {"perturb": ""}))),
    ivp("Hires", 321.8122),
    ivp("Robertson", 1e11),
    ivp("Oregonator", 360),
    ivp("VanDerPol", 2000),
    ivp("E5", 1e6, published=None),
    ivp("Pollution", 60),
    ivp("Pleiades", 3, perturb="moved=1e-7"),
    ivp("ChemicalAkzo", 180),
    ivp("Transistor", 0.2),
    ivp("RingModulator", 1e-3, known="300,000 steps through oscillations that are hardly damped", perturb="y(start={if k <= 7 then 1e-7 else 0 for k in 1:15})"),
    ivp("Beam", 5),
    ivp("Fekete", 1000),
    ivp("CarAxis", 3),
    ivp("Andrews", 0.03, perturb="drive=0.033*(1 + 1e-7)"),
    ivp("Nand", 80, digits=1e-7),
]


@dataclass
class Run:
    names: list
    rows: list  # of numbers, time first; the last of those with the same time
    method: str
    log: str

    def column(self, name):
        k = self.names.index(name)
        return [row[k] for row in self.rows]


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 10))


class Runner:
    def __init__(self, rung, source, cache):
        self.rung = os.path.abspath(rung)
        self.source = os.path.abspath(source)
        self.cache = os.path.abspath(cache)
        os.makedirs(self.cache, exist_ok=True)

    def model(self, case, modifier=""):
        name = case.model
        if modifier:
            name = f"{name[:-1]}, {modifier})" if name.endswith(")") else f"{name}({modifier})"
        return ["--model", name] + ([os.path.join(self.source, case.file)] if case.file else [])

    def text_of(self, case):
        """what a reference depends on: the model's own file"""
        if case.file:
            path = os.path.join(self.source, case.file)
        else:
            name = case.model.split("(")[0]
            path = os.path.join(self.source, "library", *name.split(".")) + ".mo"
        with open(path, "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()

    def states(self, case):
        out = subprocess.run([self.rung, "-d", "states"] + self.model(case), capture_output=True, text=True)
        return [m[1] for line in out.stdout.splitlines() if (m := re.match(r"state '(.*)'", line))]

    def run(self, case, stop, tolerance, signals, *options, keep=False, modifier=""):
        """a Run; where it fails, what was said"""
        arguments = ["--stop", repr(stop), "--interval", repr(stop / POINTS), "--tolerance", tolerance, *options]
        key = hashlib.sha256(repr((self.model(case, modifier)[1], self.text_of(case), signals, arguments)).encode()).hexdigest()[:24]
        out = os.path.join(self.cache, (key if keep else "run") + ".csv")
        if keep and os.path.exists(out[:-3] + "log"):
            with open(out[:-3] + "log") as f:
                return self.read(out, f.read())
        if os.path.exists(out):
            os.remove(out)
        patterns = ",".join(s.replace(",", "?") for s in signals)
        command = [self.rung, "simulate", *self.model(case, modifier), *arguments, "-o", out]
        command += ["--signals", patterns] if patterns and len(patterns) < 100000 else []
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit_time)
        log = f"status {done.returncode}\n{done.stdout}{done.stderr}"
        if done.returncode < 0 and -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
            log = f"status 3\nmore than {LIMIT} s"
        if keep:
            with open(out[:-3] + "log", "w") as f:
                f.write(log)
        return self.read(out, log)

    @staticmethod
    def read(path, log):
        if not log.startswith("status 0"):
            return log
        with open(path, newline="") as f:
            reader = csv.reader(f)
            names = next(reader)
            rows = [[float(x) for x in row] for row in reader]
        last = {}
        for row in rows:
            last[row[0]] = row
        method = re.match(r"status 0\n([\w-]+)", log)
        return Run(names, list(last.values()), method[1] if method else "?", log)


def on_grid(run, stop):
    """rows at multiples of the interval: those of events are left out"""
    step = stop / POINTS
    rows = {}
    for row in run.rows:
        k = round(row[0] / step)
        if abs(row[0] - k * step) <= 1e-9 * stop:
            rows[k] = row
    return rows


def differences(run, reference, stop, names, sizes, nominal=1):
    """at each point of the grid the largest difference, relative to nominal + size"""
    a, b = on_grid(run, stop), on_grid(reference, stop)
    at = [(run.names.index(n), reference.names.index(n), sizes[n]) for n in names]
    result = []
    for k in range(POINTS + 1):
        if k not in a or k not in b:
            return None
        result.append(max((abs(a[k][i] - b[k][j]) / (nominal + s) for i, j, s in at), default=0.0))
    return result


def first_line(text):
    lines = [s for s in text.splitlines() if s and not s.startswith("status")]
    said = [s for s in lines if "rung:" in s or "error" in s] or lines or ["nothing"]
    return said[0].replace("|", "¦")[:160]


def seconds(text):
    found = re.search(r"rows, ([0-9.e+-]+) s", text)
    return float(found[1]) if found else math.nan


def judge(runner, case, options):
    """a row of the table, what is wrong, and which methods have no run at 1e-12"""
    wrong, missing = [], []
    states = runner.states(case)
    names = states + [n for n in (case.published or {}) if n not in states]
    wanted = names + ([case.energy] if case.energy and case.energy not in names else [])
    # two methods that agree: explicit where it can be, else both implicit
    references = []
    for method in ("dopri5", "esdirk", "ida", "cvode"):
        run = runner.run(case, case.stop, TIGHT, wanted, "--method", method, keep=True)
        if isinstance(run, Run):
            references.append((method, run))
        elif "stiff" not in run:
            missing.append(f"{method} at {TIGHT}: {first_line(run)}")
        if len(references) == 2:
            break
    if not references:
        return None, wrong + missing + ["no reference"], []
    reference = references[0][1]
    names = [n for n in names if n in reference.names]
    sizes = {n: max(map(abs, reference.column(n))) for n in names}
    # the span in which a perturbation stays small
    last = POINTS
    growth = math.nan
    if case.perturb:
        moved = runner.run(case, case.stop, TIGHT, wanted, "--method", references[0][0], keep=True,
                           modifier=case.perturb)
        if isinstance(moved, Run):
            grown = [d / PERTURBATION for d in differences(moved, reference, case.stop, names, sizes)]
            last = next((k for k, g in enumerate(grown) if g >= MOST_GROWTH), POINTS + 1) - 1
            growth = max(grown[: last + 1])
        else:
            wrong.append(f"perturbed: {first_line(moved)}")
    span = case.stop * last / POINTS
    apart = math.nan
    if len(references) == 2:
        d = differences(references[1][1], reference, case.stop, names, sizes, case.nominal)
        apart = max(d[: last + 1])
        if apart > 10 * float(TOLERANCES[-1]):
            wrong.append(f"{references[0][0]} and {references[1][0]} at {TIGHT} are {apart:.1e} apart")
    slack = apart if apart == apart else 0
    # the default at each tolerance
    errors = []
    method = ""
    for tolerance in TOLERANCES:
        run = runner.run(case, case.stop, tolerance, wanted, *options)
        if not isinstance(run, Run):
            # a longer run may end where a mechanism's future is not determined
            wrong.append(f"default at {tolerance}: {first_line(run)}")
            errors.append(math.inf)
            continue
        method = run.method
        d = differences(run, reference, case.stop, names, sizes, case.nominal)
        error = max(d[: last + 1]) if d else math.inf
        errors.append(error)
        if error > 100 * float(tolerance) + slack:
            wrong.append(f"at {tolerance} off by {error:.1e}")
        if case.published and last == POINTS:
            off = [name for name, value in case.published.items() if abs(run.column(name)[-1] - value)
                   > 100 * float(tolerance) * (1 + sizes[name]) + case.digits * (1 + abs(value))]
            if off:
                name = off[0]
                wrong.append(f"at {tolerance} {name} is {run.column(name)[-1]!r}, published {case.published[name]!r}"
                             + (f" ({len(off) - 1} more)" if len(off) > 1 else ""))
    for k in range(1, len(errors)):
        if errors[k] > max(errors[k - 1], slack, 0.1 * float(TOLERANCES[k])):
            wrong.append(f"the error does not fall from {TOLERANCES[k - 1]} to {TOLERANCES[k]}")
    # the whole experiment by the equations themselves
    drift = ""
    audited = runner.run(case, case.stop, "1e-6", wanted, "--audit", *options)
    defect = ""
    if isinstance(audited, Run):
        found = re.search(r"largest defect ([0-9.e+-]+) tolerances, bound ([0-9.e+-]+)", audited.log)
        defect = f"{float(found[1]):.2g}" if found else "?"
        if case.energy:
            values = audited.column(case.energy)
            drift = f"{max(abs(v - values[0]) for v in values):.0e}"
    else:
        defect = "fails"
        wrong.append("audit: " + first_line(audited))
    apart_text = f"{references[0][0]}" + (f", {references[1][0]}: {apart:.0e}" if len(references) == 2 else " alone")
    row = [case.model, method, str(len(states)), f"{span:g}", f"{growth:.0f}" if growth == growth else "–", apart_text]
    row += [f"{e:.1e}" for e in errors] + [defect, drift]
    return row, wrong, missing


HEAD = """# Errors of runs with nothing said but the tolerance

Written by `docs/measured/accuracy.sh RUNG CACHE`; `tests/bench/trajectories.py` says at its head how. Span:
until when a perturbation (of the direction of gravity, of start values or of a parameter, by 1e-7) grows by
less than 100 times. Reference: two methods at tolerance 1e-12 and how far apart they are. Then the largest error of any
state at each tolerance, relative to 1 + its largest value; the largest defect of the flat equations in the audit of
the whole experiment at 1e-6, in tolerances; how far the energy moves in it, in J.

| model | method | states | span, s | growth | references | 1e-4 | 1e-6 | 1e-8 | defect | energy |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("source")
    parser.add_argument("cache")
    parser.add_argument("--only", default="*")
    parser.add_argument("--method")
    parser.add_argument("--write")
    arguments = parser.parse_args()
    runner = Runner(arguments.rung, arguments.source, arguments.cache)
    page, failures, short, without = HEAD, [], [], []
    for case in CASES:
        if not any(fnmatch.fnmatch(case.model, pattern) for pattern in arguments.only.split(";")):
            continue
        row, wrong, missing = judge(runner, case, ["--method", arguments.method] if arguments.method else [])
        if row:
            page += "| " + " | ".join(row) + " |\n"
            print("| " + " | ".join(row) + " |", flush=True)
        without += [f"{case.model}: {text}" for text in missing]
        for text in wrong:
            (short if case.known else failures).append(f"{case.model}: {text}" + (f". {case.known}" if case.known else ""))
            print(f"  {'known' if case.known else 'FAILED'} {case.model}: {text}", flush=True)
    for heading, lines in (("What fails", failures), ("What falls short", short), ("No run at 1e-12", without)):
        if lines:
            page += f"\n{heading}:\n\n" + "".join(f"- {line}\n" for line in lines)
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as f:
            f.write(page)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
