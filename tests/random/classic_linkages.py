#!/usr/bin/env python3
"""Classic linkages in every order of their connects: all writings must compile, start and agree.

Watt, Stephenson, Klann, Jansen, Peaucellier, double four-bar, pantograph, Hoberman, double wishbone in the
plane; delta robot, platform on six legs, hexapod leg in space. Each is at rest where it is drawn, all angles
zero, and driven by a torque on the crank, or the crank moves as it is told. Links in the plane are rods
(Linkage.Parts.Rod), massless rods with a body (body: FixedTranslation and Body), one or the other as drawn at random
(mixed), or, where MODELICAPATH has the Modelica Standard Library, its FixedTranslation and Body (msl) or its BodyShape
(shape). In space joints are those of Linkage (body), universal joints are two hinges (hinges), or ball joints are three
hinges, too (gimbals), or joints and bodies are those of that library (msl, shape). The order of components and connects
is drawn at random, which side of a connect comes first, the sides and axes of joints, where the mass of a body is
written, which of the bodies that meet in a point are joined. --fmu: as a co-simulation FMU, too, whose importer CLIENT is.

--orders N: N writings of each linkage and drive, whose kinds take turns, instead of K of each kind. --first F: order 0,
then those from F on.

`rung dof` must find the mobility that the mechanism has by its design, and `rung check` as many states as follow from
the coordinates and constraints that it finds.

usage: classic_linkages.py RUNG [--writings K | --orders N [--first F]] [--only NAME,...]
           [--kinds rod,body,mixed,msl,shape,hinges,gimbals] [--drives torque,motion] [--fmu CLIENT]
Status 1 if a writing is refused, does not start, differs or has another mobility; its name is printed.
"""
import csv
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from random_linkages import STOP, Link, count, differences, length, minus, options, run, vector
from random_mechanisms import ONE, Body, Joint, Spatial, Writing as SpatialWriting, precise, quaternion

# What a co-simulation may be off by.
OF_FMU = 1e-8


def meet(p, a, q, b, side=1):
    """The point at distance a from p and b from q, left of the way from p to q or right."""
    d = minus(q, p)
    l = length(d)
    x = (a * a - b * b + l * l) / (2 * l)
    y = side * math.sqrt(a * a - x * x)
    return (p[0] + (x * d[0] - y * d[1]) / l, p[1] + (x * d[1] + y * d[0]) / l)


# ---- in the plane ----

class Plane:
    """Points, those of them in the ground, links: the first one is the crank, about the origin."""

    def __init__(self, ground, links, **points):
        self.at = dict(points, O=(0.0, 0.0))
        self.ground = ['O'] + ground
        self.links = []
        for k, name in enumerate(links):
            l = Link('link%d' % (k + 1), name[0], name[1], 0.5 + 0.1 * k)
            l.more = list(name[2:])
            self.links.append(l)


def watt():
    A, G = (0.1, 0.2), (0.7, 0.0)
    B = meet(A, 0.6, G, 0.5)
    C = meet(A, 0.4, B, 0.45)
    D = meet(B, 0.45, G, 0.7)
    return Plane(['G'], ['OA', 'ABC', 'GBD', 'CE', 'DE'], A=A, B=B, C=C, D=D, G=G, E=meet(C, 0.8, D, 0.9))


def stephenson():
    A, G, H = (0.15, 0.15), (0.8, 0.1), (0.2, 1.3)
    B = meet(A, 0.7, G, 0.6)
    C = meet(A, 0.5, B, 0.5)
    return Plane(['G', 'H'], ['OA', 'ABC', 'GB', 'CE', 'HE'], A=A, B=B, C=C, G=G, H=H, E=meet(C, 0.6, H, 0.5))


