#!/usr/bin/env python3
"""All runnable examples of a library: simulated by two methods, audited, compared.

usage: run.py RUNG PACKAGE... [--match REGEX] [--seconds S] [--every N] [--list] [--again TABLE]

PACKAGE is the folder of a library (with a package.mo) or a file; what it uses lies on MODELICAPATH. A runnable
example is a model that is not partial and whose class annotation has experiment(...). One line per model:
  kind  seconds  methods  model  cause
agrees     both runs end, the audit passes, and each variable of one run is in the tube of rung compare around the
           other's (not its derivatives, whose errors are larger by the fastest frequency of the model)
tighter    so they are with a hundredth of the tolerance only
differs    some are not
audit      equations are violated
translate  a diagnostic
build      the C compiler or the linker
start      no consistent start
stops      a run ends early
slow       the limit was reached
crash      another status
At the end the causes by frequency, without names and numbers, and the numbers of each kind. --every 5: each fifth
model; --again: only the models of an earlier table (its lines) that did not agree. Status 0 if all agree. A PACKAGE
that is not there is skipped.
"""
import argparse
import collections
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_]\w*|\d[\w.]*|\S', re.S)
CLASSES = {'model', 'block', 'class', 'package', 'function', 'record', 'connector', 'type', 'operator'}


def tokens_of(text):
    return [t for t in TOKEN.findall(text) if not t.startswith(('//', '/*'))]


def examples_of(text, prefix):
    """Models of a file with an experiment annotation, in the order of the file."""
    tokens = tokens_of(text)
    within = [prefix] if prefix else []
    stack = []  # of [name, is a model and not partial, has an experiment]
    found = []
    k = 0
    while k < len(tokens):
        t = tokens[k]
        if t == 'within':
            end = tokens.index(';', k)
            within = [''.join(tokens[k + 1:end])] if end > k + 1 else []
            k = end
        elif t == 'end' and stack and k + 1 < len(tokens) and tokens[k + 1] == stack[-1][0]:
            name, runnable, experiment = stack.pop()
            if runnable and experiment:
                found.append('.'.join(within + [c[0] for c in stack] + [name]))
            k += 1
        elif t in CLASSES and tokens[k + 1] not in CLASSES:
            name_at = k + 2 if tokens[k + 1] == 'extends' else k + 1
            # a short class, "model A = B", has no end of its own
            if tokens[name_at + 1] not in ('=', ';', ')', '(') or tokens[k + 1] == 'extends':
                before = tokens[max(0, k - 3):k]
                runnable = t in ('model', 'block', 'class') and 'partial' not in before
                stack.append([tokens[name_at], runnable, False])
            k = name_at
        elif t == 'annotation' and tokens[k - 1] == ';' or t == 'annotation' and tokens[k - 1].startswith('"'):
            depth = 0
            k += 1
            own = True
            while k < len(tokens):
                depth += (tokens[k] == '(') - (tokens[k] == ')')
                if own and depth == 1 and tokens[k] == 'experiment' and stack:
                    stack[-1][2] = True
                if depth == 0:
                    break
                k += 1
        k += 1
    return found


def examples(package):
    files = []
    if os.path.isfile(package):
        files = [package]
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(d for d in folders if d != 'Resources')
        files += [os.path.join(folder, n) for n in sorted(names) if n.endswith('.mo')]
    found = []
    for f in files:
        with open(f, encoding='utf-8', errors='replace') as source:
            found += examples_of(source.read(), '')
    return found


def first_error(text):
    for line in text.splitlines():
        if '"severity": "error"' in line:
            try:
                message = json.loads(line.strip().rstrip(','))
                return f'{message.get("code", "")} {message.get("message", "")}'
            except ValueError:
                return line
    for line in text.splitlines():
        if line.startswith('rung: '):
            return line
    return text.strip().splitlines()[0] if text.strip() else ''


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (6_000_000_000, 6_000_000_000))
    os.nice(10)


