#!/usr/bin/env python3
"""Faults put into the emitted C: those that move a result are found by the audit, 98 of 100.

usage: emitted_faults.py RUNG [--faults N] [--seed S] [--jobs J] [--only PATTERN]

rung compiles by $CC; here that is this file, which changes one statement of one source and calls the
compiler. A fault makes a right-hand side 1 % larger, changes a number by 1 %, or an addition into a
subtraction: in derivatives, outputs, Newton steps, projections, Jacobians, relations, tables, whatever was drawn.
A run that ends with another status than 0 has found it. With status 0 the result is compared: it is missed if any
value of a row at the same time differs by more than 100 tolerances, relative to 1 + the value, and by more than ten
times as much as that column does between two runs without faults, one at a tenth of the tolerance. norm(...) are
columns of the run, not of the model.
"""
import argparse
import csv
import fnmatch
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TOLERANCE = 1e-6
MOVED = 100 * TOLERANCE
SECONDS = 120
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIM = "tests/sim/language/"
MODELS = [
    (SIM + "BouncingBall.mo", "BouncingBall", "3"),
    (SIM + "Hysteresis.mo", "Hysteresis", "5"),
    (SIM + "SampledController.mo", "SampledController", "2"),
    (SIM + "IndexReduction.mo", "IndexReduction", "2"),
    (SIM + "InitialEquations.mo", "InitialEquations", "2"),
    (SIM + "DiodesAudited.mo", "DiodesAudited", "0.04"),
    ("examples/double_pendulum.mo", "DoublePendulum", "2"),
    ("examples/crane.mo", "Crane", "3"),
    ("examples/arm.mo", "Arm", "1"),
    ("examples/rope.mo", "Rope", "1"),
    ("", "Linkage.Examples.SpringPendulum", "2"),
    ("", "Linkage.Examples.SphericalPendulum", "2"),
    ("", "Linkage.Examples.DrivenArm", "2"),
    ("", "Linkage.Benchmarks.PlanarFourBars", "2"),
    ("", "Linkage.Benchmarks.SliderCrank", "0.1"),
    ("", "Linkage.Benchmarks.SpatialFourBar", "2"),
    ("", "Linkage.Benchmarks.Bricard", "2"),
    ("", "Linkage.Benchmarks.FiveBar", "2"),
    ("", "Linkage.Benchmarks.Squeezer", "0.02"),
    ("", "Linkage.Benchmarks.FlyballGovernor", "2"),
]
STATEMENT = re.compile(r"^(\s+(?:const double \w+|\w+\[\d+\]) = )([^;{}\"]+);(.*)$")
NUMBER = re.compile(r"(?<![\w.\[\]])(\d+\.\d+(?:e[-+]?\d+)?)(?![\w.\]])")
SUM = re.compile(r" ([+-]) ")


def as_compiler():
    """One source is another one where it is compiled, or included by the one that is."""
    argv = sys.argv[1:]
    keep, fault = os.environ.get("FAULT_KEEP"), os.environ.get("FAULT_DIR")
    for word in argv:
        if not word.endswith(".c") or not os.path.exists(word):
            continue
        folder = os.path.dirname(word)
        for name in os.listdir(folder):
            if not name.endswith(".c"):
                continue
            if keep:
                shutil.copy(os.path.join(folder, name), keep)
            if fault and os.path.exists(os.path.join(fault, name)):
                # whole: another compiler may read it at the same time
                with tempfile.NamedTemporaryFile(dir=folder, delete=False) as copy:
                    shutil.copyfile(os.path.join(fault, name), copy.name)
                os.replace(copy.name, os.path.join(folder, name))
    os.execvp("cc", ["cc"] + argv)


def run(rung, case, result, env, tolerance=TOLERANCE):
    file, model, stop = case
    words = [rung, "simulate"] + ([file] if file else []) + ["--model", model, "--stop", stop, "--no-cache", "-q", "--audit"]
    words += ["--tolerance", str(tolerance), "--progress", "none", "-o", result]
    env = dict(os.environ, CC=os.path.abspath(__file__), FAULT_COMPILER="1", **env)
    try:
        done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr


def rows(path):
    with open(path, newline="") as f:
        table = list(csv.reader(f))
    return table[0], {row[0]: [float(x) for x in row] for row in table[1:]}


