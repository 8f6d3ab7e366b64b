"""All C files of a build as clang reads them: its warnings are errors. Nothing is compiled.

usage: clang.py BUILD
"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# options that clang does not know, nor has to: they choose how loops are compiled
OF_GCC = ("-fvect-cost-model",)


def check(entry):
    command = shlex.split(entry["command"])
    while os.path.basename(command[0]) != "cc":  # a wrapper before it
        del command[0]
    at = command.index("-o")
    del command[at:at + 2]
    command[0:1] = ["clang", "-fsyntax-only", "-Werror"]
    command = [word for word in command if not word.startswith(OF_GCC)]
    done = subprocess.run(command, cwd=entry["directory"], stderr=subprocess.PIPE, text=True)
    return done.returncode == 0, done.stderr


def main():
    with open(os.path.join(sys.argv[1], "compile_commands.json")) as file:
        entries = [e for e in json.load(file) if e["file"].endswith(".c")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(check, entries))
    for good, text in found:
        if not good:
            sys.stderr.write(text)
    bad = sum(not good for good, _ in found)
    print(f"{len(found)} files, {bad} with warnings")
    sys.exit(bad > 0 or not found)


main()
