#!/usr/bin/env python3
"""Runs what a document shows.

    document.py RUNG SOURCE FILE.md [bless]     in an empty folder

A fenced block whose first line names a file (```modelica crank.mo) is written to that file, or, if
SOURCE has it, must be equal to it. A line indented by four that begins with "$ " is a command (one
that ends in a backslash goes on); it must succeed, and the indented lines after it, if there are any,
are all that it prints. Files that links point to must exist. With bless the document is rewritten with
the files and the output as they are now; read the diff.
"""
import os
import re
import shutil
import subprocess
import sys


def main():
    rung, source, name = sys.argv[1:4]
    bless = sys.argv[4:] == ["bless"]
    os.makedirs("build", exist_ok=True)
    for link, target in (("build/rung", rung), ("examples", f"{source}/examples"), ("docs", f"{source}/docs"),
                         ("tests", f"{source}/tests")):
        if not os.path.lexists(link):
            os.symlink(target, link)
    if not os.path.lexists("python"):  # pip builds inside it
        shutil.copytree(f"{source}/python", "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    with open(f"{source}/{name}") as f:
        old = f.read().splitlines()
    new, commands, failed, broken, k = [], 0, 0, False, 0

    def wrong(what, was, now):
        nonlocal failed
        if was != now and not bless:
            failed += 1
            print(f"FAILED: {name}: {what} is not\n" + "\n".join(was) + "\nbut\n" + "\n".join(now))

    prose = re.sub(r"```.*?```", "", "\n".join(t for t in old if not t.startswith("    ")), flags=re.S)
    for link in re.findall(r"\]\(([^)#:]+)", prose):
        if not os.path.exists(os.path.join(source, os.path.dirname(name), link)):
            failed += 1
            print(f"FAILED: {name}: there is no {link}")
    while k < len(old):
        line = old[k]
        k += 1
        new.append(line)
        words = line.split()
        if line.startswith("```") and len(words) == 2:
            shown = old[k:old.index("```", k)]
            k += len(shown)
            if os.path.exists(f"{source}/{words[1]}"):
                with open(f"{source}/{words[1]}") as f:
                    text = [t for t in f.read().splitlines()]
                wrong(words[1], shown, text)
                new += text
            else:
                with open(words[1], "w") as f:
                    f.write("\n".join(shown) + "\n")
                new += shown
            new.append(old[k])
            k += 1
        elif line.startswith("    $ "):
            command = line[6:]
            while command.endswith("\\"):
                command = command[:-1] + old[k].strip()
                new.append(old[k])
                k += 1
            shown = []
            while k < len(old) and old[k].startswith("    ") and not old[k].startswith("    $ "):
                shown.append(old[k][4:])
                k += 1
            done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            text = [t.rstrip() for t in done.stdout.splitlines()]
            commands += 1
            if done.returncode != 0:
                failed += 1
                broken = True
                print(f"FAILED: {name}: status {done.returncode} of {command}\n{done.stdout}")
            if shown:
                wrong("the output of " + command, shown, text)
                new += ["    " + t if t else "" for t in text]
    if bless and not broken:
        with open(f"{source}/{name}", "w") as f:
            f.write("\n".join(new) + "\n")
    print(f"{name}: {commands} commands, {failed} failures")
    sys.exit(failed > 0 or commands == 0)


main()