def differences(reference, path):
    """The largest per column, with its time."""
    names, before = reference
    other, after = rows(path)
    place = {name: k for k, name in enumerate(other)}
    worst = {}
    for t, row in before.items():
        for k, x in enumerate(row):
            if t not in after or names[k] not in place or names[k].startswith("norm("):
                continue
            off = abs(x - after[t][place[names[k]]]) / (1 + abs(x))
            off = off if off == off else float("inf")
            if off > worst.get(names[k], (0, ""))[0]:
                worst[names[k]] = (off, t)
    return worst


def moves(reference, natural, path):
    worst, which = 0.0, ""
    for name, (off, t) in differences(reference, path).items():
        if off > 10 * natural.get(name, (0, ""))[0] and off > worst:
            worst, which = off, f"{name} at {t}"
    return worst, which


def sites(folder):
    """(file, line, kind) of all that can be changed."""
    found = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as f:
            for k, line in enumerate(f):
                if STATEMENT.match(line):
                    found.append((name, k, "larger"))
                    if SUM.search(line):
                        found.append((name, k, "sign"))
                if NUMBER.search(line.split("/*")[0]) and "nominal" not in line:
                    found.append((name, k, "number"))
    return found


def change(line, kind, rng):
    if kind == "larger":
        m = STATEMENT.match(line)
        return f"{m[1]}({m[2]}) * 1.01;{m[3]}\n"
    code, slash, rest = line.partition("/*")
    m = rng.choice(list((SUM if kind == "sign" else NUMBER).finditer(code)))
    new = f" {'-' if m[1] == '+' else '+'} " if kind == "sign" else repr(float(m[1]) * 1.01)
    return code[: m.start()] + new + code[m.end():] + slash + rest


def main():
    p = argparse.ArgumentParser()
    p.add_argument("rung")
    p.add_argument("--faults", type=int, default=20)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--only", default="*")
    o = p.parse_args()
    rung = os.path.abspath(o.rung)
    cases = [c for c in MODELS if fnmatch.fnmatch(c[1], o.only)]
    with tempfile.TemporaryDirectory() as top:
        good = True
        prepared = {}
        for case in cases:
            folder = os.path.join(top, case[1])
            os.makedirs(folder + "/c")
            status, text = run(rung, case, folder + "/r.csv", {"FAULT_KEEP": folder + "/c"})
            if status != 0:
                print(f"FAILED: {case[1]} does not pass as it is: {text.strip()[:300]}")
                good = False
                continue
            reference = rows(folder + "/r.csv")
            run(rung, case, folder + "/finer.csv", {}, TOLERANCE / 10)
            natural = differences(reference, folder + "/finer.csv")
            prepared[case] = (sites(folder + "/c"), reference, natural)
        rng = random.Random(o.seed)
        jobs = []
        for k in range(o.faults if prepared else 0):
            case = list(prepared)[k % len(prepared)]
            file, line, kind = rng.choice(prepared[case][0])
            jobs.append((k, case, file, line, kind, random.Random(rng.random())))

        def one(job):
            k, case, file, line, kind, own = job
            folder = os.path.join(top, str(k))
            os.makedirs(folder)
            with open(os.path.join(top, case[1], "c", file)) as f:
                lines = f.readlines()
            was = lines[line]
            lines[line] = change(was, kind, own)
            with open(os.path.join(folder, file), "w") as f:
                f.writelines(lines)
            status, text = run(rung, case, folder + "/r.csv", {"FAULT_DIR": folder})
            worst = moves(*prepared[case][1:], folder + "/r.csv") if status == 0 else (0, "")
            shutil.rmtree(folder)
            return case[1], file, line, kind, status, text, worst, was.strip()

        found = missed = none = audit = 0
        with ThreadPoolExecutor(o.jobs) as pool:
            for model, file, line, kind, status, text, worst, was in pool.map(one, jobs):
                if status != 0:
                    found += 1
                    audit += "audit" in text
                elif worst[0] > MOVED:
                    missed += 1
                    print(f"missed: {model} {file}:{line + 1} {kind}: {worst[1]} moved by {worst[0]:.3g}: {was[:120]}", flush=True)
                else:
                    none += 1
        print(f"{len(jobs)} faults: {found} found, {audit} of them by the audit, {missed} missed, "
              f"{none} move nothing by {MOVED:g}")
        return 0 if good and 100 * missed <= 2 * (found + missed) else 1


if __name__ == "__main__":
    if os.environ.get("FAULT_COMPILER"):
        as_compiler()
    sys.exit(main())