def klann():
    M, G, H = (0.26, 0.1), (-0.36, -0.79), (-0.77, 0.38)
    C = meet(M, 0.9, G, 0.5)
    D = (M[0] + 1.9 * (C[0] - M[0]), M[1] + 1.9 * (C[1] - M[1]) + 0.1)
    return Plane(['G', 'H'], ['OM', 'MCD', 'GC', 'HE', 'DEF'], M=M, C=C, D=D, E=(-1.25, 0.2), G=G, H=H,
                 F=(D[0] - 0.5, D[1] - 1.2))


def jansen():
    def plus(a, b):
        return (a[0] + b[0], a[1] + b[1])
    P, G = (0.15, 0.0), (-0.38, -0.078)
    L = plus(P, (-0.41952107, -0.455151702))
    return Plane(['G'], ['OP', 'PT', 'PL', 'GTK', 'GL', 'KQ', 'LQF'], P=P, G=G, L=L,
                 T=plus(P, (-0.390135351, 0.312720975)), K=plus(G, (-0.367943654, 0.159431702)),
                 Q=plus(L, (-0.322794079, 0.174622399)), F=plus(L, (-0.162080035, -0.462417628)))


def peaucellier():
    G, C = (-0.3, 0.0), (0.3 * math.cos(0.7), 0.3 * math.sin(0.7))
    A, B = meet(G, 0.9, C, 0.4), meet(G, 0.9, C, 0.4, -1)
    D = (A[0] + B[0] - C[0], A[1] + B[1] - C[1])
    return Plane(['G'], ['OC', 'GA', 'GB', 'AC', 'BC', 'AD', 'BD'], G=G, C=C, A=A, B=B, D=D)


def double_four_bar():
    return Plane(['G', 'H'], ['OA', 'AB', 'GB', 'BC', 'HC'], A=(0.0, 1.0), B=(1.0, 1.0), C=(2.0, 1.0),
                 G=(1.0, 0.0), H=(2.0, 0.0))


def pantograph():
    A, B = (0.25, 0.45), (0.5, 0.9)
    D, E = (0.75, 0.45), (1.0, 0.0)
    return Plane([], ['OAB', 'BDE', 'AC', 'CD'], A=A, B=B, D=D, E=E, C=(0.5, 0.0))


def hoberman(n=4):
    R, half, d = 1.0, math.pi / n, 0.25
    at = {}

    def place(name, radius, angle):
        at[name] = (radius * math.cos(angle) - R, radius * math.sin(angle))
    links = []
    for k in range(n):
        place('C%d' % k, R, 2 * half * k)
        place('X%d' % k, R * math.cos(half) + d, 2 * half * k + half)
        place('I%d' % k, R * math.cos(half) - d, 2 * half * k + half)
        before = (k - 1) % n
        links.append(['C%d' % k, 'X%d' % before, 'I%d' % k])
        links.append(['C%d' % k, 'I%d' % before, 'X%d' % k])
    del at['C0']
    links = [['O' if p == 'C0' else p for p in l] for l in links]
    return Plane([], links, **at)


def wishbone():
    A, G = (0.4, -0.03), (0.1, 0.28)
    B = meet(A, 0.3, G, 0.28)
    return Plane(['G'], ['OA', 'ABW', 'GB'], A=A, B=B, G=G, W=(0.5, 0.1))


# Kinds of parts of the Modelica Standard Library.
OF_MSL = ('msl', 'shape')


