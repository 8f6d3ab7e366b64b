#!/usr/bin/env python3
"""Random linkages: each is written in several ways, and all ways must compile, start and agree.

A linkage is made of points and rigid links at a position in which it is assembled: a crank, dyads
(two links that meet) between points that are there already, pendulums. How it is written is drawn
at random: the order of the connects and of their sides, which of the links that meet in a point are
joined to which, the sides of the joints, the signs of their axes, what a link is made of (a rod, a
massless rod with a body at its start, its end or its middle), the axes of its frames, the plane of
the mechanism. Whatever is drawn, the points move alike and the energy stays.

--count: `rung dof` must find the same degrees of freedom in all writings, and `rung check` as many states as follow
from the coordinates and constraints that it finds.

usage: random_linkages.py RUNG [--mechanisms N] [--seed S] [--writings K] [--keep DIR]
Status 1 if a writing is refused, does not start or differs; the seed that shows it is printed.
"""
import argparse
import csv
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

STOP = 0.3


# ---- vectors in the plane and in space ----

def turned(v, angle):
    c, s = math.cos(angle), math.sin(angle)
    return (c * v[0] - s * v[1], s * v[0] + c * v[1])


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def length(v):
    return math.sqrt(sum(x * x for x in v))


def vector(v):
    return '{' + ', '.join(repr(round(x, 12) + 0.0) for x in v) + '}'


# ---- mechanisms ----

class Link:
    """A straight link from point a to point b; mass in its middle, which is where a rod has it."""

    def __init__(self, name, a, b, mass):
        self.name, self.a, self.b, self.mass = name, a, b, mass
        self.more = []  # further points of it

    def points(self):
        return [self.a, self.b] + self.more


class Planar:
    """Points at the start, links between them; the world holds the points in `ground`."""

    def __init__(self, r, n_loops=(1, 3), n_hung=(0, 2)):
        self.at = [(0.0, 0.0)]
        self.ground = [0]
        self.links = []
        self.hung = []  # (pendulum, the link that carries it)
        self.speed = r.uniform(-2, 2)
        self.gravity = r.choice([0.0, 9.81])
        self.add_link(r, 0, self.new_point(r.uniform(-3, 3), r.uniform(0.2, 0.5), 0))
        for _ in range(r.randint(*n_loops)):
            self.add_dyad(r)
            if r.random() < 0.4:
                self.add_coupler_point(r)
        for _ in range(r.randint(*n_hung)):
            self.add_pendulum(r)

    def new_point(self, angle, distance, of):
        p = self.at[of]
        self.at.append((p[0] + distance * math.cos(angle), p[1] + distance * math.sin(angle)))
        return len(self.at) - 1

    def add_link(self, r, a, b):
        self.links.append(Link('link%d' % (len(self.links) + 1), a, b, r.uniform(0.3, 2)))
        return self.links[-1]

    def bodies_at(self, p):
        on = [k for k, l in enumerate(self.links) if p in l.points()]
        return on + ([-1] if p in self.ground else [])

    def add_dyad(self, r):
        """Between two points that do not lie on one body; one may be new in the ground."""
        for _ in range(200):
            p = r.randrange(1, len(self.at))
            q = r.randrange(0, len(self.at))
            if r.random() < 0.5:
                q = None
            if q is not None and (p == q or set(self.bodies_at(p)) & set(self.bodies_at(q))):
                continue
            a = self.at[p]
            b = self.at[q] if q is not None else (a[0] + r.uniform(-0.6, 0.6), a[1] + r.uniform(-0.6, 0.6))
            d = minus(b, a)
            if not 0.15 < length(d) < 1.2:
                continue
            # the apex, well away from the line through both
            f, h = r.uniform(0.1, 0.9), r.choice([-1, 1]) * r.uniform(0.35, 0.9)
            apex = (a[0] + f * d[0] - h * d[1], a[1] + f * d[1] + h * d[0])
            if length(minus(apex, a)) < 0.1 or length(minus(apex, b)) < 0.1:
                continue
            if q is None:
                self.at.append(b)
                q = len(self.at) - 1
                self.ground.append(q)
            self.at.append(apex)
            n = len(self.at) - 1
            self.add_link(r, *r.sample([p, n], 2))
            self.add_link(r, *r.sample([q, n], 2))
            return

    def add_coupler_point(self, r):
        l = r.choice(self.links)
        l.more.append(self.new_point(r.uniform(-3, 3), r.uniform(0.2, 0.6), l.a))

    def add_pendulum(self, r):
        carrier = r.randrange(len(self.links))
        p = r.choice(self.links[carrier].points())
        self.add_link(r, p, self.new_point(r.uniform(-3, 3), r.uniform(0.15, 0.4), p))
        self.hung.append((len(self.links) - 1, carrier))


