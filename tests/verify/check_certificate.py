#!/usr/bin/env python3
"""Checks a certificate of `rung verify --certificate F`: puts the program into the equations.

Nothing but the standard library, and no line of rung. docs/certificate.md explains the format and
what is computed here.

usage: check_certificate.py FILE [--seed TEXT]     status 0: accepted, 1: refused, 2: no certificate
"""
import hashlib
import json
import math
import sys
from fractions import Fraction

ARITY = {'neg': 1, 'add': 2, 'sub': 2, 'mul': 2, 'ratio': 2, 'pow': 2, 'lt': 2, 'le': 2, 'eq': 2, 'ne': 2,
         'and': 2, 'or': 2, 'not': 1, 'if': 3, 'time': 0}
FUNCTIONS = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'exp', 'log', 'log10',
             'sqrt', 'abs', 'sign', 'floor', 'ceil']
ARITY.update({f: 1 for f in FUNCTIONS})
ARITY.update({f: 2 for f in ['atan2', 'min', 'max', 'mod', 'rem', 'div']})
LOGICAL = {'lt', 'le', 'eq', 'ne', 'and', 'or', 'not', 'suppose', 'was'}
AT_ZERO = {'tan': 0, 'asin': 0, 'atan': 0, 'sinh': 0, 'tanh': 0, 'cosh': 1, 'exp': 1}
AT_ONE = {'log', 'log10', 'acos'}

NoCertificate = type('NoCertificate', (Exception,), {})
Refused = type('Refused', (Exception,), {})

class Certificate:
    """Nodes are (operator, operands, name or number); all else are numbers of nodes."""

    def __init__(self, text):
        self.text, self.at = text.split('\n'), 0
        if self.line() != 'rung certificate 1':
            raise NoCertificate('the first line is another one')
        self.model = json.loads(self.line())
        self.nodes, self.given, self.values = [], {}, {}
        self.expect('program')
        n = self.read_nodes('values')
        for node, name in self.named(n, len(self.nodes)):
            if name in self.values:
                raise NoCertificate(f'two values of {name}')
            self.values[name] = node
        self.states = [json.loads(self.line()) for _ in range(self.count('states'))]
        self.residuals = list(self.named(self.count('residuals'), len(self.nodes)))
        self.first_of_model = len(self.nodes)
        self.expect('model')
        self.cuts = [self.pair() for _ in range(self.read_nodes('cuts'))]
        self.equations = [self.pair() for _ in range(self.count('equations'))]
        self.signed = '\n'.join(self.text[:self.at])
        self.points = []
        for _ in range(self.count('points')):
            p, seed = self.line().split(' ')
            self.points.append((int(p), seed))
        if self.count('end') != len(self.nodes):
            raise NoCertificate('nodes are missing')
        if any(self.text[self.at:]) or not self.points or not self.equations:
            raise NoCertificate('something is missing, or too much')

    def line(self):
        while self.at < len(self.text):
            line = self.text[self.at]
            self.at += 1
            if not line.startswith('#'):
                return line
        raise NoCertificate('it ends too early')

    def expect(self, word):
        line = self.line()
        if line != word:
            raise NoCertificate(f'"{line}" where "{word}" is expected')

    def count(self, word, line=None):
        have, number = (line or self.line()).split(' ')
        if have != word:
            raise NoCertificate(f'"{have}" where "{word}" is expected')
        return int(number)

    def node(self, word, end):
        k = int(word)
        if not 0 <= k < end:
            raise NoCertificate(f'there is no node {word} yet')
        return k

    def named(self, n, end):
        for _ in range(n):
            node, name = self.line().split(' ', 1)
            yield self.node(node, end), json.loads(name)

    def pair(self):
        a, b = self.line().split(' ')
        return self.node(a, len(self.nodes)), self.node(b, len(self.nodes))

    def read_nodes(self, end):
        while True:
            line = self.line()
            if line.startswith(end + ' '):
                return self.count(end, line)
            if line.startswith('given '):
                _, a, b = line.split(' ')
                pair = self.node(a, len(self.nodes)), self.node(b, len(self.nodes))
                if self.nodes[pair[0]][0] != 'suppose':
                    raise NoCertificate('a sign is given that is not supposed')
                self.given.setdefault(len(self.nodes), []).append(pair)
                continue
            number, op, *rest = line.split(' ', 2)
            if int(number) != len(self.nodes):
                raise NoCertificate(f'node {number} is out of order')
            self.nodes.append(self.read_node(op, rest[0] if rest else ''))

    def read_node(self, op, rest):
        n = len(self.nodes)
        if op in ('var', 'pre', 'was', 'text'):
            return op, (), json.loads(rest)
        if op == 'num':
            return op, (), Fraction(rest)
        if op == 'suppose':
            return op, (), int(rest)
        if op == 'call':
            numbers, name = rest.split('"', 1)
            primal, *args = numbers.split()
            args = tuple(self.node(a, n) for a in args)
            if not 0 <= int(primal) <= len(args):
                raise NoCertificate('a call without its arguments')
            return op, args, (int(primal), json.loads('"' + name))
        words = rest.split()
        if op == 'proj':
            call, result = self.node(words[0], n), int(words[1])
            if self.nodes[call][0] != 'call' or len(words) != 2:
                raise NoCertificate('a result of no call')
            return op, (call,), result
        if ARITY.get(op) != len(words):
            raise NoCertificate(f'{op} of {len(words)} operands')
        return op, tuple(self.node(w, n) for w in words), None

