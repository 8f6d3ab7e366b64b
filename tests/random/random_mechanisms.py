#!/usr/bin/env python3
"""Random mechanisms in space: each is written in several ways, and all ways must compile and agree.

Bodies hang from the ground or from each other by revolute, prismatic, cylindrical, universal and ball
joints; legs close loops: rods with a ball joint at one end and a ball or universal joint at the other,
struts with a prismatic joint between, ball joints between two bodies. All is assembled at the start, at
rest. How it is written is drawn at random: the order of the connects and of their sides, the sides of the
joints, the signs of their axes, which points of a body are tied to which, where its mass is written.
Whatever is drawn, the bodies move alike and the energy stays.

usage: random_mechanisms.py RUNG [--mechanisms N] [--seed S] [--writings K] [--keep DIR]
Status 1 if a writing is refused, does not start or differs; the seed that shows it is printed.
"""
import math
import sys

from random_linkages import minus, options, study, vector


# ---- rotations: matrices from one frame to another ----

def times(m, v):
    return tuple(sum(m[i][k] * v[k] for k in range(3)) for i in range(3))


def product(a, b):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def transposed(m):
    return tuple(tuple(m[j][i] for j in range(3)) for i in range(3))


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def scaled(v, by):
    return tuple(by * x for x in v)


def unit(v):
    n = math.sqrt(sum(x * x for x in v))
    return tuple(x / n for x in v)


ONE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def about(n, phi):
    """To a frame that is turned by phi about n."""
    e, c, s = unit(n), math.cos(phi), math.sin(phi)
    cross = ((0, -e[2], e[1]), (e[2], 0, -e[0]), (-e[1], e[0], 0))
    return tuple(tuple(e[i] * e[j] * (1 - c) + (c if i == j else 0) - s * cross[i][j] for j in range(3))
                 for i in range(3))


def quaternion(m):
    """Euler parameters, scalar first, of the rotation to the frame."""
    best, q = 0.0, None
    for k in range(4):
        d = [m[i][i] for i in range(3)]
        square = 1 + sum(d) if k == 0 else 1 + 2 * d[k - 1] - sum(d)
        if square <= best + 1e-12:
            continue
        best, h = square, math.sqrt(square) / 2
        off = [m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]]
        if k == 0:
            q = [h] + [x / (4 * h) for x in off]
        else:
            i = k - 1
            q = [off[i] / (4 * h)] + [(m[i][j] + m[j][i]) / (4 * h) if j != i else h for j in range(3)]
    return tuple(q)


# ---- mechanisms ----

class Body:
    def __init__(self, name, turn, mass):
        self.name, self.turn, self.mass = name, turn, mass  # turn: from the world to its axes
        self.at = []                                        # points, in the world
        self.center = None
        self.J = None

    def point(self, p):
        self.at.append(p)
        return len(self.at) - 1


class Joint:
    def __init__(self, kind, a, pa, b, pb, axes, q):
        self.kind, self.axes, self.q = kind, axes, q
        self.side = ((a, pa), (b, pb))