class PlaneWriting:
    """One way to write it. kind: rod, body, mixed, msl, shape; drive: torque, motion."""

    def __init__(self, m, r, kind, drive):
        self.m, self.r, self.kind, self.drive = m, r, kind, drive
        self.parts, self.connects, self.more = [], [], []
        self.frame = {}
        self.msl = kind in OF_MSL
        self.lib = 'Modelica.Mechanics.MultiBody' if self.msl else 'Linkage'
        self.parts.append('inner %s.World world(g = 9.81, n = {0, -1, 0});' % self.lib)
        for k, l in enumerate(m.links):
            self.make_link(k, l)
        for p in m.ground:
            self.frame[-1, p] = 'world.frame_b'
            if p != 'O':
                self.stick('ground' + p, 'world.frame_b', m.at[p])
                self.frame[-1, p] = 'ground%s.frame_b' % p
        self.make_pins()

    def connect(self, a, b):
        self.connects.append('connect(%s, %s);' % ((a, b) if self.r.random() < 0.5 else (b, a)))

    def still(self):
        return ', animation = false' if self.msl else ''

    def stick(self, name, frame, d):
        self.parts.append('%s.Parts.FixedTranslation %s(r = %s%s);' %
                          (self.lib, name, vector(d + (0,)), self.still()))
        self.connect(frame, name + '.frame_a')

    def make_link(self, k, l):
        r, name = self.r, l.name
        ends = [l.a, l.b]
        r.shuffle(ends)
        d = minus(self.m.at[ends[1]], self.m.at[ends[0]])
        J = l.mass / 12 * length(d) ** 2
        a = (d[0] / length(d), d[1] / length(d))
        inertia = 'I_11 = %r, I_22 = %r, I_33 = %r, I_21 = %r' % (
            J * (1 - a[0] * a[0]), J * (1 - a[1] * a[1]), J, -J * a[0] * a[1])
        arm, middle = vector(d + (0,)), (d[0] / 2, d[1] / 2)
        kind = r.choice(['rod', 'body']) if self.kind == 'mixed' else self.kind
        if kind == 'rod':
            self.parts.append('Linkage.Parts.Rod %s(r = %s, m = %r);' % (name, arm, l.mass))
        elif kind == 'shape':
            self.parts.append('%s.Parts.BodyShape %s(r = %s, r_CM = %s, m = %r, %s%s);' %
                              (self.lib, name, arm, vector(middle + (0,)), l.mass, inertia, self.still()))
        else:
            side = r.choice(['_a', '_b'])
            if side == '_b':
                middle = (-middle[0], -middle[1])
            self.parts.append('%s.Parts.FixedTranslation %s(r = %s%s);' % (self.lib, name, arm, self.still()))
            self.parts.append('%s.Parts.Body %s_body(r_CM = %s, m = %r, %s%s);' %
                              (self.lib, name, vector(middle + (0,)), l.mass, inertia, self.still()))
            self.connect(name + '.frame' + side, name + '_body.frame_a')
        self.frame[k, ends[0]], self.frame[k, ends[1]] = name + '.frame_a', name + '.frame_b'
        for p in l.more:
            end = r.choice(ends)
            more = '%s_%s' % (name, p)
            self.stick(more, self.frame[k, end], minus(self.m.at[p], self.m.at[end]))
            self.frame[k, p] = more + '.frame_b'

    def make_pins(self):
        m = self.m
        for p in m.at:
            bodies = [-1] if p in m.ground else []
            bodies += [k for k, l in enumerate(m.links) if p in l.points()]
            kept = 2 if bodies[:2] == [-1, 0] else 0  # the crank's joint is there in all writings
            rest = bodies[kept:]
            self.r.shuffle(rest)
            bodies[kept:] = rest
            for i in range(1, len(bodies)):
                a = bodies[0] if i < kept else self.r.choice(bodies[:i])
                self.make_joint('crank' if i < kept else 'pin%s_%d' % (p, i), a, bodies[i], p)

    def make_joint(self, name, a, b, p):
        crank = name == 'crank'
        flange = 'useAxisFlange' if self.msl else 'useFlange'
        more = ''
        if crank:
            fixed = ', phi(fixed = true), w(fixed = true)' if self.drive == 'torque' else ''
            more = ', %s = true%s' % (flange, fixed)
            self.make_drive('axis' if self.msl else 'flange')
        sign = 1 if crank else self.r.choice([1, -1])
        self.parts.append('%s.Joints.Revolute %s(n = {0, 0, %d}%s%s);' % (self.lib, name, sign, more, self.still()))
        sides = (self.frame[a, p], self.frame[b, p])
        if not crank and self.r.random() < 0.5:
            sides = sides[::-1]
        self.connect(sides[0], name + '.frame_a')
        self.connect(sides[1], name + '.frame_b')

    def make_drive(self, port):
        value = '2*sin(3*time)' if self.drive == 'torque' else '0.3*(1 - cos(3*time))'
        if not self.msl:
            kind, what = ('Torque', 'tau') if self.drive == 'torque' else ('RotationalMotion', 'phi')
            self.parts.append('Linkage.Drives.%s drive(%s = %s);' % (kind, what, value))
        elif self.drive == 'torque':
            self.parts.append('Modelica.Mechanics.Rotational.Sources.Torque drive;')
            self.more.append('drive.tau = %s;' % value)
        else:
            self.parts.append('Modelica.Mechanics.Rotational.Sources.Position drive(exact = true);')
            self.more.append('drive.phi_ref = %s;' % value)
        self.connect('drive.flange', 'crank.' + port)

    def text(self, name):
        self.r.shuffle(self.parts)
        self.r.shuffle(self.connects)
        outs, seen = [], set()
        for (k, p), c in sorted(self.frame.items()):
            if k >= 0 and p not in seen:
                seen.add(p)
                for i in range(2):
                    field = '.r_0' if self.msl else '.m.r'
                    outs.append('Real %s%s = %s%s[%d];' % ('xy'[i], p, c, field, i + 1))
        return '\n  '.join(['model ' + name] + self.parts + outs + ['Real E = 0;', 'equation'] + self.connects +
                           self.more) + '\nend %s;\n' % name


