#!/usr/bin/env python3
"""Random mechanisms of all joints, with redundant constraints: all writings must compile and agree.

As random_mechanisms.py, and bodies move freely or in planes, too. Loops are closed by second hinges, sleeves and planes
on the axis of a hinge, second rails of a slide, links and slides in the plane of a hinge, rods without mass, besides legs.
--grid: points on a grid, axes along the edges, angles zero and right: in such positions constraints depend on each other
that do not elsewhere. A run may stop there if it names a singular position.

usage: random_closings.py RUNG [--grid] [--mechanisms N] [--seed S] [--writings K] [--keep DIR]
Status 1 if a writing is refused, does not start or differs; the seed that shows it is printed.
"""
import math
import sys

from random_linkages import length, minus, options, study
from random_mechanisms import (ONE, Joint, Spatial, Writing as SpatialWriting, about, plus, precise, product, quaternion,
                               scaled, times, transposed, unit)

KINDS = ['Revolute', 'Revolute', 'Revolute', 'Prismatic', 'Cylindrical', 'Universal', 'Spherical', 'Planar', 'Free']
ON_HINGES = ['hinge', 'sleeve', 'plane', 'links', 'links', 'slide']
CLOSINGS = ON_HINGES + ['rail', 'rod', 'leg', 'leg', 'leg', 'leg']


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def across(n):
    """A direction at a right angle to n."""
    m = (0.0, 0.0, 1.0) if abs(n[2]) < 0.7 else (1.0, 0.0, 0.0)
    return unit(minus(m, scaled(n, sum(x * y for x, y in zip(n, m)))))