class Spatial:
    def __init__(self, r, n_bodies, n_loops):
        self.r = r
        self.bodies = [Body('ground', ONE, None)]
        self.joints = []
        self.gravity = r.choice([1.62, 9.81, 9.81])  # without it all stay at rest
        for _ in range(n_bodies):
            self.hang()
        for _ in range(n_loops):
            self.close()
        for b in self.bodies[1:]:
            b.center = plus(scaled(b.at[0], 0.5), scaled(b.at[-1], 0.5))
            b.center = plus(b.center, self.vector(0.05))
            b.J = (r.uniform(0.02, 0.05), r.uniform(0.02, 0.05), r.uniform(0.02, 0.05))

    def vector(self, size):
        return tuple(self.r.uniform(-size, size) for _ in range(3))

    def axis(self):
        if self.r.random() < 0.5:
            return self.r.choice(ONE)
        return unit(plus(self.vector(1), (0.01, 0.0, 0.0)))

    def new_body(self, turn):
        self.bodies.append(Body('b%d' % len(self.bodies), turn, self.r.uniform(0.5, 2)))
        return len(self.bodies) - 1

    def coordinates(self, kind):
        """Axes, coordinates, and the rotation from side a to side b."""
        r = self.r
        if kind == 'Revolute':
            n, phi = self.axis(), r.choice([0.0, r.uniform(-3, 3)])
            return [n], [phi], about(n, phi)
        if kind == 'Prismatic':
            return [self.axis()], [r.choice([0.0, r.uniform(-0.3, 0.3)])], ONE
        if kind == 'Cylindrical':
            n, phi = self.axis(), r.choice([0.0, r.uniform(-3, 3)])
            return [n], [r.choice([0.0, r.uniform(-0.3, 0.3)]), phi], about(n, phi)
        if kind == 'Universal':
            n = unit(self.axis())
            m = (0.0, 0.0, 1.0) if abs(n[2]) < 0.7 else (1.0, 0.0, 0.0)
            m = unit(minus(m, scaled(n, sum(x * y for x, y in zip(n, m)))))
            phi = [r.choice([0.0, r.uniform(-1, 1)]) for _ in range(2)]
            return [n, m], phi, product(about(m, phi[1]), about(n, phi[0]))
        turn = product(about(self.axis(), r.uniform(-2, 2)), about(self.axis(), r.uniform(-2, 2)))
        return [], list(quaternion(turn)), turn

    def hang(self, on=None, at=None, kind=None):
        """A new body on one that is there; returns it."""
        r = self.r
        a = r.randrange(len(self.bodies)) if on is None else on
        base = self.bodies[a]
        kind = kind or r.choice(['Revolute', 'Revolute', 'Revolute', 'Prismatic', 'Cylindrical', 'Universal',
                                'Spherical'])
        p = at or plus(r.choice(base.at) if base.at else (0.0, 0.0, 0.0), self.vector(0.5))
        axes, q, turn = self.coordinates(kind)
        b = self.new_body(product(turn, base.turn))
        end = p
        if kind in ('Prismatic', 'Cylindrical'):
            end = plus(p, scaled(times(transposed(base.turn), axes[0]), q[0]))
        self.joints.append(Joint(kind, a, base.point(p), b, self.bodies[b].point(end), axes, q))
        self.bodies[b].point(plus(end, self.vector(0.5)))
        return b

    def ball(self, a, b, p):
        turn = product(self.bodies[b].turn, transposed(self.bodies[a].turn))
        self.joints.append(Joint('Spherical', a, self.bodies[a].point(p), b, self.bodies[b].point(p), [],
                                 list(quaternion(turn))))

    def close(self):
        r = self.r
        if len(self.bodies) < 3:
            return
        a, b = r.sample(range(len(self.bodies)), 2)
        start = plus(r.choice(self.bodies[a].at or [(0.0, 0.0, 0.0)]), self.vector(0.2))
        end = plus(r.choice(self.bodies[b].at or [(0.0, 0.0, 0.0)]), self.vector(0.2))
        kind = r.choice(['balls', 'cross', 'cross', 'strut', 'direct'])
        if kind == 'direct':
            self.ball(a, b, end)
            return
        leg = self.hang(a, start, 'Spherical' if kind == 'balls' else 'Universal')
        if kind == 'strut':
            way = minus(end, start)
            upper = self.hang(leg, start, 'Prismatic')
            slide = self.joints[-1]
            slide.axes, slide.q = [times(self.bodies[leg].turn, unit(way))], [0.1]
            self.bodies[upper].at[0] = plus(start, scaled(unit(way), 0.1))
            leg = upper
        self.ball(leg, b, end)


# ---- ways to write one ----