# ---- in space ----

class Space(Spatial):
    """Bodies that all stand as the world does, joints at zero; a torque or motion turns the first joint."""

    def __init__(self):
        self.r, self.bodies, self.joints, self.gravity = None, [Body('ground', ONE, None)], [], 9.81

    def body(self, mass, at):
        self.bodies.append(Body('b%d' % len(self.bodies), ONE, mass))
        b = self.bodies[-1]
        b.center, b.J = at, (0.04, 0.03, 0.05)
        return len(self.bodies) - 1

    def joint(self, kind, a, b, p, *axes):
        pa, pb = self.bodies[a].point(p), self.bodies[b].point(p)
        q = list(quaternion(ONE)) if kind == 'Spherical' else [0.0] * len(axes)
        self.joints.append(Joint(kind, a, pa, b, pb, list(axes), q))


def around(k, n, radius, height, more=0.0):
    angle = 2 * math.pi * k / n + more
    return (radius * math.cos(angle), height, radius * math.sin(angle))


def mean(a, b):
    return tuple((x + y) / 2 for x, y in zip(a, b))


UP = (0.0, 1.0, 0.0)


def delta():
    m = Space()
    platform = m.body(1.0, (0.0, -0.8, 0.0))
    for k in range(3):
        axis = tuple(around(k, 3, 1.0, 0.0, math.pi / 2))
        hip, elbow, eye = around(k, 3, 0.2, 0.0), around(k, 3, 0.5, -0.1), around(k, 3, 0.1, -0.8)
        arm = m.body(0.5, mean(hip, elbow))
        m.joint('Revolute', 0, arm, hip, axis)
        for side in (-0.08, 0.08):
            top = tuple(x + side * y for x, y in zip(elbow, axis))
            low = tuple(x + side * y for x, y in zip(eye, axis))
            rod = m.body(0.2, mean(top, low))
            m.joint('Universal', arm, rod, top, axis, tuple(around(k, 3, 1.0, 0.0)))
            m.joint('Spherical', rod, platform, low)
    return m


