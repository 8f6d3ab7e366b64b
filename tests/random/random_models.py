#!/usr/bin/env python3
"""Random models against exact evaluation: arrays, records, functions, when-clauses, inner and outer,
trees of redeclarations.

Each model has a value that follows from the specification alone. It is computed here with rational
numbers, by a second implementation of what the model uses; all numbers are multiples of powers of two
and small, so that doubles hold them exactly and any difference is an error. Many models are components
of one, which is translated, run to time 1 and compared.

usage: random_models.py RUNG [--models N] [--seed S] [--only KIND] [--bundle N] [--keep DIR]
Status 1 if a value is wrong or a model is refused; what is needed to see it again is printed.
"""
import argparse
import csv
import io
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction as F


class Discard(Exception):
    """The model left the numbers that doubles hold exactly."""


def fit(v):
    """v, if it is small and a multiple of a small power of two."""
    if isinstance(v, bool) or isinstance(v, str):
        return v
    if isinstance(v, (int, F)):
        if abs(v) > 1 << 20 or (isinstance(v, F) and v.denominator > 1 << 12):
            raise Discard
        return v
    return [fit(x) for x in v]


# precedence: what may stand in what without parentheses
OR, AND, NOT, REL, ADD, MUL, POW, PRIM = range(1, 9)


class X:
    """An expression: its text, how tightly it binds, its value in an environment."""

    def __init__(self, text, prec, fn):
        self.text, self.prec, self.fn = text, prec, fn

    def at(self, least):
        return self.text if self.prec >= least else '(' + self.text + ')'

    def value(self, env):
        return fit(self.fn(env))


def number(r):
    """A literal."""
    k = r.choice([0, 1, 2, 3, 5, 8, r.randint(0, 40)])
    v = F(k, r.choice([1, 1, 2, 4, 8]))
    text = repr(float(v)) if v.denominator > 1 or r.random() < 0.5 else str(v.numerator)
    return X(text, PRIM, lambda e: v)


def mul(a, b):
    """Of scalars, vectors, matrices (MLS 10.6)."""
    da, db = dims(a), dims(b)
    if not da:
        return [mul(a, x) for x in b] if db else a * b
    if not db:
        return mul(b, a)
    if da == 1 and db == 1:
        return sum((x * y for x, y in zip(a, b)), F(0))
    if da == 2 and db == 1:
        return [mul(row, b) for row in a]
    if da == 1 and db == 2:
        return [sum((a[i] * b[i][j] for i in range(len(a))), F(0)) for j in range(len(b[0]))]
    return [[sum((row[k] * b[k][j] for k in range(len(b))), F(0)) for j in range(len(b[0]))]
            for row in a]


def dims(v):
    return 0 if not isinstance(v, list) else 1 + (dims(v[0]) if v else 0)


def each(fn, *args):
    """Element by element."""
    if isinstance(args[0], list):
        return [each(fn, *(a[k] for a in args)) for k in range(len(args[0]))]
    return fn(*args)