class Writing:
    """One way to write a planar mechanism: declarations, equations, what is compared."""

    def __init__(self, m, r, plain):
        self.m, self.r = m, r
        self.parts, self.connects, self.energies = [], [], []
        self.frame = {}  # (link, point) -> connector
        axes = [(0, 0, 1), (0, 1, 0), (1, 2, 2), (2, -1, 2)]
        self.axis = (0, 0, 1) if plain else r.choice(axes)
        self.turn = {}
        self.plain = plain
        self.u, self.v = self.plane()
        gravity = tuple(-x for x in self.v)
        self.parts.append('inner Linkage.World world(g = %r, n = %s);' % (m.gravity, vector(gravity)))
        for k, l in enumerate(m.links):
            self.turn[k] = 0.0 if plain else r.choice([0.0, r.uniform(-3, 3)])
            self.make_link(k, l)
        self.turn[-1] = 0.0
        for p in m.ground:
            if m.at[p] == (0.0, 0.0):
                self.frame[-1, p] = 'world.frame_b'
            else:
                self.parts.append('Linkage.Parts.FixedTranslation ground%d(r = %s);' %
                                  (p, self.in_space(m.at[p])))
                self.connect('world.frame_b', 'ground%d.frame_a' % p)
                self.frame[-1, p] = 'ground%d.frame_b' % p
        for k, l in enumerate(m.links):
            for p in l.more:
                self.add_point(k, l, p)
        for p in range(len(m.at)):
            self.make_pin(p)

    def plane(self):
        """Two directions that make a right-handed system with the axis."""
        n = tuple(x / length(self.axis) for x in self.axis)
        a = (1, 0, 0) if abs(n[0]) < 0.5 else (0, 1, 0)
        if self.axis == (0, 0, 1):
            return (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
        d = sum(x * y for x, y in zip(a, n))
        u = tuple(x - d * y for x, y in zip(a, n))
        u = tuple(x / length(u) for x in u)
        v = (n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0])
        return u, v

    def in_space(self, p):
        return vector(tuple(p[0] * x + p[1] * y for x, y in zip(self.u, self.v)))

    def connect(self, a, b):
        if self.r.random() < 0.5:
            a, b = b, a
        self.connects.append('connect(%s, %s);' % (a, b))

    def make_link(self, k, l):
        r, name = self.r, l.name
        d = turned(minus(self.m.at[l.b], self.m.at[l.a]), -self.turn[k])
        ends = [l.a, l.b]
        if r.random() < 0.5:
            ends, d = ends[::-1], (-d[0], -d[1])
        arm = self.in_space(d)
        middle = self.in_space((d[0] / 2, d[1] / 2))
        kind = 'rod' if self.plain else r.choice(['rod', 'start', 'end', 'middle', 'two'])
        if kind == 'rod':
            self.parts.append('Linkage.Parts.Rod %s(r = %s, m = %r);' % (name, arm, l.mass))
            self.frame[k, ends[0]] = name + '.frame_a'
            self.frame[k, ends[1]] = name + '.frame_b'
            self.energies.append(name + '.E')
            return
        J = l.mass / 12 * length(d) ** 2
        n = tuple(x / length(self.axis) for x in self.axis)
        a = tuple((d[0] * x + d[1] * y) / length(d)
                  for x, y in zip(self.u, self.v))
        # that of the slender rod: J (1 - a a^T)
        inertia = ', '.join('I_%d%d = %r' % (i + 1, j + 1, J * ((i == j) - a[i] * a[j]))
                            for i in range(3) for j in range(i + 1))
        where = {'start': middle, 'end': self.in_space((-d[0] / 2, -d[1] / 2)), 'middle': vector((0, 0, 0)),
                 'two': middle}[kind]
        self.parts.append('Linkage.Parts.Body %s_body(m = %r, r_CM = %s, %s);' % (name, l.mass, where, inertia))
        self.energies.append(name + '_body.E')
        body = name + '_body.frame_a'
        if kind in ('start', 'end'):
            self.parts.append('Linkage.Parts.FixedTranslation %s(r = %s);' % (name, arm))
            self.connect(body, name + ('.frame_a' if kind == 'start' else '.frame_b'))
        elif kind == 'middle':
            self.parts.append('Linkage.Parts.FixedTranslation %s_1(r = %s), %s_2(r = %s);' %
                              (name, middle, name, middle))
            self.connect(name + '_1.frame_b', name + '_2.frame_a')
            self.connect(body, name + r.choice(['_1.frame_b', '_2.frame_a']))
            self.frame[k, ends[0]] = name + '_1.frame_a'
            self.frame[k, ends[1]] = name + '_2.frame_b'
            return
        else:  # the same link, its massless half split at the body's own frame
            self.parts.append('Linkage.Parts.FixedTranslation %s(r = %s);' % (name, arm))
            self.connect(name + '.frame_a', body)
        self.frame[k, ends[0]] = name + '.frame_a'
        self.frame[k, ends[1]] = name + '.frame_b'

    def add_point(self, k, l, p):
        """A further point of a link, by a massless rod from one of its ends."""
        start = self.r.choice([l.a, l.b])
        d = turned(minus(self.m.at[p], self.m.at[start]), -self.turn[k])
        name = '%s_to%d' % (l.name, p)
        back = self.r.random() < 0.5
        self.parts.append('Linkage.Parts.FixedTranslation %s(r = %s);' %
                          (name, self.in_space((-d[0], -d[1]) if back else d)))
        self.connect(self.frame[k, start], name + ('.frame_b' if back else '.frame_a'))
        self.frame[k, p] = name + ('.frame_a' if back else '.frame_b')

    def make_pin(self, p):
        """k bodies are held together by k - 1 joints."""
        m, r = self.m, self.r
        bodies = [k for k in m.bodies_at(p)]
        pairs = []
        for pendulum, carrier in m.hung:
            if pendulum in bodies and carrier in m.bodies_at(p):
                pairs.append((carrier, pendulum, True))
                bodies.remove(pendulum)
        if p == 0 and 0 in bodies:
            pairs.append((-1, 0, True))
            bodies.remove(0)
        if not self.plain:
            r.shuffle(bodies)
        for i in range(1, len(bodies)):
            pairs.append((bodies[i - 1 if r.random() < 0.5 else 0], bodies[i], False))
        for i, (a, b, fixed) in enumerate(pairs):
            self.make_joint('pin%d_%d' % (p, i + 1), a, b, p, fixed)

    def make_joint(self, name, a, b, p, fixed):
        m, r = self.m, self.r
        rate = m.speed if (a, b) == (-1, 0) else 0.0
        sign = 1
        if not self.plain and r.random() < 0.5:
            a, b, sign = b, a, -sign
        angle = self.turn[b] - self.turn[a]
        axis = self.axis
        if not self.plain and r.random() < 0.3:
            axis, sign, angle = tuple(-x for x in axis), -sign, -angle
        guess = angle if fixed else angle + r.uniform(-0.02, 0.02)
        more = ', fixed = true' if fixed else ''
        self.parts.append('Linkage.Joints.Revolute %s(n = %s, phi(start = %r%s), w(start = %r%s));' %
                          (name, vector(axis), guess, more, sign * rate + 0.0, more))
        self.connect(self.frame[a, p], name + '.frame_a')
        self.connect(self.frame[b, p], name + '.frame_b')

    def text(self, name):
        m, r = self.m, self.r
        parts, connects = list(self.parts), list(self.connects)
        r.shuffle(connects)
        if not self.plain:
            r.shuffle(parts)
        seen, outs = set(), []
        for (k, p), c in sorted(self.frame.items()):
            if k >= 0 and p not in seen:
                seen.add(p)
                for axis, d in (('x', self.u), ('y', self.v)):
                    terms = ' + '.join('(%r)*%s.m.r[%d]' % (d[i], c, i + 1) for i in range(3))
                    outs.append('Real %s%d = %s;' % (axis, p, terms))
        return '\n  '.join(['model ' + name] + parts + outs + ['Real E = %s;' % ' + '.join(self.energies),
                           'equation'] + connects) + '\nend %s;\n' % name