def stewart():
    m = Space()
    platform = m.body(5.0, (0.0, 0.8, 0.0))
    for k in range(6):
        odd = 1 if k % 2 else -1
        foot, eye = around(k, 6, 1.0, 0.0, 0.35 * odd), around(k, 6, 0.5, 0.8, -0.25 * odd)
        way = minus(eye, foot)
        way = tuple(x / length(way) for x in way)
        low = m.body(1.0, tuple(x + 0.2 * y for x, y in zip(foot, way)))
        high = m.body(0.7, tuple(x - 0.2 * y for x, y in zip(eye, way)))
        m.joint('Universal', 0, low, foot, tuple(around(k, 6, 1.0, 0.0)), tuple(around(k, 6, 1.0, 0.0, math.pi / 2)))
        m.joint('Prismatic', low, high, foot, way)
        m.joint('Spherical', high, platform, eye)
    return m


def hexapod_leg():
    """Hip, thigh and shank, whose knee a strut of two balls moves."""
    m = Space()
    hip, knee, foot = (0.1, 0.0, 0.0), (0.4, 0.2, 0.0), (0.5, -0.3, 0.0)
    coxa, thigh, shank = m.body(0.3, (0.05, 0.0, 0.0)), m.body(0.5, mean(hip, knee)), m.body(0.4, mean(knee, foot))
    m.joint('Revolute', 0, coxa, (0.0, 0.0, 0.0), UP)
    m.joint('Revolute', coxa, thigh, hip, (0.0, 0.0, 1.0))
    m.joint('Revolute', thigh, shank, knee, (0.0, 0.0, 1.0))
    low, high = (0.05, 0.15, 0.02), (0.38, 0.3, 0.02)
    strut = m.body(0.1, mean(low, high))
    m.joint('Universal', coxa, strut, low, (0.0, 0.0, 1.0), UP)
    m.joint('Spherical', strut, shank, high)
    return m


