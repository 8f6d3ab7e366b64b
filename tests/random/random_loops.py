#!/usr/bin/env python3
"""Random loops against Python: for, while, if, break and return inside each other, over Integers, a Boolean and an array,
whose rounds depend on a variable of the model; a stack w of c elements, an array without values that they fill; and
subscripts that `and` and `or` guard.

A program is a list of statements, written as Modelica and as Python. It is the algorithm of a function, which stays a call,
and, unless it returns, of a when-clause at samples. Both are run for n = 1, 2, ... and compared.

usage: random_loops.py RUNG [--models N] [--programs N] [--seed S] [--keep DIR]
Status 1 if a value is wrong or a model is refused.
"""
import argparse
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

LAST = 15  # n at the end
PRIME = 1009  # values stay below
DEPTH = 6  # of the stack


class Program:
    """The statements, as lines of both languages. An expression is a pair of texts."""

    def __init__(self, r):
        self.r = r
        self.modelica, self.python, self.counters = [], [], []
        self.loops = 0
        self.returns = False
        self.start = {'a': str(r.randint(0, 5)), 'b': str(r.randint(0, 5)), 'f': r.choice(['true', 'false'])}
        self.push([], 0)
        for _ in range(2):
            self.block([], 0, False)

    def put(self, depth, modelica, python=None):
        self.modelica.append('  ' * depth + modelica)
        if python is not None:
            self.python.append('  ' * depth + python)

    def element(self, inside):
        if inside and self.r.random() < 0.4:
            i = self.r.choice(inside)
            return f'v[mod({i}, 4) + 1]', f'v[{i} % 4]'
        i = self.r.randint(1, 4)
        return f'v[{i}]', f'v[{i - 1}]'

    def integer(self, inside):
        kind = self.r.random()
        if kind < 0.25:
            return (str(self.r.randint(-3, 7)),) * 2
        if kind < 0.55:
            return (self.r.choice(['a', 'b', 'n'] + inside),) * 2
        if kind < 0.68:
            return self.element(inside)
        if kind < 0.75:
            i = self.integer(inside)
            return f'(if c > 0 then w[mod({i[0]}, max(c, 1)) + 1] else 5)', f'(w[({i[1]}) % c] if c > 0 else 5)'
        one, other = self.integer(inside), self.integer(inside)
        if kind < 0.85:
            return f'mod(({one[0]})*({other[0]}), 97)', f'(({one[1]})*({other[1]})) % 97'
        sign = self.r.choice('+-')
        return tuple(f'({one[k]}) {sign} ({other[k]})' for k in range(2))

    def condition(self, inside):
        if self.r.random() < 0.1:
            return 'not f', 'not f'
        if self.r.random() < 0.25:
            return self.guard(inside)
        one, other, relation = self.integer(inside), self.integer(inside), self.r.choice(['<', '<=', '==', '<>', '>'])
        behind = ' or f' if self.r.random() < 0.2 else ''
        return (f'mod({one[0]}, 7) {relation} mod({other[0]}, 7){behind}',
                f'({one[1]}) % 7 {relation.replace("<>", "!=")} ({other[1]}) % 7{behind}')

    def guard(self, inside):
        """An element whose subscript may be outside, behind the conditions that it is not."""
        i, limit, more = self.integer(inside), self.integer(inside), self.r.choice(['a', 'b', 'n'] + inside)
        i = tuple(f'({text}) + {more}' for text in i)
        array, size = self.r.choice([('v', '4'), ('w', 'c')])
        inner = f'{array}[{i[0]}] < {limit[0]}', f'{array}[({i[1]}) - 1] < {limit[1]}'
        if self.r.random() < 0.5:
            return tuple(f'1 <= {i[k]} and {i[k]} <= {size} and {inner[k]}' for k in range(2))
        return tuple(f'({i[k]} < 1 or {i[k]} > {size} or {inner[k]})' for k in range(2))

    def push(self, inside, depth):
        value = self.integer(inside)
        self.put(depth, f'if c < {DEPTH} then', f'if c < {DEPTH}:')
        self.put(depth + 1, f'w[c + 1] := mod({value[0]}, {PRIME});', f'w[c] = ({value[1]}) % {PRIME}')
        self.put(depth + 1, 'c := c + 1;', 'c += 1')
        self.put(depth, 'end if;')

    def assign(self, inside, depth):
        if self.r.random() < 0.15:
            to = 'f', 'f'
            value = self.condition(inside) if self.r.random() < 0.5 else self.r.choice([('true', 'True'), ('false', 'False')])
        else:
            to = self.element(inside) if self.r.random() < 0.4 else (self.r.choice('ab'),) * 2
            value = (str(self.r.randint(0, 9)),) * 2 if self.r.random() < 0.35 else self.integer(inside)
            value = f'mod({value[0]}, {PRIME})', f'({value[1]}) % {PRIME}'
        self.put(depth, f'{to[0]} := {value[0]};', f'{to[1]} = {value[1]}')

    def branch(self, inside, depth, in_loop):
        condition = self.condition(inside)
        self.put(depth, f'if {condition[0]} then', f'if {condition[1]}:')
        self.block(inside, depth + 1, in_loop)
        if in_loop and self.r.random() < 0.45:
            self.put(depth + 1, 'break;', 'break')
        elif self.r.random() < 0.06:
            self.returns = True
            self.put(depth + 1, 'return;', 'return a, b, f, v')
        if self.r.random() < 0.4:
            condition = self.condition(inside)
            other = self.r.random() < 0.4
            self.put(depth, f'elseif {condition[0]} then' if other else 'else', f'elif {condition[1]}:' if other else 'else:')
            self.block(inside, depth + 1, in_loop)
            if in_loop and self.r.random() < 0.15:
                self.put(depth + 1, 'break;', 'break')
        self.put(depth, 'end if;')

    def count(self, inside, depth):
        self.loops += 1
        i = f'i{self.loops}'
        kind = self.r.random()
        if kind < 0.15:
            values = [self.r.randint(0, 6) for _ in range(self.r.randint(1, 4))]
            heads = '{' + ', '.join(map(str, values)) + '}', str(values)
        elif kind < 0.55:
            last = self.r.randint(2, 5)
            heads = f'1:{last}', f'range(1, {last + 1})'
        else:
            last = self.integer(inside)
            heads = f'1:mod({last[0]}, 6)', f'range(1, ({last[1]}) % 6 + 1)'
        if kind > 0.85:
            heads = '1:c', 'range(1, c + 1)'
            self.put(depth, f'for {i} in {heads[0]} loop', f'for {i} in {heads[1]}:')
            self.put(depth + 1, f'a := mod(a + w[{i}], {PRIME});', f'a = (a + w[{i} - 1]) % {PRIME}')
            self.block(inside, depth + 1, True)
            self.put(depth, 'end for;')
            return
        self.put(depth, f'for {i} in {heads[0]} loop', f'for {i} in {heads[1]}:')
        self.block(inside + [i], depth + 1, True)
        self.put(depth, 'end for;')

    def repeat(self, inside, depth):
        w = f'w{len(self.counters) + 1}'
        self.counters.append(w)
        condition = self.condition(inside)
        self.put(depth, f'{w} := 0;', f'{w} = 0')
        self.put(depth, f'while {w} < 5 and ({condition[0]}) loop', f'while {w} < 5 and ({condition[1]}):')
        self.put(depth + 1, f'{w} := {w} + 1;', f'{w} += 1')
        self.block(inside + [w], depth + 1, True)
        self.put(depth, 'end while;')

    def block(self, inside, depth, in_loop):
        for _ in range(self.r.randint(1, 4)):
            kind = self.r.random()
            if kind < 0.3 or depth >= 4:
                self.assign(inside, depth)
            elif kind < 0.38:
                self.push(inside, depth)
            elif kind < 0.66:
                self.branch(inside, depth, in_loop)
            elif kind < 0.86:
                self.count(inside, depth)
            else:
                self.repeat(inside, depth)

    def results(self, n):
        s = self.start
        lines = [f'a, b, f, v = {s["a"]}, {s["b"]}, {s["f"].title()}, [1, 2, 3, 4]', f'c, w = 0, [None]*{DEPTH}'] + self.python + ['return a, b, f, v']
        scope = {}
        exec('def program(n):\n' + '\n'.join('  ' + line for line in lines), scope)
        a, b, f, v = scope['program'](n)
        return [a, b, int(f)] + v

    def function(self, k):
        s, own = self.start, ''.join(f'    Integer {w};\n' for w in self.counters)
        return (f'  function f{k}\n    input Integer n;\n    output Integer a = {s["a"]}, b = {s["b"]}, v[4] = {{1, 2, 3, 4}};\n'
                f'    output Boolean f = {s["f"]};\n  protected\n    Integer c = 0, w[{DEPTH}];\n{own}  algorithm\n'
                + ''.join(f'    {line}\n' for line in self.modelica) + f'  end f{k};\n')

    def section(self, k):
        s = self.start
        lines = [f'a := {s["a"]};', f'b := {s["b"]};', f'f := {s["f"]};', 'v := {1, 2, 3, 4};', 'c := 0;'] + self.modelica
        lines = [re.sub(r'\b(a|b|c|f|v|w\d*)\b', rf's{k}_\1', line) for line in lines]
        return ('algorithm\n  when sample(1, 1) then\n'
                + ''.join(f'    {line}\n' for line in lines) + '  end when;\n')

    def variables(self, k):
        counters = ''.join(f', s{k}_{w}' for w in self.counters)
        return f'  Integer s{k}_a, s{k}_b, s{k}_v[4], s{k}_c, s{k}_w[{DEPTH}]{counters}; Boolean s{k}_f;\n'