def is_prime(n):
    """Miller and Rabin; these bases decide below 3.3e24."""
    if n < 2:
        return False
    d, r = n - 1, 0
    while d % 2 == 0:
        d, r = d // 2, r + 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % a == 0:
            return n == a
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(r - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True

class Field:
    def __init__(self, modulus, salt, constants):
        self.m, self.salt, self.constants = modulus, salt, {}
        for c in constants:
            if c.denominator % modulus:
                self.constants.setdefault(self.of(c), c)
                self.constants.setdefault(self.of(-c), -c)

    def of(self, c):
        return c.numerator * pow(c.denominator, -1, self.m) % self.m

    def draw(self, *key):
        text = repr((self.salt, self.m) + key)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], 'big') % self.m

    def bit(self, *key):
        return hashlib.sha256(repr((self.salt,) + key).encode()).digest()[0] & 1

    def inverse(self, a):
        return pow(a, -1, self.m) if a else None

    def fraction(self, a):
        """The constant or small fraction that a is, or None."""
        if a in self.constants:
            return self.constants[a]
        r0, r1, t0, t1 = self.m, a, 0, 1
        while r1 >= 1 << 24:
            q = r0 // r1
            r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
            if abs(t1) >= 1 << 16:
                return None
        return Fraction(r1, t1)

    def is_square(self, a):
        return pow(a, (self.m - 1) // 2, self.m) == 1

    def floor(self, a):
        f = self.fraction(a)
        return self.draw('floor', a) if f is None else math.floor(f) % self.m

    def sqrt(self, a):
        f = self.fraction(a)
        if f is not None and f >= 0:
            root = Fraction(math.isqrt(f.numerator), math.isqrt(f.denominator))
            if root * root == f:
                return self.of(root)
        if self.m % 4 == 3 and self.is_square(a):
            return pow(a, (self.m + 1) // 4, self.m)
        return self.draw('sqrt', a)

    def any_point(self, a):
        """A random point of the circle, opposite for the opposite angle."""
        odd = a > self.m // 2
        u = self.draw('angle', self.m - a if odd else a) if a else 0
        over = self.inverse((1 + u * u) % self.m) or 0
        c, s = (1 - u * u) * over % self.m, 2 * u * over % self.m
        return c, -s % self.m if odd else s

class Point:
    def __init__(self, cert, p, salt):
        if p < 1 << 60 or p % 4 != 3 or (p + 1) % 24 or not is_prime(p) or not is_prime((p + 1) // 24):
            raise Refused(f'{p} is no prime of the kind that is needed')
        self.cert, self.signs = cert, {}
        constants = [n[2] for n in cert.nodes if n[0] == 'num']
        self.p, self.q = Field(p, salt, constants), Field((p + 1) // 24, salt, constants)
        self.turn = self.times(self.p.any_point(self.p.draw('turn')), 24)
        self.angular = self.below_angles()
        self.value, self.angle = [], []
        for k, node in enumerate(cert.nodes):
            for truth, of in cert.given.get(k, ()):
                self.give_sign(self.value[of], -1 if self.value[truth] else 1)
            self.value.append(self.compute(self.p, self.value, k, node))
            self.angle.append(self.compute(self.q, self.angle, k, node) if self.angular[k] else None)
        for truth, of in cert.given.get(len(cert.nodes), ()):
            self.give_sign(self.value[of], -1 if self.value[truth] else 1)

    def solved(self, k, node):
        """The node of the program that a variable of the model is the value of, or None."""
        return self.cert.values.get(node[2]) if node[0] == 'var' and k >= self.cert.first_of_model else None

    def below_angles(self):
        """What angles are made of, which must be known modulo q."""
        needed = [False] * len(self.cert.nodes)
        for k in reversed(range(len(needed))):
            op, args, _ = node = self.cert.nodes[k]
            below = args if needed[k] or op in ('sin', 'cos') else ()
            if needed[k] and self.solved(k, node) is not None:
                below = (self.solved(k, node),)
            for a in below:
                needed[a] = True
        return needed

    def add(self, a, b):
        m = self.p.m
        return (a[0] * b[0] - a[1] * b[1]) % m, (a[1] * b[0] + a[0] * b[1]) % m

    def times(self, a, n):
        x = 1, 0
        while n:
            x, a, n = self.add(x, a) if n & 1 else x, self.add(a, a), n >> 1
        return x

    def give_sign(self, a, sign):
        if a is None or a == 0 or self.signs.get(a, sign) != sign:
            raise Refused('a relation cannot be what it is supposed to be')
        self.signs[a], self.signs[self.p.m - a] = sign, -sign

    def sign(self, a):
        if a == 0:
            return 0
        if a in self.signs:
            return self.signs[a]
        f = self.p.fraction(a)
        return (1 if f > 0 else -1) if f is not None else 1 if self.p.is_square(a) else -1

    def compute(self, f, have, k, node):
        """f: the field, modulo p or q; have: the values in it. None: a division by zero."""
        op, args, data = node
        m = f.m
        if op in LOGICAL and f is self.q:
            return self.value[k]
        if op == 'if':
            return None if self.value[args[0]] is None else have[args[1 if self.value[args[0]] else 2]]
        x = [have[a] for a in args]
        if None in x or None in (self.value[a] for a in args):
            return None
        if op == 'num':
            return f.of(data) if data.denominator % m else None
        if op == 'var':
            solved = self.solved(k, node)
            return f.draw('var', data) if solved is None else have[solved]
        if op in ('time', 'pre', 'text'):
            return f.draw(op, data)
        if op in ('was', 'suppose'):
            return f.bit(op, data)
        if op == 'call':
            return 0
        if op == 'proj':
            return self.result(f, have, self.cert.nodes[args[0]], data)
        if op in ('neg', 'add', 'sub', 'mul'):
            return (-x[0] if op == 'neg' else x[0] + x[1] if op == 'add' else x[0] - x[1] if op == 'sub'
                    else x[0] * x[1]) % m
        if op == 'ratio':
            return x[0] * f.inverse(x[1]) % m if x[1] else None
        real = [self.value[a] for a in args]
        if op in ('eq', 'ne'):
            return int((x[0] == x[1]) == (op == 'eq'))
        if op in ('lt', 'le', 'min', 'max'):
            s = self.sign((real[0] - real[1]) % self.p.m)
            return int(s < 0 or s == 0 and op == 'le') if op in LOGICAL else x[0 if (s < 0) == (op == 'min') else 1]
        if op in ('and', 'or', 'not'):
            return int(x[0] == 0 if op == 'not' else (x[0] and x[1] if op == 'and' else x[0] or x[1]) != 0)
        return self.function(f, op, x, real, args)

    def function(self, f, op, x, real, args):
        m, a = f.m, x[0]
        if op in ('sin', 'cos'):
            c, s = self.times(self.turn, self.angle[args[0]]) if f is self.p else f.any_point(a)
            return s if op == 'sin' else c
        if op in ('abs', 'sign'):
            s = self.sign(real[0])
            return s * (a if op == 'abs' else 1) % m
        if op == 'sqrt':
            return f.sqrt(a)
        if op in ('floor', 'ceil'):
            return f.floor(a) if op == 'floor' else -f.floor(-a % m) % m
        if op in ('mod', 'rem', 'div') and x[1]:
            ratio = a * f.inverse(x[1]) % m
            s = 1 if op == 'mod' else self.sign(real[0] * self.p.inverse(real[1]) % self.p.m) or 1
            whole = s * f.floor(s * ratio % m) % m
            return whole if op == 'div' else (a - whole * x[1]) % m
        if op in AT_ZERO and a == 0:
            return AT_ZERO[op]
        if op in AT_ONE and a == 1:
            return 0
        return f.draw(op, *x)

    def result(self, f, have, call, number):
        """Linear in the rates where the function is the derivative of another."""
        _, args, (primal, name) = call
        x = [have[a] for a in args]
        if not primal:
            return f.draw('call', name, number, *x)
        return sum(f.draw('rate', name, number, k, *x[:primal]) * rate for k, rate in enumerate(x[primal:])) % f.m

def numeric_nodes(cert):
    """Which nodes depend on what is found by iterations at run time."""
    unknowns = {name for _, name in cert.residuals}
    out = []
    for k, (op, args, data) in enumerate(cert.nodes):
        solved = cert.values.get(data) if op == 'var' and k >= cert.first_of_model else None
        out.append(any(out[a] for a in args) or (solved is not None and out[solved]) or
                   (op == 'var' and k < cert.first_of_model and data in unknowns))
    return out

def check_point(cert, numeric, p, salt):
    point = Point(cert, p, salt)
    value = point.value
    for a, b in cert.cuts:
        if value[a] is None or value[a] != value[b]:
            raise Refused(f'a constraint of a cut loop, nodes {a} and {b}')
    left = {}
    for k, _ in cert.residuals:
        if value[k] is None:
            raise Refused(f'a division by zero in residual {k}')
        left.setdefault(min(value[k], p - value[k]), 0)
    found, rest = set(), 0
    for k, (a, b) in enumerate(cert.equations):
        if value[a] is None or value[b] is None:
            raise Refused(f'a division by zero in equation {k + 1}')
        missed = (value[a] - value[b]) % p
        if missed and not (numeric[a] or numeric[b]):
            raise Refused(f'equation {k + 1}, nodes {a} and {b}, does not hold')
        if missed and min(missed, p - missed) in left:
            found.add(min(missed, p - missed))
        else:
            rest += missed * missed
    # equations written in another frame: the squares are the same
    if (sum(r * r for r in left if r not in found) - rest) % p and rest % p:
        raise Refused('equations do not hold that are no residuals')

def main(argv):
    try:
        with open(argv[1], encoding='utf-8') as f:
            cert = Certificate(f.read())
        for state in cert.states:
            if f'der({state})' not in cert.values and state in cert.values:
                raise NoCertificate(f'state {state} has no derivative')
        digest = hashlib.sha256(cert.signed.encode()).hexdigest()
        own = argv[argv.index('--seed') + 1] if '--seed' in argv else ''
        numeric = numeric_nodes(cert)
        for p, seed in cert.points:
            check_point(cert, numeric, p, (digest, seed, own))
    except Refused as why:
        print(f'refused: {why}')
        return 1
    except (NoCertificate, ValueError, IndexError, KeyError, TypeError, ArithmeticError) as why:
        print(f'refused: no certificate: {why}')
        return 2
    print(f'accepted: {len(cert.equations)} equations of {cert.model} hold at {len(cert.points)} points, '
          f'{len(cert.residuals)} residuals')
    return 0

if __name__ == '__main__':
    sys.exit(main(sys.argv))