class SpaceWriting(SpatialWriting):
    """Bodies of FixedTranslation and Body, or points of a body in another order; sides and axes of all joints but the
    driven one. kind: body, hinges, gimbals, msl, shape."""

    def __init__(self, m, r, kind, drive):
        self.kind, self.drive = kind, drive
        kinds = [j.kind for j in m.joints]
        self.driven = kinds.index('Revolute' if 'Revolute' in kinds else 'Prismatic')
        super().__init__(m, r, False)
        if kind in OF_MSL:
            self.parts = [self.of_msl(p) for p in self.parts]

    def make_body(self, k, b):
        """Of kind shape, the mass and two of the points are a BodyShape."""
        if self.kind != 'shape' or k == 0:
            super().make_body(k, b)
            return
        order = list(range(len(b.at)))
        self.r.shuffle(order)
        start, end = order[:2]
        self.parts.append('Linkage.Parts.BodyShape %s_mass(r = %s, m = %r, r_CM = %s, I_11 = %r, I_22 = %r, I_33 = %r);' %
                          ((b.name, vector(minus(b.at[end], b.at[start])), b.mass,
                            vector(minus(b.center, b.at[start]))) + b.J))
        self.frame[k][start], self.frame[k][end] = [b.name + '_mass.frame_' + side for side in 'ab']
        for i in order[2:]:
            on = self.r.choice([start, end])
            name = '%s_%d' % (b.name, i)
            self.parts.append('Linkage.Parts.FixedTranslation %s(r = %s);' % (name, vector(minus(b.at[i], b.at[on]))))
            self.connect(self.frame[k][on], name + '.frame_a')
            self.frame[k][i] = name + '.frame_b'
        self.outs.append((k, self.frame[k][-1]))

    def make_joint(self, name, j):
        self.plain = name == 'j%d' % (self.driven + 1)
        if j.kind == 'Universal' and self.kind in ('hinges', 'gimbals'):
            self.make_hinges(name, j, j.axes)
        elif j.kind == 'Spherical' and self.kind == 'gimbals':
            self.make_hinges(name, j, ONE)
        else:
            super().make_joint(name, j)
            if self.plain:
                self.make_drive(name, j.kind == 'Revolute')
        self.plain = False

    def of_msl(self, part):
        """The same part of the Modelica Standard Library. All angles are zero."""
        part = re.sub(r'Linkage\.(World|Parts|Joints)', r'Modelica.Mechanics.MultiBody.\1', part)
        part = part.replace('useFlange', 'useAxisFlange')
        part = re.sub(r', phi\(start = \{.*?\}\)|Q\(start = .*?\)', '', part)
        if '.Parts.' in part or '.Joints.' in part:
            part = part.replace('()', '(animation = false)') if '()' in part else part[:-2] + ', animation = false);'
        mass = re.search(r'Body(?:Shape)? b(\d+)_mass', part)
        if mass:
            k = int(mass.group(1))
            i = self.frame[k].index('b%d_mass.frame_a' % k)
            part = part[:-2] + ', r_0(start = %s));' % vector(self.m.bodies[k].at[i])
        return part

    def make_hinges(self, name, j, axes):
        """Hinges in a row, without mass between."""
        (a, pa), (b, pb) = j.side
        frame = self.frame[a][pa]
        for i, axis in enumerate(axes):
            hinge = '%s_%d' % (name, i + 1)
            self.parts.append('Linkage.Joints.Revolute %s(n = %s);' % (hinge, precise(axis)))
            ends = ['.frame_a', '.frame_b']
            self.r.shuffle(ends)
            self.connect(frame, hinge + ends[0])
            frame = hinge + ends[1]
        self.connect(frame, self.frame[b][pb])

    def make_drive(self, name, turns):
        fixed = {True: 'phi(start = 0.0%s)%s', False: 's(start = 0.0%s)%s'}[turns]
        more = ', fixed = true' if self.drive == 'torque' else ''
        speed = ', %s(fixed = true)' % 'vw'[turns] if more else ''
        self.parts[-1] = self.parts[-1].replace(fixed % ('', ''), fixed % (more, speed) + ', useFlange = true')
        kind, port, value = {(True, 'torque'): ('Torque', 'tau', 'sin(3*time)'),
                             (True, 'motion'): ('RotationalMotion', 'phi', '0.2*(1 - cos(3*time))'),
                             (False, 'torque'): ('Force', 'f', '20*sin(3*time)'),
                             (False, 'motion'): ('TranslationalMotion', 's', '0.05*(1 - cos(3*time))')}[
                                 turns, self.drive]
        if self.kind not in OF_MSL:
            self.parts.append('Linkage.Drives.%s drive(%s = %s);' % (kind, port, value))
            self.connect('drive.flange', name + '.flange')
            return
        package = 'Rotational' if turns else 'Translational'
        if self.drive == 'motion':
            kind, port = 'Position', port + '_ref'
        self.parts.append('Modelica.Mechanics.%s.Sources.%s drive%s;' %
                          (package, kind, '(exact = true)' if self.drive == 'motion' else ''))
        self.connect('drive.flange', name + '.axis')
        self.connects.append('drive.%s = %s;' % (port, value))

    def text(self, name):
        text = super().text(name)
        if self.kind not in OF_MSL:
            return text
        return re.sub(r'Real E = .*?;', 'Real E = 0;', text).replace('.m.r[', '.r_0[')


# The last number is the mobility: of the pantograph and the ring of scissors, which turns about its pin, that of
# two, of the leg of the hexapod with a strut of fixed length two.
MECHANISMS = [
    ('watt', watt, PlaneWriting, 1), ('stephenson', stephenson, PlaneWriting, 1), ('klann', klann, PlaneWriting, 1),
    ('jansen', jansen, PlaneWriting, 1), ('peaucellier', peaucellier, PlaneWriting, 1),
    ('double_four_bar', double_four_bar, PlaneWriting, 1), ('pantograph', pantograph, PlaneWriting, 2),
    ('hoberman', hoberman, PlaneWriting, 2), ('hoberman3', lambda: hoberman(3), PlaneWriting, 2),
    ('hoberman7', lambda: hoberman(7), PlaneWriting, 2), ('wishbone', wishbone, PlaneWriting, 1),
    ('delta', delta, SpaceWriting, 3), ('stewart', stewart, SpaceWriting, 6),
    ('hexapod_leg', hexapod_leg, SpaceWriting, 2)]