# ---- runs ----

def run(rung, path, args, more=()):
    out = path[:-3] + '.csv'
    cmd = [rung, 'simulate', '-q', '--no-cache', path, '--stop', repr(STOP), '--interval', repr(STOP / 10),
           '--tolerance', repr(args.tolerance), '--signals', 'time,E,x*,y*,z*', '-o', out] + list(more)
    if args.method:
        cmd += ['--method', args.method]
    try:
        p = subprocess.run(cmd, capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return None, 'takes longer than %g s' % args.timeout
    if p.returncode != 0:
        said = (p.stderr or p.stdout).strip().splitlines()
        return None, '\n'.join(s for s in said if 'warning: ' not in s) or 'exit status %d' % p.returncode
    with open(out, newline='') as f:
        rows = list(csv.DictReader(f))
    return rows, None


def differences(rows, first):
    """The largest difference of points, and how far the energy moves, in that of its start and motion."""
    worst = 0.0
    for a, b in zip(rows, first):
        for key in a:
            if key[0] in 'xyz':
                worst = max(worst, abs(float(a[key]) - float(b[key])))
    return worst


def energy_drift(rows):
    e = [float(r['E']) for r in rows]
    return max(abs(x - e[0]) for x in e)


def count(rung, path, given=0):
    """Degrees of freedom, and the fault in the number of states, or None. `given` coordinates are motions."""
    said = [subprocess.run([rung, command, path], capture_output=True, text=True) for command in ('dof', 'check')]
    dof = re.search(r'(\d+) degrees? of freedom: (\d+) coordinates?(?:, (\d+) constraints? on them, (\d+) redundant)?',
                    said[0].stdout)
    states = re.search(r'(\d+) states?', said[1].stdout)
    if not dof or not states:
        return 0, (said[0].stderr or said[1].stderr).strip() or 'no degrees of freedom'
    freedom, coordinates, constraints, redundant = [int(x or 0) for x in dof.groups()]
    # a velocity for each coordinate, but three for the four of a ball joint; the index is reduced without cut joints
    wanted = coordinates + freedom + constraints - redundant - 2 * given
    if constraints and 'cut joint' not in said[1].stdout:
        wanted = 2 * freedom
    wrong = int(states.group(1)) != wanted
    return freedom, '%s states, not %d' % (states.group(1), wanted) if wrong else None


def options():
    p = argparse.ArgumentParser()
    p.add_argument('rung')
    p.add_argument('--mechanisms', type=int, default=20)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--writings', type=int, default=3)
    p.add_argument('--tolerance', type=float, default=1e-10)
    p.add_argument('--agree', type=float, default=1e-8)
    p.add_argument('--method')
    p.add_argument('--timeout', type=float, default=600)
    p.add_argument('--count', action='store_true', help='degrees of freedom and states, too')
    p.add_argument('--keep')
    p.add_argument('--verbose', action='store_true')
    return p


def study(args, prefix, mechanism, writing, excuse=None):
    """Each mechanism in several writings, `writing(mechanism, random, is_plain)`: exit status. A run may stop that says
    `excuse`."""
    directory = args.keep or tempfile.mkdtemp(prefix='rung-%ss-' % prefix.lower())
    os.makedirs(directory, exist_ok=True)
    refused, different = 0, 0
    for seed in range(args.seed, args.seed + args.mechanisms):
        m = mechanism(random.Random(seed))
        first = freedom = None
        for w in range(args.writings):
            name = '%s%d_%d' % (prefix, seed, w)
            path = os.path.join(directory, name + '.mo')
            with open(path, 'w') as f:
                f.write(writing(m, random.Random(seed * 1000 + w), w == 0).text(name))
            rows, why = run(args.rung, path, args)
            if why and excuse and excuse in why:
                if args.verbose:
                    print('seed %d writing %d: %s' % (seed, w, excuse))
                continue
            if why:
                refused += 1
                print('seed %d writing %d: %s' % (seed, w, why.splitlines()[0]))
                continue
            drift, gap = energy_drift(rows), differences(rows, first or rows)
            first = first or rows
            if drift > 100 * args.agree or gap > args.agree:
                different += 1
                print('seed %d writing %d: differs by %.2g, energy by %.2g' % (seed, w, gap, drift))
            elif args.verbose:
                print('seed %d writing %d: %.2g, energy %.2g' % (seed, w, gap, drift))
            if args.count:
                n, why = count(args.rung, path)
                freedom = n if freedom is None else freedom
                if why or n != freedom:
                    different += 1
                    print('seed %d writing %d: %s' % (seed, w, why or '%d degrees of freedom, not %d' % (n, freedom)))
            sys.stdout.flush()
    print('%d mechanisms in %d writings each: %d refused, %d differ' %
          (args.mechanisms, args.writings, refused, different))
    if not args.keep:
        shutil.rmtree(directory)
    return 1 if refused or different else 0


def main():
    p = options()
    p.add_argument('--loops', type=int, default=3, help='dyads, at most')
    p.add_argument('--hung', type=int, default=2, help='pendulums, at most')
    args = p.parse_args()

    def linkage(r):
        return Planar(r, (min(1, args.loops), args.loops), (0, args.hung))

    return study(args, 'Linkage', linkage, Writing)


if __name__ == '__main__':
    sys.exit(main())