class Closed(Spatial):
    def __init__(self, r, n_bodies, n_loops, on_grid):
        self.on_grid = on_grid
        super().__init__(r, n_bodies, n_loops)

    def vector(self, size):
        if not self.on_grid:
            return super().vector(size)
        while True:
            v = tuple(self.r.choice([-1, 0, 0, 1]) * self.r.choice([0.5, 0.5, 1]) * size for _ in range(3))
            if any(v):
                return v

    def axis(self):
        return self.r.choice(ONE) if self.on_grid else super().axis()

    def angle(self, size):
        if self.on_grid:
            return self.r.choice([0.0, 0.0, math.pi / 2, -math.pi / 2])
        return self.r.choice([0.0, self.r.uniform(-size, size)])

    def way(self):
        return self.r.choice([0.0, 0.25 if self.on_grid else self.r.uniform(-0.3, 0.3)])

    def coordinates(self, kind):
        n = unit(self.axis())
        if kind == 'Revolute':
            phi = self.angle(3)
            return [n], [phi], about(n, phi)
        if kind == 'Prismatic':
            return [n], [self.way()], ONE
        if kind == 'Cylindrical':
            phi = self.angle(3)
            return [n], [self.way(), phi], about(n, phi)
        if kind == 'Planar':
            phi = self.angle(3)
            return [n, across(n)], [self.way(), self.way(), phi], about(n, phi)
        if kind == 'Universal':
            m, phi = across(n), [self.angle(1), self.angle(1)]
            return [n, m], phi, product(about(m, phi[1]), about(n, phi[0]))
        turn = product(about(n, self.angle(2)), about(self.axis(), self.angle(2)))
        return [], (list(self.vector(0.3)) if kind == 'Free' else []) + list(quaternion(turn)), turn

    def hang(self, on=None, at=None, kind=None):
        r = self.r
        a = r.randrange(len(self.bodies)) if on is None else on
        base = self.bodies[a]
        kind = kind or r.choice(KINDS)
        p = at or plus(r.choice(base.at) if base.at else (0.0, 0.0, 0.0), self.vector(0.5))
        return self.add(kind, a, p, *self.coordinates(kind))

    def add(self, kind, a, p, axes, q, turn, to=None):
        """A new body on a by a joint at p; `to`: its other point."""
        base, way = self.bodies[a], (0.0, 0.0, 0.0)
        b = self.new_body(product(turn, base.turn))
        if kind in ('Prismatic', 'Cylindrical'):
            way = scaled(axes[0], q[0])
        elif kind == 'Planar':
            way = plus(scaled(axes[1], q[0]), scaled(cross(axes[0], axes[1]), q[1]))
        elif kind == 'Free':
            way = tuple(q[:3])
        end = plus(p, times(transposed(base.turn), way))
        self.joints.append(Joint(kind, a, base.point(p), b, self.bodies[b].point(end), axes, q))
        self.bodies[b].point(to or plus(end, self.vector(0.5)))
        return b

    def join(self, kind, a, b, p, axes, q, end=None):
        self.joints.append(Joint(kind, a, self.bodies[a].point(p), b, self.bodies[b].point(end or p), axes, q))

    def joint_of(self, kind):
        on = [j for j in self.joints if j.kind == kind]
        return self.r.choice(on) if on else None

    def close(self):
        kind = self.r.choice(CLOSINGS)
        if kind in ON_HINGES:
            j = self.joint_of('Revolute')
            if j:
                self.close_hinge(kind, j)
        elif kind == 'rail':
            j = self.joint_of('Prismatic')
            if j:
                (a, pa), (b, pb) = j.side
                off = self.vector(0.4)
                self.join('Prismatic', a, b, plus(self.bodies[a].at[pa], off), j.axes, j.q,
                          plus(self.bodies[b].at[pb], off))
        elif len(self.bodies) > 2:
            self.close_far(kind)

    def close_hinge(self, kind, j):
        """Where the hinge's bodies may turn against each other all the same."""
        r = self.r
        (a, pa), (b, _) = j.side
        n, phi = j.axes[0], j.q[0]
        p = self.bodies[a].at[pa]
        along = times(transposed(self.bodies[a].turn), unit(n))
        off = plus(p, scaled(along, 0.3))
        if kind == 'hinge':
            self.join('Revolute', a, b, off, [n], [phi])
        elif kind == 'sleeve':
            self.join('Cylindrical', a, b, off, [n], [0.0, phi])
        elif kind == 'plane':
            self.join('Planar', a, b, r.choice([p, off]), [n, across(unit(n))], [0.0, 0.0, phi])
        else:
            u = across(along)
            v = cross(along, u)

            def in_plane():
                x, y = [r.choice([-0.5, 0.5, 1.0]) if self.on_grid else r.uniform(-1, 1) for _ in range(2)]
                return plus(plus(p, scaled(along, r.choice([0.0, 0.0, 0.2]))), plus(scaled(u, x), scaled(v, y)))
            while True:
                A, B, C = in_plane(), in_plane(), in_plane()
                if min(length(minus(A, B)), length(minus(A, C)), length(minus(B, C))) > 0.2:
                    break
            if kind == 'links':
                c = self.add('Revolute', a, A, [n], [0.0], ONE, C)
            else:
                across_n = unit(minus(u, scaled(v, r.choice([0.0, 1.0]))))
                c = self.add('Prismatic', a, A, [times(self.bodies[a].turn, across_n)], [0.0], ONE, C)
            d = self.add('Revolute', c, C, [n], [phi], about(n, phi), B)
            self.join('Revolute', d, b, B, [n], [0.0])

    def close_far(self, kind):
        """Between any two bodies."""
        r = self.r
        a, b = r.sample(range(len(self.bodies)), 2)
        start = plus(r.choice(self.bodies[a].at or [(0.0, 0.0, 0.0)]), self.vector(0.25))
        end = plus(r.choice(self.bodies[b].at or [(0.0, 0.0, 0.0)]), self.vector(0.25))
        way = minus(end, start)
        if length(way) < 0.1:
            return
        if kind == 'rod':
            self.join('BallRod', a, b, start, [], [length(way)], end)
            return
        leg = self.hang(a, start, r.choice(['Spherical', 'Universal']))
        if r.random() < 0.4:
            leg = self.add('Prismatic', leg, start, [times(self.bodies[leg].turn, unit(way))], [0.1], ONE)
        self.ball(leg, b, end)


class Writing(SpatialWriting):
    def make_joint(self, name, j):
        if j.kind not in ('Planar', 'Free', 'BallRod'):
            super().make_joint(name, j)
            return
        (a, pa), (b, pb) = j.side
        if j.kind == 'BallRod':
            what = 'l = %r' % j.q[0]
            if not self.plain and self.r.random() < 0.5:
                a, pa, b, pb = b, pb, a, pa
        elif j.kind == 'Free':
            what = 'r_rel(start = %s), Q(start = %s)' % (precise(j.q[:3]), precise(j.q[3:]))
        else:
            what = 'n = %s, n_x = %s, s_x(start = %r), s_y(start = %r), phi(start = %r)' % (
                precise(j.axes[0]), precise(j.axes[1]), *j.q)
        self.parts.append('Linkage.Joints.%s %s(%s);' % (j.kind, name, what))
        self.connect(self.frame[a][pa], name + '.frame_a')
        self.connect(self.frame[b][pb], name + '.frame_b')


def main():
    p = options()
    p.add_argument('--bodies', type=int, default=6, help='at most, before legs')
    p.add_argument('--loops', type=int, default=4, help='at most')
    p.add_argument('--grid', action='store_true', help='singular positions')
    args = p.parse_args()

    def mechanism(r):
        return Closed(r, r.randint(1, args.bodies), r.randint(0, args.loops), args.grid)

    return study(args, 'Closing', mechanism, Writing, 'singular position' if args.grid else None)


if __name__ == '__main__':
    sys.exit(main())