KINDS = {PlaneWriting: ['rod', 'body', 'mixed', 'msl', 'shape'],
         SpaceWriting: ['body', 'hinges', 'gimbals', 'msl', 'shape']}


def run_fmu(rung, client, path, title):
    """The last row of a co-simulation, or why there is none."""
    folder = path[:-3]
    out = folder + '.cs.csv'
    commands = [[rung, 'fmu', '-q', path, '--model', title, '--fmi', '2', '-o', folder + '.fmu'],
                [sys.executable, '-m', 'zipfile', '-e', folder + '.fmu', folder],
                [client, folder + '/binaries/linux64/%s.so' % title, folder + '/modelDescription.xml', '2',
                 repr(STOP), 'cs', out]]
    for c in commands:
        p = subprocess.run(c, capture_output=True, text=True)
        if p.returncode != 0:
            return None, (p.stderr or p.stdout).strip() or 'no FMU'
    with open(out, newline='') as f:
        return list(csv.DictReader(f))[-1:], None


def main():
    p = options()
    p.add_argument('--fmu', metavar='CLIENT')
    p.add_argument('--only', default=','.join(m[0] for m in MECHANISMS))
    p.add_argument('--orders', type=int)
    p.add_argument('--first', type=int, default=0)
    p.add_argument('--kinds', default='rod,body,mixed,msl,shape,hinges,gimbals')
    p.add_argument('--drives', default='torque,motion')
    args = p.parse_args()
    kinds = args.kinds.split(',')
    if set(kinds) & set(OF_MSL) and not os.environ.get('MODELICAPATH'):
        print('MODELICAPATH is not set: without parts of the Modelica Standard Library')
        kinds = [k for k in kinds if k not in OF_MSL]
    directory = args.keep or tempfile.mkdtemp(prefix='rung-classic-')
    os.makedirs(directory, exist_ok=True)
    bad = runs = 0

    def tell(title, why, gap, most):
        wrong = bool(why) or gap > most
        if wrong or args.verbose:
            print('%s: %s' % (title, why.splitlines()[0] if why else '%s%.2g' % ('differs by ' if wrong else '', gap)))
            sys.stdout.flush()
        return wrong

    def writings(m):
        of = [k for k in KINDS[m[2]] if k in kinds]
        if args.orders is None:
            return [(kind, w) for kind in of for w in range(args.writings)]
        return [(of[w % len(of)], w) for w in range(args.orders) if w == 0 or w >= args.first]

    cases = [(m, drive, kind, w) for m in MECHANISMS if m[0] in args.only.split(',')
             for drive in args.drives.split(',') for kind, w in writings(m)]
    first = {}
    for (name, make, writing, mobility), drive, kind, w in cases:
        title = '%s_%s_%s_%d' % (name, drive, kind, w)
        path = os.path.join(directory, title + '.mo')
        with open(path, 'w') as f:
            f.write(writing(make(), random.Random(title + str(args.seed)), kind, drive).text(title))
        runs += 1
        rows, why = run(args.rung, path, args)
        gap = 0 if why else differences(rows, first.setdefault((name, drive), rows))
        wrong = tell(title, why, gap, args.agree)
        if not why:
            given = drive == 'motion'
            freedom, why = count(args.rung, path, given)
            if not why and freedom != mobility - given:
                why = '%d degrees of freedom, not %d' % (freedom, mobility - given)
            wrong = bool(why) and tell(title + ' counted', why, 0, 0) or wrong
            if args.fmu:
                last, why = run_fmu(args.rung, args.fmu, path, title)
                gap = 0 if why else differences(rows[-1:], last)
                wrong = tell(title + ' as an FMU', why, gap, OF_FMU) or wrong
        bad += wrong
    print('%d writings: %d refused or different' % (runs, bad))
    if not args.keep:
        shutil.rmtree(directory)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