class Writing:
    def __init__(self, m, r, plain):
        self.m, self.r, self.plain = m, r, plain
        self.parts, self.connects, self.energies, self.outs = [], [], [], []
        self.parts.append('inner Linkage.World world(g = %r, n = {0, -1, 0});' % m.gravity)
        self.frame = [[None] * len(b.at) for b in m.bodies]
        for k, b in enumerate(m.bodies):
            self.make_body(k, b)
        for k, j in enumerate(m.joints):
            self.make_joint('j%d' % (k + 1), j)

    def connect(self, a, b):
        if not self.plain and self.r.random() < 0.5:
            a, b = b, a
        self.connects.append('connect(%s, %s);' % (a, b))

    def make_body(self, k, b):
        """A massless rod from each point to one before it; the mass at one of them."""
        r = self.r
        order = list(range(len(b.at)))
        if not self.plain:
            r.shuffle(order)
        placed = []
        origin = None
        if k == 0:
            origin, placed = (0.0, 0.0, 0.0), [('world.frame_b', (0.0, 0.0, 0.0))]
        for i in order:
            p = b.at[i]
            if not placed:
                placed.append((None, p))
                self.frame[k][i] = b.name + '_mass.frame_a'
                placed[0] = (self.frame[k][i], p)
                continue
            frame, at = placed[0] if self.plain else r.choice(placed)
            name = '%s_%d' % (b.name, i)
            d, sides = times(b.turn, minus(p, at)), ('.frame_a', '.frame_b')
            if not self.plain and r.random() < 0.5:
                d, sides = scaled(d, -1), sides[::-1]
            self.parts.append('Linkage.Parts.FixedTranslation %s(r = %s);' % (name, vector(d)))
            self.connect(frame, name + sides[0])
            self.frame[k][i] = name + sides[1]
            placed.append((self.frame[k][i], p))
        if k == 0:
            return
        frame, at = placed[0]
        r_CM = times(b.turn, minus(b.center, at))
        self.parts.append('Linkage.Parts.Body %s_mass(m = %r, r_CM = %s, I_11 = %r, I_22 = %r, I_33 = %r);' %
                          ((b.name, b.mass, vector(r_CM)) + b.J))
        self.energies.append(b.name + '_mass.E')
        self.outs.append((k, self.frame[k][-1]))

    def make_joint(self, name, j):
        r = self.r
        (a, pa), (b, pb) = j.side
        axes, q = list(j.axes), list(j.q)
        if not self.plain and r.random() < 0.5:
            a, pa, b, pb = b, pb, a, pa
            axes = axes[::-1]
            q = [q[0]] + [-x for x in q[1:]] if j.kind == 'Spherical' else [-x for x in (q[::-1] if len(axes) > 1 else q)]
        for i in range(len(axes)):
            if not self.plain and r.random() < 0.3:
                axes[i] = scaled(axes[i], -1)
                q = [-x if k == i or len(axes) == 1 else x for k, x in enumerate(q)]
        what = {'Revolute': 'n = %s, phi(start = %s)', 'Prismatic': 'n = %s, s(start = %s)',
                'Cylindrical': 'n = %s, s(start = %s), phi(start = %s)',
                'Universal': 'n_a = %s, n_b = %s, phi(start = %s)', 'Spherical': 'Q(start = %s)'}[j.kind]
        value = [repr(x) for x in q] if len(axes) == 1 else ['{' + ', '.join(repr(x) for x in q) + '}']
        values = tuple(precise(n) for n in axes) + tuple(value)
        self.parts.append('Linkage.Joints.%s %s(%s);' % (j.kind, name, what % values))
        self.connect(self.frame[a][pa], name + '.frame_a')
        self.connect(self.frame[b][pb], name + '.frame_b')

    def text(self, name):
        if not self.plain:
            self.r.shuffle(self.parts)
            self.r.shuffle(self.connects)
        outs = ['Real %s%d = %s.m.r[%d];' % ('xyz'[i], k, frame, i + 1)
                for k, frame in self.outs for i in range(3)]
        return '\n  '.join(['model ' + name] + self.parts + outs + ['Real E = %s;' % ' + '.join(self.energies),
                           'equation'] + self.connects) + '\nend %s;\n' % name


def precise(v):
    return '{' + ', '.join(repr(x + 0.0) for x in v) + '}'


def main():
    p = options()
    p.add_argument('--bodies', type=int, default=8, help='at most, before legs')
    p.add_argument('--loops', type=int, default=3, help='at most')
    args = p.parse_args()

    def mechanism(r):
        return Spatial(r, r.randint(3, args.bodies), r.randint(0, args.loops))

    return study(args, 'Mechanism', mechanism, Writing)


if __name__ == '__main__':
    sys.exit(main())