def floor(x):
    return F(x.numerator // x.denominator) if isinstance(x, F) else x


def div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


class Expressions:
    """Random expressions over the variables that are named in `names`: type -> list of names."""

    def __init__(self, r, names, functions=()):
        self.r, self.names, self.functions = r, names, functions

    def of(self, kind, depth):
        if depth > 0:
            for _ in range(4):
                x = self.inner(kind, depth - 1)
                if x:
                    return x
        return self.leaf(kind)

    def variable(self, kind):
        all_of = self.names.get(kind, [])
        if not all_of:
            return None
        n = self.r.choice(all_of)
        return X(n, PRIM, lambda e: e[n])

    def leaf(self, kind):
        r = self.r
        v = self.variable(kind) if r.random() < 0.75 else None
        if v:
            return v
        if kind == 'R':
            return number(r)
        if kind == 'I':
            k = r.randint(0, 6)
            return X(str(k), PRIM, lambda e: k)
        if kind == 'B':
            b = r.random() < 0.5
            return X('true' if b else 'false', PRIM, lambda e: b)
        if len(kind) == 2:  # ('V', n)
            parts = [self.leaf('R') for _ in range(kind[1])]
            return X('{' + ', '.join(p.text for p in parts) + '}', PRIM,
                     lambda e: [p.value(e) for p in parts])
        _, n, m = kind
        rows = [[self.leaf('R') for _ in range(m)] for _ in range(n)]
        value = lambda e: [[p.value(e) for p in row] for row in rows]
        if r.random() < 0.5:
            return X('[' + '; '.join(', '.join(p.text for p in row) for row in rows) + ']', PRIM, value)
        return X('{' + ', '.join('{' + ', '.join(p.text for p in row) + '}' for row in rows) + '}',
                 PRIM, value)

    def inner(self, kind, depth):
        if kind == 'R':
            return self.real(depth)
        if kind == 'I':
            return self.integer(depth)
        if kind == 'B':
            return self.boolean(depth)
        return self.vector(kind[1], depth) if len(kind) == 2 else self.matrix(kind, depth)

    def binary(self, kind_a, kind_b, depth, op, prec, fn):
        a, b = self.of(kind_a, depth), self.of(kind_b, depth)
        return X(f'{a.at(prec)} {op} {b.at(prec + 1)}', prec, lambda e: fn(a.value(e), b.value(e)))

    def call(self, name, kinds, depth, fn):
        args = [self.of(k, depth) for k in kinds]
        return X(name + '(' + ', '.join(a.text for a in args) + ')', PRIM,
                 lambda e: fn(*(a.value(e) for a in args)))

    def branch(self, kind, depth):
        c, a, b = self.of('B', depth), self.of(kind, depth), self.of(kind, depth)
        return X(f'if {c.text} then {a.text} else {b.text}', 0,
                 lambda e: a.value(e) if c.value(e) else b.value(e))

    def real(self, depth):
        r = self.r
        n = r.randint(1, 4)
        pick = r.randint(0, 17)
        if pick <= 2:
            return self.binary('R', 'R', depth, '+', ADD, lambda a, b: a + b)
        if pick <= 4:
            return self.binary('R', 'R', depth, '-', ADD, lambda a, b: a - b)
        if pick == 5:
            return self.binary('R', 'R', depth, '*', MUL, lambda a, b: a * b)
        if pick == 6:
            a, k = self.of('R', depth), r.choice([2, 4, -2])
            return X(f'{a.at(MUL)}/' + (str(k) if k > 0 else f'({k})'), MUL, lambda e: a.value(e) / F(k))
        if pick == 7:
            a = self.of('R', depth)
            return X('-' + a.at(MUL), ADD, lambda e: -a.value(e))
        if pick == 8:
            a = self.of('R', depth)
            return X(a.at(PRIM) + '^2', POW, lambda e: a.value(e) ** 2)
        if pick == 9:
            return self.call(*r.choice([('abs', ['R'], depth, abs), ('min', ['R', 'R'], depth, min),
                                        ('max', ['R', 'R'], depth, max),
                                        ('floor', ['R'], depth, lambda x: floor(F(x))),
                                        ('ceil', ['R'], depth, lambda x: -floor(-F(x)))]))
        if pick == 10:
            return self.branch('R', depth)
        if pick == 11:
            a = self.of('I', depth)
            return X(a.text, a.prec, lambda e: F(a.value(e)))
        if pick == 12:
            return self.call(*r.choice([('sum', [('V', n)], depth, lambda v: sum(v, F(0))),
                                        ('max', [('V', n)], depth, max),
                                        ('min', [('V', n)], depth, min)]))
        if pick == 13:
            a, b = self.of(('V', n), depth), self.of(('V', n), depth)
            return X(f'{a.at(MUL)}*{b.at(POW)}', MUL, lambda e: mul(a.value(e), b.value(e)))
        if pick == 14:
            v = self.variable(('V', n))
            k = r.randint(1, n)
            how = r.choice([str(k), f'end - {n - k}' if k < n else 'end'])
            return v and X(f'{v.text}[{how}]', PRIM, lambda e: v.value(e)[k - 1])
        if pick == 15:
            m = r.randint(1, 3)
            a = self.variable(('M', n, m))
            i, j = r.randint(1, n), r.randint(1, m)
            return a and X(f'{a.text}[{i}, {j}]', PRIM, lambda e: a.value(e)[i - 1][j - 1])
        if pick == 16:
            return self.reduction(n, depth)
        return self.user(('R',), depth)

    def reduction(self, n, depth):
        r = self.r
        i = 'i%d' % r.randint(1, 10 ** 6)
        names = dict(self.names)
        names['I'] = names.get('I', []) + [i, i]
        of = Expressions(r, names, self.functions).of('R', min(depth, 1))
        name, fn = r.choice([('sum', lambda v: sum(v, F(0))), ('max', max), ('min', min)])
        first = r.randint(0, 2)
        at = [first + 2 * k for k in range(n)] if r.random() < 0.3 else [first + k for k in range(n)]
        step = ':2' if len(at) > 1 and at[1] - at[0] == 2 else ''
        return X(f'{name}({of.text} for {i} in {at[0]}{step}:{at[-1]})', PRIM,
                 lambda e: fn([of.value({**e, i: k}) for k in at]))

    def user(self, results, depth):
        all_of = [f for f in self.functions if f.results[:1] == list(results)]
        if not all_of:
            return None
        f = self.r.choice(all_of)
        args = [self.of(k, depth) for k in f.kinds]
        n_named = self.r.randint(0, len(args))
        n_default = self.r.randint(0, f.n_defaults)
        text, given = [], {}
        order = list(range(len(args) - n_default))
        positional = order[:max(0, len(order) - n_named)]
        named = order[len(positional):]
        self.r.shuffle(named)
        for k in positional:
            text.append(args[k].text)
        for k in named:
            text.append(f'{f.inputs[k]} = {args[k].text}')
        for k in order:
            given[f.inputs[k]] = args[k]
        return X(f'{f.name}({", ".join(text)})', PRIM,
                 lambda e: f.run({k: a.value(e) for k, a in given.items()})[0])

    def integer(self, depth):
        r = self.r
        pick = r.randint(0, 9)
        if pick <= 1:
            return self.binary('I', 'I', depth, '+', ADD, lambda a, b: a + b)
        if pick == 2:
            return self.binary('I', 'I', depth, '-', ADD, lambda a, b: a - b)
        if pick == 3:
            return self.binary('I', 'I', depth, '*', MUL, lambda a, b: a * b)
        if pick == 4:
            a, k = self.of('I', depth), r.choice([2, 3, 5, -2, -3])
            name, fn = r.choice([('div', div), ('mod', lambda x, y: x - (x // y) * y),
                                 ('rem', lambda x, y: x - div(x, y) * y)])
            return X(f'{name}({a.text}, {k})', PRIM, lambda e: fn(a.value(e), k))
        if pick == 5:
            return self.call('integer', ['R'], depth, lambda x: int(floor(F(x))))
        if pick == 6:
            return self.branch('I', depth)
        if pick == 7:
            return self.call(*r.choice([('abs', ['I'], depth, abs), ('min', ['I', 'I'], depth, min),
                                        ('max', ['I', 'I'], depth, max)]))
        if pick == 8:
            n = r.randint(1, 4)
            v = self.variable(('V', n))
            return v and X(f'size({v.text}, 1)', PRIM, lambda e: n)
        return self.user(('I',), depth)

    def boolean(self, depth):
        r = self.r
        pick = r.randint(0, 7)
        if pick <= 3:
            kind = r.choice('RRI')
            op, fn = r.choice([('<', lambda a, b: a < b), ('<=', lambda a, b: a <= b),
                               ('>', lambda a, b: a > b), ('>=', lambda a, b: a >= b)])
            if kind == 'I' and r.random() < 0.4:
                op, fn = r.choice([('==', lambda a, b: a == b), ('<>', lambda a, b: a != b)])
            a, b = self.of(kind, depth), self.of(kind, depth)
            return X(f'{a.at(ADD)} {op} {b.at(ADD)}', REL, lambda e: fn(a.value(e), b.value(e)))
        if pick == 4:
            return self.binary('B', 'B', depth, 'and', AND, lambda a, b: a and b)
        if pick == 5:
            return self.binary('B', 'B', depth, 'or', OR, lambda a, b: a or b)
        if pick == 6:
            a = self.of('B', depth)
            return X('not ' + a.at(REL), NOT, lambda e: not a.value(e))
        return self.branch('B', depth)

    def vector(self, n, depth):
        r = self.r
        V = ('V', n)
        pick = r.randint(0, 14)
        if pick == 0:
            return self.binary(V, V, depth, '+', ADD, lambda a, b: each(lambda x, y: x + y, a, b))
        if pick == 1:
            return self.binary(V, V, depth, '-', ADD, lambda a, b: each(lambda x, y: x - y, a, b))
        if pick == 2:
            a, b = self.of('R', depth), self.of(V, depth)
            return X(f'{a.at(MUL)}*{b.at(POW)}', MUL, lambda e: mul(a.value(e), b.value(e)))
        if pick == 3:
            a, b = self.of(V, depth), self.of(V, depth)
            return X(f'{a.at(MUL)} .* {b.at(POW)}', MUL,
                     lambda e: each(lambda x, y: x * y, a.value(e), b.value(e)))
        if pick == 4:
            a, b = self.of(V, depth), self.of('R', depth)
            op, fn = r.choice([('.+', lambda x, y: x + y), ('.-', lambda x, y: x - y)])
            return X(f'{a.at(ADD)} {op} {b.at(MUL)}', ADD,
                     lambda e: [fn(x, b.value(e)) for x in a.value(e)])
        if pick == 5:
            m = r.randint(1, 3)
            a, b = self.of(('M', n, m), depth), self.of(('V', m), depth)
            return X(f'{a.at(MUL)}*{b.at(POW)}', MUL, lambda e: mul(a.value(e), b.value(e)))
        if pick == 6:
            m = r.randint(1, 3)
            a, b = self.of(('V', m), depth), self.of(('M', m, n), depth)
            return X(f'{a.at(MUL)}*{b.at(POW)}', MUL, lambda e: mul(a.value(e), b.value(e)))
        if pick == 7:
            longer = self.variable(('V', n + r.randint(0, 2)))
            if not longer:
                return None
            m = self.size_of(longer.text)
            at = [r.randint(1, m) for _ in range(n)]
            first = r.randint(0, m - n)
            text, at = r.choice([('{' + ', '.join(map(str, at)) + '}', at),
                                 (f'{first + 1}:{first + n}', list(range(first + 1, first + n + 1))),
                                 (f'{first + n}:-1:{first + 1}', list(range(first + n, first, -1))),
                                 (f'end:-1:end - {n - 1}' if n > 1 else '{end}',
                                  list(range(m, m - n, -1)))])
            return X(f'{longer.text}[{text}]', PRIM, lambda e: [longer.value(e)[k - 1] for k in at])
        if pick == 8 and n >= 2:
            k = r.randint(1, n - 1)
            a, b = self.of(('V', k), depth), self.of(('V', n - k), depth)
            return X(f'cat(1, {a.text}, {b.text})', PRIM, lambda e: a.value(e) + b.value(e))
        if pick == 9:
            a = self.of('R', depth)
            return X(f'fill({a.text}, {n})', PRIM, lambda e: [a.value(e)] * n)
        if pick == 10:
            i = 'i%d' % r.randint(1, 10 ** 6)
            names = dict(self.names)
            names['I'] = names.get('I', []) + [i, i]
            of = Expressions(r, names, self.functions).of('R', min(depth, 1))
            first = r.randint(0, 3)
            return X(f'{{{of.text} for {i} in {first}:{first + n - 1}}}', PRIM,
                     lambda e: [of.value({**e, i: first + k}) for k in range(n)])
        if pick == 11:
            m = r.randint(1, 3)
            a = self.variable(('M', n, m))
            j = r.randint(1, m)
            return a and X(f'{a.text}[:, {j}]', PRIM, lambda e: [row[j - 1] for row in a.value(e)])
        if pick == 12:
            m = r.randint(1, 3)
            a = self.variable(('M', m, n))
            i = r.randint(1, m)
            return a and X(f'{a.text}[{i}, :]', PRIM, lambda e: a.value(e)[i - 1])
        if pick == 13 and n == 3:
            return self.call('cross', [V, V], depth, lambda a, b: [
                a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
        if pick == 14:
            return self.branch(V, depth)
        a = self.of(V, depth)
        return X('-' + a.at(MUL), ADD, lambda e: each(lambda x: -x, a.value(e)))

    def size_of(self, name):
        return next(k[1] for k, all_of in self.names.items() if len(k) == 2 and name in all_of)

    def matrix(self, kind, depth):
        r = self.r
        _, n, m = kind
        pick = r.randint(0, 10)
        if pick == 0:
            return self.binary(kind, kind, depth, '+', ADD, lambda a, b: each(lambda x, y: x + y, a, b))
        if pick == 1:
            return self.binary(kind, kind, depth, '-', ADD, lambda a, b: each(lambda x, y: x - y, a, b))
        if pick == 2:
            a = self.of(('M', m, n), depth)
            return X(f'transpose({a.text})', PRIM, lambda e: [list(x) for x in zip(*a.value(e))])
        if pick == 3:
            k = r.randint(1, 3)
            a, b = self.of(('M', n, k), depth), self.of(('M', k, m), depth)
            return X(f'{a.at(MUL)}*{b.at(POW)}', MUL, lambda e: mul(a.value(e), b.value(e)))
        if pick == 4 and n == m:
            return X(f'identity({n})', PRIM, lambda e: [[F(i == j) for j in range(n)] for i in range(n)])
        if pick == 5 and n == m:
            a = self.of(('V', n), depth)
            return X(f'diagonal({a.text})', PRIM,
                     lambda e: [[a.value(e)[i] if i == j else F(0) for j in range(n)] for i in range(n)])
        if pick == 6:
            a, b = self.of('R', depth), self.of(kind, depth)
            return X(f'{a.at(MUL)}*{b.at(POW)}', MUL, lambda e: mul(a.value(e), b.value(e)))
        if pick == 7:
            cols = [self.of(('V', n), depth) for _ in range(m)]
            return X('[' + ', '.join(c.text for c in cols) + ']', PRIM,
                     lambda e: [list(x) for x in zip(*(c.value(e) for c in cols))])
        if pick == 8 and n >= 2:
            k = r.randint(1, n - 1)
            a, b = self.of(('M', k, m), depth), self.of(('M', n - k, m), depth)
            return X(f'[{a.text}; {b.text}]', PRIM, lambda e: a.value(e) + b.value(e))
        if pick == 9 and m >= 2:
            k = r.randint(1, m - 1)
            a, b = self.of(('M', n, k), depth), self.of(('M', n, m - k), depth)
            return X(f'cat(2, {a.text}, {b.text})', PRIM,
                     lambda e: [x + y for x, y in zip(a.value(e), b.value(e))])
        i, j = ('i%d' % r.randint(1, 10 ** 6), 'j%d' % r.randint(1, 10 ** 6))
        names = dict(self.names)
        names['I'] = names.get('I', []) + [i, j]
        of = Expressions(r, names, self.functions).of('R', min(depth, 1))
        # the last iterator is the first dimension of {e for j, i}
        return X(f'{{{of.text} for {j} in 1:{m}, {i} in 1:{n}}}', PRIM,
                 lambda e: [[of.value({**e, i: p + 1, j: q + 1}) for q in range(m)] for p in range(n)])


# ---- functions ---------------------------------------------------------------------------------


class Break(Exception):
    pass


class Return(Exception):
    pass


class Function:
    """function f, with its own interpreter of statements."""

    def __init__(self, r, name, others):
        self.name, self.results = name, [r.choice(['R', 'R', 'I'])]
        self.kinds = [r.choice(['R', 'R', 'I', ('V', r.randint(1, 3)), 'B']) for _ in range(r.randint(1, 3))]
        self.inputs = ['u%d' % k for k in range(len(self.kinds))]
        self.n_defaults, self.default = 0, {}
        names = {}
        for k, n in zip(self.kinds, self.inputs):
            names.setdefault(k, []).append(n)
        x = Expressions(r, dict(names), others)
        text = [f'function {name}']
        for k, kind in enumerate(self.kinds):
            value = ''
            if k == len(self.kinds) - 1 and kind in ('R', 'I') and r.random() < 0.5:
                earlier = {}
                for q in range(k):
                    earlier.setdefault(self.kinds[q], []).append(self.inputs[q])
                d = Expressions(r, earlier, others).of(kind, 1)
                value, self.n_defaults = ' = ' + d.text, 1
                self.default[self.inputs[k]] = d
            text.append('  input ' + declared(kind, self.inputs[k], r.random() < 0.5) + value + ';')
        text.append('  output ' + declared(self.results[0], 'y', False) + ';')
        text.append('protected')
        self.locals = [('R', 'a'), ('I', 'n'), (('V', 2), 'w')]
        self.start = {}
        for kind, n in self.locals:
            v = x.of(kind, 1)
            self.start[n] = v
            text.append('  ' + declared(kind, n, False) + ' = ' + v.text + ';')
        text.append('algorithm')
        for kind, n in self.locals:
            names.setdefault(kind, []).append(n)
        first = x.of(self.results[0], 1)
        names.setdefault(self.results[0], []).append('y')
        self.x = Expressions(r, names, others)
        self.r, self.loops = r, 0
        self.body = [('assign', 'y', first)] + self.statements(2, False)
        last = self.x.of(self.results[0], 2)
        if r.random() < 0.5:
            self.body.append(('assign', 'y', last))
        self.print(self.body, 1, text)
        text.append(f'end {name};')
        self.text = '\n'.join(text)

    def statements(self, depth, in_loop):
        r, out = self.r, []
        for _ in range(r.randint(1, 3)):
            pick = r.randint(0, 9)
            if pick <= 4 or depth == 0:
                kind, n = r.choice(self.locals + [(self.results[0], 'y')])
                if kind == ('V', 2) and r.random() < 0.6:
                    out.append(('element', n, r.randint(1, 2), self.x.of('R', 1)))
                else:
                    out.append(('assign', n, self.x.of(kind, 2)))
            elif pick <= 6:
                branches = [(self.x.of('B', 1), self.statements(depth - 1, in_loop))
                            for _ in range(r.randint(1, 2))]
                other = self.statements(depth - 1, in_loop) if r.random() < 0.6 else None
                out.append(('if', branches, other))
            elif pick == 7:
                i = 'k%d' % self.loops
                self.loops += 1
                self.x.names.setdefault('I', []).append(i)
                out.append(('for', i, r.randint(0, 2), r.randint(1, 4), self.statements(depth - 1, True)))
                self.x.names['I'].remove(i)
            elif pick == 8:
                c = 'c%d' % self.loops
                self.loops += 1
                self.locals_add(c)
                out.append(('while', c, r.randint(1, 3), self.x.of('B', 1), self.statements(depth - 1, True)))
            elif in_loop:
                out.append(('exit', r.choice(['break', 'return']), self.x.of('B', 1)))
        return out

    def locals_add(self, name):
        self.counters = getattr(self, 'counters', []) + [name]

    def print(self, body, depth, text):
        pad = '  ' * depth
        for s in body:
            if s[0] == 'assign':
                text.append(f'{pad}{s[1]} := {s[2].text};')
            elif s[0] == 'element':
                text.append(f'{pad}{s[1]}[{s[2]}] := {s[3].text};')
            elif s[0] == 'if':
                for k, (c, b) in enumerate(s[1]):
                    text.append(f'{pad}{"elseif" if k else "if"} {c.text} then')
                    self.print(b, depth + 1, text)
                if s[2] is not None:
                    text.append(pad + 'else')
                    self.print(s[2], depth + 1, text)
                text.append(pad + 'end if;')
            elif s[0] == 'for':
                text.append(f'{pad}for {s[1]} in {s[2]}:{s[3]} loop')
                self.print(s[4], depth + 1, text)
                text.append(pad + 'end for;')
            elif s[0] == 'while':
                at = next(k for k, line in enumerate(text) if line == 'algorithm')
                text.insert(at, f'  Integer {s[1]};')
                text.append(f'{pad}{s[1]} := 0;')
                text.append(f'{pad}while {s[1]} < {s[2]} and ({s[3].text}) loop')
                text.append(f'{pad}  {s[1]} := {s[1]} + 1;')
                self.print(s[4], depth + 1, text)
                text.append(pad + 'end while;')
            else:
                text.append(f'{pad}if {s[2].text} then')
                text.append(f'{pad}  {s[1]};')
                text.append(pad + 'end if;')

    def step(self, body, e):
        for s in body:
            if s[0] == 'assign':
                v = s[2].value(e)
                e[s[1]] = list(v) if isinstance(v, list) else v
            elif s[0] == 'element':
                v = list(e[s[1]])
                v[s[2] - 1] = s[3].value(e)
                e[s[1]] = v
            elif s[0] == 'if':
                for c, b in s[1]:
                    if c.value(e):
                        self.step(b, e)
                        break
                else:
                    if s[2] is not None:
                        self.step(s[2], e)
            elif s[0] == 'for':
                try:
                    for k in range(s[2], s[3] + 1):
                        e[s[1]] = k
                        self.step(s[4], e)
                except Break:
                    pass
            elif s[0] == 'while':
                try:
                    e[s[1]] = 0
                    while e[s[1]] < s[2] and s[3].value(e):
                        e[s[1]] += 1
                        self.step(s[4], e)
                except Break:
                    pass
            elif s[2].value(e):
                raise Break if s[1] == 'break' else Return

    def run(self, given):
        e = dict(given)
        for n, d in self.default.items():
            if n not in e:
                e[n] = d.value(e)
        for n, x in self.start.items():
            e[n] = x.value(e)
        try:
            self.step(self.body, e)
        except Return:
            pass
        return [fit(e['y'])]


def declared(kind, name, flexible):
    if kind in ('R', 'I', 'B'):
        return {'R': 'Real ', 'I': 'Integer ', 'B': 'Boolean '}[kind] + name
    if len(kind) == 2:
        return f'Real {name}[{":" if flexible else kind[1]}]'
    return f'Real {name}[{kind[1]}, {kind[2]}]'


# ---- models ------------------------------------------------------------------------------------


class Model:
    """Classes, the last of which is model `name`; what its variables are at time 1."""

    def __init__(self, name):
        self.name, self.text, self.want = name, [], {}

    def add(self, *lines):
        self.text.extend(lines)


def sources(r, m, env, names):
    """Parameters, and variables that have had an event."""
    for k in range(3):
        v = number(r)
        m.add(f'  parameter Real p{k} = {v.text};')
        env[f'p{k}'] = v.value({})
        names.setdefault('R', []).append(f'p{k}')
    v, w = number(r), number(r)
    at = F(r.randint(1, 7), 8)
    m.add(f'  Real s = if time > {float(at)} then {v.text} else {w.text};')
    env['s'] = v.value({})
    names['R'].append('s')
    i = r.randint(-5, 9)
    m.add(f'  parameter Integer q = {i};')
    env['q'] = i
    names['I'] = ['q']
    b = r.random() < 0.5
    m.add(f'  parameter Boolean b = {"true" if b else "false"};')
    env['b'] = b
    names['B'] = ['b']


def declare(m, env, names, kind, name, x):
    env[name] = x.value(env)
    m.add('  ' + declared(kind, name, False) + ' = ' + x.text + ';')
    names.setdefault(kind, []).append(name)


def want(m, name, v):
    if isinstance(v, list):
        for k, x in enumerate(v):
            want(m, f'{name}[{k + 1}]' if '[' not in name[-4:] or not name.endswith(']')
                 else f'{name[:-1]},{k + 1}]', x)
    else:
        m.want[name] = v


def arrays(r, name):
    m, env, names = Model(name), {}, {}
    m.add(f'model {name}')
    sources(r, m, env, names)
    for k in range(6):
        kind = r.choice([('V', r.randint(1, 4)), ('M', r.randint(1, 3), r.randint(1, 3)), 'R', 'I'])
        declare(m, env, names, kind, f'a{k}', Expressions(r, names).of(kind, 3))
        want(m, f'a{k}', env[f'a{k}'])
    m.add(f'end {name};')
    return m


def functions(r, name):
    m, env, names, all_of = Model(name), {}, {}, []
    for k in range(3):
        f = Function(r, f'{name}_f{k}', list(all_of))
        m.add(f.text)
        all_of.append(f)
    m.add(f'model {name}')
    sources(r, m, env, names)
    for k in range(4):
        kind = r.choice(['R', 'R', 'I'])
        x = Expressions(r, names, all_of).user((kind,), 1) or Expressions(r, names, all_of).of(kind, 2)
        declare(m, env, names, kind, f'a{k}', x)
        want(m, f'a{k}', env[f'a{k}'])
    m.add(f'end {name};')
    return m


class Record:
    """Fields with defaults that use each other; nested ones."""

    def __init__(self, r, name, inner):
        self.name, self.field = name, []
        names = {}
        for k in range(r.randint(2, 4)):
            if inner and r.random() < 0.5:
                rec = r.choice(inner)
                mods = rec.modification(r, names)
                self.field.append((f'r{k}', rec, mods))
                for path, kind in rec.paths():
                    names.setdefault(kind, []).append(f'r{k}.{path}')
            else:
                kind = r.choice(['R', 'R', 'I', ('V', 2)])
                self.field.append((f'f{k}', kind, Expressions(r, dict((a, list(b)) for a, b in names.items())).of(kind, 2)))
                names.setdefault(kind, []).append(f'f{k}')
        self.text = f'record {name}\n' + '\n'.join(self.line(f) for f in self.field) + f'\nend {name};'

    def line(self, f):
        n, kind, x = f
        if isinstance(kind, Record):
            return f'  {kind.name} {n}{print_mods(x)};'
        return '  ' + declared(kind, n, False) + ' = ' + x.text + ';'

    def paths(self):
        for n, kind, _ in self.field:
            if isinstance(kind, Record):
                yield from ((f'{n}.{p}', k) for p, k in kind.paths())
            else:
                yield n, kind

    def modification(self, r, names):
        """path -> expression in the scope around."""
        return {p: Expressions(r, names).of(k, 1) for p, k in self.paths() if r.random() < 0.3}

    def evaluate(self, mods, env):
        """Values by path: a modifier from outside counts before one inside."""
        e = {}
        for n, kind, x in self.field:
            if isinstance(kind, Record):
                sub = {p: (lambda v=v: v.value(e)) for p, v in x.items()}
                sub.update({p[len(n) + 1:]: v for p, v in mods.items() if p.startswith(n + '.')})
                for p, v in kind.evaluate(sub, e).items():
                    e[f'{n}.{p}'] = v
            else:
                e[n] = mods[n]() if n in mods else x.value(e)
        return e


def print_mods(mods):
    tree = {}
    for p, x in mods.items():
        at = tree
        *way, last = p.split('.')
        for w in way:
            at = at.setdefault(w, {})
        at[last] = x

    def text(t):
        return ', '.join(f'{n}({text(x)})' if isinstance(x, dict) else f'{n} = {x.text}'
                         for n, x in t.items())
    return f'({text(tree)})' if tree else ''


def records(r, name):
    m, env, names, all_of = Model(name), {}, {}, []
    for k in range(3):
        rec = Record(r, f'{name}_R{k}', list(all_of))
        m.add(rec.text)
        all_of.append(rec)
    for rec in all_of:  # a function of a record
        x = Expressions(r, {k: ['u.' + p for p, kk in rec.paths() if kk == k]
                            for k in {kk for _, kk in rec.paths()}}).of('R', 2)
        rec.fn = x
        m.add(f'function {rec.name}_g', f'  input {rec.name} u;', '  output Real y;', 'algorithm',
              f'  y := {x.text};', f'end {rec.name}_g;')
    m.add(f'model {name}')
    sources(r, m, env, names)
    for k in range(3):
        rec = r.choice(all_of)
        mods = rec.modification(r, names)
        m.add(f'  {rec.name} r{k}{print_mods(mods)};')
        values = rec.evaluate({p: (lambda x=x: x.value(env)) for p, x in mods.items()}, env)
        for p, v in values.items():
            env[f'r{k}.{p}'] = v
            want(m, f'r{k}.{p}', v)
        for p, kind in rec.paths():
            names.setdefault(kind, []).append(f'r{k}.{p}')
        m.add(f'  Real g{k} = {rec.name}_g(r{k});')
        env[f'g{k}'] = rec.fn.value({f'u.{p}': v for p, v in values.items()})
        want(m, f'g{k}', env[f'g{k}'])
        m.add(f'  {rec.name} c{k} = r{k};')
        for p, v in values.items():
            want(m, f'c{k}.{p}', v)
    declare(m, env, names, 'R', 'a', Expressions(r, names).of('R', 3))
    want(m, 'a', env['a'])
    m.add(f'end {name};')
    return m


def whens(r, name):
    """Discrete variables in when-clauses, in layers: those of a layer use current values of earlier
    layers, and left limits of all."""
    m, env, names = Model(name), {}, {}
    m.add(f'model {name}')
    sources(r, m, env, names)
    fixed = {k: [n for n in v if n != 's'] for k, v in names.items()}
    layers, start = [], {}
    all_vars = []
    for k in range(r.randint(2, 4)):
        kind = r.choice(['R', 'I'])
        all_vars.append((kind, f'd{k}'))
        start[f'd{k}'] = F(r.randint(-3, 3), 2) if kind == 'R' else r.randint(-2, 4)
    for k, (kind, n) in enumerate(all_vars):
        seen = {a: list(b) for a, b in fixed.items()}
        for kk, nn in all_vars[:k]:
            seen.setdefault(kk, []).append(nn)
        for kk, nn in all_vars:
            seen.setdefault(kk, []).append(f'pre({nn})')
        x = Expressions(r, seen)
        branches = []
        for _ in range(r.randint(1, 3)):
            pick = r.randint(0, 4)
            if pick <= 1:
                s, h = F(r.randint(0, 6), 16) + F(1, 32), F(r.randint(2, 6), 16)
                c = ('sample', s, h, X(f'sample({float(s)}, {float(h)})', PRIM, None))
            elif pick == 2:
                t = F(r.randint(1, 60), 64) + F(1, 128)
                c = ('time', t, None, X(f'time > {float(t)}', REL, None))
            else:
                earlier = {a: [v for v in b if v not in fixed.get(a, [])] for a, b in seen.items()}
                kind2 = r.choice([a for a in 'RI' if earlier.get(a)])
                v = r.choice(earlier[kind2])
                lim = r.randint(-2, 4)
                c = ('state', v, lim, X(f'{v} {">" if pick == 3 else "<"} {lim}', REL,
                                        (lambda e, v=v, lim=lim: e[v] > lim) if pick == 3 else
                                        (lambda e, v=v, lim=lim: e[v] < lim)))
            branches.append((c, x.of(kind, 2)))
        layers.append((n, branches))
    for kind, n in all_vars:
        v = start[n]
        m.add(f'  {"discrete Real" if kind == "R" else "Integer"} {n}(start = '
              f'{float(v) if kind == "R" else v}, fixed = true);')
    algorithm = r.random() < 0.3
    m.add('algorithm' if algorithm else 'equation')
    for n, branches in layers:
        for k, (c, x) in enumerate(branches):
            m.add(f'  {"elsewhen" if k else "when"} {c[3].text} then',
                  f'    {n} {":=" if algorithm else "="} {x.text};')
        m.add('  end when;')
    m.add(f'end {name};')

    times = set()
    for _, branches in layers:
        for c, _ in branches:
            if c[0] == 'sample':
                t = c[1]
                while t < 1:
                    times.add(t)
                    t += c[2]
            elif c[0] == 'time':
                times.add(c[1])
    now = dict(start)
    held = {k: v for k, v in env.items()}

    def truth(c, t, e, is_instant):
        if c[0] == 'sample':
            return is_instant and t >= c[1] and (t - c[1]) % c[2] == 0
        if c[0] == 'time':
            return is_instant and t >= c[1] or t > c[1]
        return c[3].fn(e)

    def at_rest(t):
        e = {**held, **now, **{f'pre({n})': now[n] for n in now}}
        return {(n, k): truth(c, t, e, False) for n, branches in layers for k, (c, _) in enumerate(branches)}

    before = at_rest(F(0))
    for t in sorted(times):
        for _ in range(30):
            pre = dict(now)
            e = {**held, **pre, **{f'pre({n})': pre[n] for n in pre}}
            after = {}
            for n, branches in layers:
                fired = False
                for k, (c, x) in enumerate(branches):
                    after[n, k] = truth(c, t, e, True)
                    if after[n, k] and not before[n, k] and not fired:
                        fired = True
                        e[n] = x
                if fired:
                    e[n] = e[n].value({**e, n: pre[n]})
                else:
                    e[n] = pre[n]
            now = {n: e[n] for n in now}
            changed = now != pre or after != before
            before = after
            if not changed:
                break
        else:
            raise Discard
        rest = at_rest(t)
        for n, branches in layers:
            for k, (c, _) in enumerate(branches):
                if c[0] == 'sample':
                    before[n, k] = False
                else:
                    before[n, k] = rest[n, k] if c[0] == 'state' else before[n, k]
    for n, v in now.items():
        want(m, n, v)
    return m


def inner_outer(r, name):
    """A tree of models: some have `inner g`, some use `outer g`, some both."""
    m = Model(name)
    count = [0]
    top = []

    def build(depth, value):
        """A class; returns its name and its variables' values, given the outer value."""
        cls = f'{name}_N{count[0]}'
        count[0] += 1
        lines, want_here = [f'model {cls}'], {}
        how = r.choice(['inner', 'outer', 'both', 'none'])
        own = value
        if how == 'inner':
            v = number(r)
            own = v.value({})
            lines.append(f'  inner Real g = {v.text};')
            want_here['y'] = own + 1
            lines.append('  Real y = g + 1;')
        elif how == 'outer':
            lines += ['  outer Real g;', '  Real y = 2*g;']
            want_here['y'] = 2 * value
        elif how == 'both':
            lines += ['  outer Real g;', '  inner Real h = 3 + g;', '  Real y = h - g;']
            want_here['y'] = F(3)
        if depth > 0:
            for k in range(r.randint(1, 3)):
                child, values = build(depth - 1, own)
                n = r.choice([0, 0, 2])
                lines.append(f'  {child} c{k}' + (f'[{n}];' if n else ';'))
                for p, v in values.items():
                    for j in range(n or 1):
                        want_here[(f'c{k}[{j + 1}].' if n else f'c{k}.') + p] = v
        else:
            lines += [] if any('outer Real g' in x or 'inner Real g' in x for x in lines) else ['  outer Real g;']
            lines.append('  Real z = g - 1;')
            want_here['z'] = own - 1
        lines.append(f'end {cls};')
        top.append('\n'.join(lines))
        return cls, want_here

    v = number(r)
    cls, values = build(3, v.value({}))
    m.add(*top)
    m.add(f'model {name}', f'  inner Real g = {v.text};', f'  {cls} t;', f'end {name};')
    m.want = {'t.' + p: fit(x) for p, x in values.items()}
    return m


def redeclarations(r, name):
    """Models with parameters p, q and a result y, redeclared and modified on several levels. Of the
    modifiers the outermost counts (MLS 7.2.2); those of a constraint hold for what replaces (7.3.2)."""
    m = Model(name)
    base = f'{name}_B'
    m.add(f'partial model {base}', '  parameter Real p = 1;', '  parameter Real q = 2;', '  Real y;', f'end {base};')
    kinds = []
    for k in range(4):
        a, b, c = r.randint(-3, 3), r.randint(-3, 3), r.randint(0, 9)
        own = {n: r.randint(1, 9) for n in 'pq' if r.random() < 0.4}
        mods = '(' + ', '.join(f'{n} = {v}' for n, v in own.items()) + ')' if own else ''
        m.add(f'model {name}_E{k}', f'  extends {base}{mods};', 'equation',
              f'  y = {a}*p + ({b})*q + {c};', f'end {name}_E{k};')
        kinds.append((f'{name}_E{k}', {'p': 1, 'q': 2, **own}, (a, b, c)))

    def some():
        return {n: r.randint(10, 99) for n in 'pq' if r.random() < 0.35}

    def text(mods):
        return '(' + ', '.join(f'{n} = {v}' for n, v in mods.items()) + ')' if mods else ''

    def value(kind, layers):
        """layers: outermost first."""
        _, own, (a, b, c) = kind
        e = dict(own)
        for l in reversed(layers):
            e.update(l)
        return {'p': F(e['p']), 'q': F(e['q']), 'y': F(a * e['p'] + b * e['q'] + c)}

    # level 0: a replaceable class, used by a component and by an array; a replaceable component
    k0, constraint, short = r.choice(kinds), some() if r.random() < 0.6 else None, some()
    used, k1, comp, comp_constraint = some(), r.choice(kinds), some(), some() if r.random() < 0.5 else None
    many = {n: [r.randint(10, 99), r.randint(10, 99)] for n in 'pq' if r.random() < 0.3}
    by = f' constrainedby {base}{text(constraint)}' if constraint is not None else ''
    by_comp = f' constrainedby {base}{text(comp_constraint)}' if comp_constraint is not None else ''
    many_text = '(' + ', '.join(f'{n} = {{{v[0]}, {v[1]}}}' for n, v in many.items()) + ')' if many else ''
    # without a constraining clause what is declared constrains: its type must be what all can replace
    m.add(f'model {name}_L0', f'  replaceable model E = {k0[0]}{text(short)}{by};', f'  E e{text(used)};',
          f'  E v[2]{many_text};', f'  replaceable {k1[0]} w{text(comp)}{by_comp};', f'end {name}_L0;')
    state = dict(E=k0, E_mods=[short], E_keep=[constraint if constraint is not None else short],
                 w=k1, w_mods=[comp], w_keep=[comp_constraint if comp_constraint is not None else comp])
    if constraint is not None:
        state['E_mods'] = [short, constraint]
    if comp_constraint is not None:
        state['w_mods'] = [comp, comp_constraint]
    outer_e, outer_w, outer_v = [], [], []
    levels = r.randint(1, 3)
    path = ''
    inside = f'{name}_L0'
    for k in range(1, levels + 1):
        args = []
        if r.random() < 0.6:
            state['E'] = r.choice(kinds)
            mine = some()
            keep = 'replaceable ' if k < levels else ''
            own = some() if keep and r.random() < 0.5 else None
            clause = f' constrainedby {base}{text(own)}' if own is not None else ''
            args.append(f'redeclare {keep}model E = {state["E"][0]}{text(mine)}{clause}')
            state['E_keep'] = [own or {}] + state['E_keep']
            state['E_mods'] = [mine] + state['E_keep']
        elif r.random() < 0.6:
            mine = some()
            if mine:
                args.append(f'e{text(mine)}')
                outer_e.insert(0, mine)
        if r.random() < 0.6:
            state['w'] = r.choice(kinds)
            mine = some()
            keep = 'replaceable ' if k < levels else ''
            own = some() if keep and r.random() < 0.5 else None
            clause = f' constrainedby {base}{text(own)}' if own is not None else ''
            args.append(f'redeclare {keep}{state["w"][0]} w{text(mine)}{clause}')
            # a modification of a replaceable element is for its constraint, too
            state['w_keep'] = [own or {}] + outer_w + state['w_keep']
            state['w_mods'] = [mine] + state['w_keep']
            outer_w = []
        elif r.random() < 0.6:
            mine = some()
            if mine:
                args.append(f'w{text(mine)}')
                outer_w.insert(0, mine)
        mods = '(' + ', '.join(args) + ')' if args else ''
        cls = f'{name}_L{k}'
        if r.random() < 0.5:
            m.add(f'model {cls}', f'  extends {inside}{mods};', f'end {cls};')
        else:
            m.add(f'model {cls}', f'  {inside} x{mods};', f'end {cls};')
            path = 'x.' + path
            # what is redeclared from further out goes by way of x: not in this tree
            inside = cls
            break
        inside = cls
    m.add(f'model {name}', f'  {inside} t;', f'end {name};')
    for n, v in value(state['E'], outer_e + [used] + state['E_mods']).items():
        m.want[f't.{path}e.{n}'] = v
    for n, v in value(state['w'], outer_w + state['w_mods']).items():
        m.want[f't.{path}w.{n}'] = v
    for j in range(2):
        for n, v in value(state['E'], [{n: v[j] for n, v in many.items()}] + state['E_mods']).items():
            m.want[f't.{path}v[{j + 1}].{n}'] = v
    return m


KINDS = {'arrays': arrays, 'functions': functions, 'records': records, 'whens': whens,
         'inner': inner_outer, 'redeclare': redeclarations}


def make(kind, seed, name):
    """The model of this seed; the numbers of some are not exact, the next one is taken then."""
    for k in range(200):
        r = random.Random(f'{kind} {seed} {k}')
        try:
            m = KINDS[kind](r, name)
            for v in m.want.values():
                fit(v)
            return m
        except Discard:
            continue
    raise SystemExit(f'no model of kind {kind} for seed {seed}')


def run(rung, models, folder):
    """Name of a model -> what is wrong with it."""
    text = []
    for m in models:
        text += m.text
    text += ['model All'] + [f'  {m.name} {m.name.lower()};' for m in models] + ['end All;']
    path = os.path.join(folder, 'all.mo')
    with open(path, 'w') as f:
        f.write('\n'.join(text) + '\n')
    done = subprocess.run([rung, 'simulate', path, '--model', 'All', '--stop', '1', '--interval', '1',
                           '-o', '-', '--progress', 'none'], cwd=folder, capture_output=True, text=True,
                          timeout=300, env={**os.environ, 'XDG_CACHE_HOME': folder})
    if done.returncode != 0:
        if len(models) > 1:
            half = len(models) // 2
            return {**run(rung, models[:half], folder), **run(rung, models[half:], folder)}
        return {models[0].name: done.stderr.strip() or f'status {done.returncode}'}
    rows = list(csv.reader(io.StringIO(done.stdout)))
    last = dict(zip(rows[0], rows[-1]))
    wrong = {}
    for m in models:
        for n, v in m.want.items():
            got = last.get(f'{m.name.lower()}.{n}')
            if got is None:
                wrong.setdefault(m.name, f'{n} is not in the result')
            elif float(got) != float(v):
                wrong.setdefault(m.name, f'{n} is {got}, must be {float(v)}')
    return wrong


def main():
    a = argparse.ArgumentParser()
    a.add_argument('rung')
    a.add_argument('--models', type=int, default=600)
    a.add_argument('--seed', type=int, default=1)
    a.add_argument('--bundle', type=int, default=25)
    a.add_argument('--only', choices=KINDS)
    a.add_argument('--keep')
    o = a.parse_args()
    kinds = [o.only] if o.only else list(KINDS)
    rung = os.path.abspath(o.rung)
    bad = 0
    for first in range(0, o.models, o.bundle):
        seeds = range(o.seed + first, o.seed + min(first + o.bundle, o.models))
        kind = {f'M{s}': kinds[s % len(kinds)] for s in seeds}
        models = [make(kind[f'M{s}'], s, f'M{s}') for s in seeds]
        with tempfile.TemporaryDirectory() as folder:
            wrong = run(rung, models, folder)
        for m in models:
            if m.name not in wrong:
                continue
            bad += 1
            print(f'{kind[m.name]}, seed {m.name[1:]}: {wrong[m.name]}')
            if o.keep:
                os.makedirs(o.keep, exist_ok=True)
                with open(os.path.join(o.keep, m.name + '.mo'), 'w') as f:
                    f.write('\n'.join(m.text) + '\n')
    print(f'{o.models} models, {bad} wrong or refused')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