def run(command, seconds):
    """status, standard output, standard error; the whole group of processes ends at the limit."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace',
                               preexec_fn=limit, start_new_session=True)
    try:
        out, err = process.communicate(timeout=seconds)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return 124, '', ''


def simulate(rung, model, options, seconds, result):
    status, out, err = run([rung, 'simulate', '--model', model, '--progress', 'none', '--diagnostics', 'json',
                            '--format', 'json', '--range-check', 'off', '-o', result] + options, seconds)
    summary = {}
    for line in out.splitlines():
        if line.startswith('{'):
            try:
                summary = json.loads(line)
            except ValueError:
                pass
    why = summary.get('error') or first_error(err) or first_error(out)
    if status == 0:
        kind, why = 'runs', ''
    elif status == 124:
        kind, why = 'slow', 'the limit of time'
    elif status == 1:
        kind = 'translate' if '"severity": "error"' in err else 'start'
    elif status == 3:
        kind = 'audit' if (summary.get('audit') or {}).get('violated') else 'stops'
    elif status == 4:
        kind = 'build'
    else:
        kind, why = 'crash', f'status {status} {why}'
    return kind, why, summary.get('method', '-'), summary.get('tolerance', 1e-6)


def compare(rung, a, b, seconds):
    status, out, err = run([rung, 'compare', '-q', b, a], seconds)
    worst = [line for line in out.splitlines() if re.match(r'FAIL +(?!der\(|\s)', line)]
    if status == 0 or (worst == [] and 'FAIL' in out):
        return 'agrees', ''
    return 'differs', f'{len(worst)} signals, {worst[0]}' if worst else first_error(err)


def one(rung, model, seconds, folder):
    a, b = os.path.join(folder, 'a.mat'), os.path.join(folder, 'b.mat')
    from_ = time.time()
    kind, why, method, used = simulate(rung, model, ['--audit'], seconds, a)
    took = time.time() - from_
    methods = method
    if kind == 'runs':
        other = 'esdirk' if method != 'esdirk' else 'ida'
        methods += '/' + other
        kind, why, _, _ = simulate(rung, model, ['--method', other], seconds, b)
        if kind == 'runs':
            kind, why = compare(rung, a, b, seconds)
        else:
            why = f'{other}: {why}'
        if kind == 'differs':
            tolerance = ['--tolerance', f'{0.01 * used:g}']
            first, _, _, _ = simulate(rung, model, tolerance + ['--method', method], seconds, a)
            second, _, _, _ = simulate(rung, model, tolerance + ['--method', other], seconds, b)
            if first == 'runs' and second == 'runs':
                again, still = compare(rung, a, b, seconds)
                kind, why = ('tighter', why) if again == 'agrees' else (again, still)
    for f in (a, b):
        if os.path.exists(f):
            os.remove(f)
    return kind, took, methods, why.replace('\t', ' ').replace('\n', ' ')[:300]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('rung')
    p.add_argument('package', nargs='+')
    p.add_argument('--match', default='')
    p.add_argument('--seconds', type=float, default=120)
    p.add_argument('--every', type=int, default=1)
    p.add_argument('--list', action='store_true')
    p.add_argument('--again')
    o = p.parse_args()
    models = []
    for package in o.package:
        if not os.path.exists(package):
            print(f'skipped: there is no {package}')
            continue
        models += examples(package)
    models = [m for m in dict.fromkeys(models) if re.search(o.match, m)]
    if o.again:
        with open(o.again, encoding='utf-8') as table:
            rows = [line.rstrip('\n').split('\t') for line in table]
        bad = {r[3] for r in rows if len(r) > 3 and r[0] != 'agrees'}
        models = [m for m in models if m in bad]
    models = models[::o.every]
    if o.list:
        print('\n'.join(models))
        return 0
    folder = tempfile.mkdtemp()
    kinds, causes = collections.Counter(), collections.Counter()
    for model in models:
        kind, took, methods, why = one(o.rung, model, o.seconds, folder)
        kinds[kind] += 1
        if kind != 'agrees':
            bare = re.sub(r'-?\d[-+.\de]*', '#', re.sub(r"'[^']*'", "'..'", why))
            causes[f'{kind}: {bare}'] += 1
        print(f'{kind}\t{took:.1f}\t{methods}\t{model}\t{why}', flush=True)
    shutil.rmtree(folder)
    print()
    for cause, n in causes.most_common(60):
        print(f'{n:5} {cause}')
    print(', '.join(f'{n} {kind}' for kind, n in kinds.most_common()))
    return 0 if set(kinds) <= {'agrees'} else 1


if __name__ == '__main__':
    sys.exit(main())