def model_of(programs):
    functions = ''.join(p.function(k) for k, p in enumerate(programs))
    sections = ''.join(p.section(k) for k, p in enumerate(programs) if not p.returns)
    declarations = ''.join(p.variables(k) for k, p in enumerate(programs) if not p.returns)
    declarations += ''.join(f'  Integer a{k}, b{k}, v{k}[4]; Boolean g{k};\n' for k in range(len(programs)))
    calls = ''.join(f'  (a{k}, b{k}, v{k}, g{k}) = f{k}(n);\n' for k in range(len(programs)))
    return ('model Loops\n' + functions + declarations + '  Integer n(start = 0, fixed = true);\nequation\n'
            '  when sample(1, 1) then n = pre(n) + 1; end when;\n' + calls + sections + 'end Loops;\n')


def wrong_values(programs, rows):
    for row in rows:
        n = int(row['n'])
        for k, p in enumerate(programs):
            want = p.results(n)
            found = {'the function': [row[f'a{k}'], row[f'b{k}'], row[f'g{k}']] + [row[f'v{k}[{i}]'] for i in range(1, 5)]}
            if not p.returns and n > 0:
                found['the section'] = [row[f's{k}_{x}'] for x in 'abf'] + [row[f's{k}_v[{i}]'] for i in range(1, 5)]
            for where, texts in found.items():
                if [int(x) for x in texts] != want:
                    yield f'program {k}, n = {n}: {where} has {texts} for a, b, f, v, not {want}'


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('rung')
    arguments.add_argument('--models', type=int, default=20)
    arguments.add_argument('--programs', type=int, default=10, help='in each model')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--keep', help='folder for the models that are wrong')
    given = arguments.parse_args()
    bad = 0
    for seed in range(given.seed, given.seed + given.models):
        r = random.Random(seed)
        programs = [Program(r) for _ in range(given.programs)]
        text = model_of(programs)
        with tempfile.TemporaryDirectory() as folder:
            path, result = os.path.join(folder, 'Loops.mo'), os.path.join(folder, 'loops.csv')
            with open(path, 'w') as f:
                f.write(text)
            run = subprocess.run([given.rung, 'simulate', '-q', path, '--stop', str(LAST + 0.5), '--interval', '0.5', '-o', result],
                                 capture_output=True, text=True)
            wrong = [f'status {run.returncode}: {run.stderr}'] if run.returncode else None
            if wrong is None:
                with open(result) as f:
                    wrong = list(wrong_values(programs, csv.DictReader(f)))
        if wrong:
            bad += 1
            print(f'seed {seed}: {wrong[0]}')
            if given.keep:
                os.makedirs(given.keep, exist_ok=True)
                with open(os.path.join(given.keep, f'loops_{seed}.mo'), 'w') as f:
                    f.write(text)
    print(f'{given.models * given.programs} programs, {bad} of {given.models} models wrong or refused')
    sys.exit(bad > 0)


main()
