"""Robots in URDF, made by seed: a six-axis arm with a gripper, a quadruped, a humanoid. The accelerations that
rung computes for what `rung import` writes, against those of MuJoCo for the same file.

usage: robots.py write DIR                        arm.urdf, quadruped.urdf, humanoid.urdf
       robots.py compare RUNG CLIENT DIR SAMPLES ROBOT...
                                                  CLIENT is the program of mujoco_client.cpp
"""
import csv
import math
import os
import random
import subprocess
import sys


class Robot:
    def __init__(self, name, seed):
        self.random = random.Random(seed)
        self.name, self.lines = name, []

    def some(self, *around, by=0.02):
        return ' '.join(f'{x + self.random.uniform(-by, by):.6g}' for x in around)

    def link(self, name, m, box, r=(0, 0, 0), shape=None):
        """A box of mass m, its centre at about r, its axes somehow."""
        a, b, c = box
        ixx, iyy, izz = (m/12*(b*b + c*c), m/12*(c*c + a*a), m/12*(a*a + b*b))
        some = m/12*min(a, b, c)**2
        visual = shape or f'<box size="{a} {b} {c}"/>'
        self.lines += [
            f'<link name="{name}"><inertial><origin xyz="{self.some(*r)}" rpy="{self.some(0, 0, 0, by=1)}"/>'
            f'<mass value="{m}"/><inertia ixx="{ixx:.9g}" iyy="{iyy:.9g}" izz="{izz:.9g}" ixy="{some/50:.9g}"'
            f' ixz="{-some/70:.9g}" iyz="{some/90:.9g}"/></inertial>',
            f'<visual><origin xyz="{" ".join(map(str, r))}"/><geometry>{visual}</geometry></visual></link>']

    def joint(self, name, kind, parent, child, r, rpy=(0, 0, 0), axis=(0, 0, 1), more=''):
        self.lines.append(
            f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{" ".join(map(str, r))}" rpy="{" ".join(map(str, rpy))}"/>'
            f'<axis xyz="{" ".join(map(str, axis))}"/>{more}</joint>')

    def write(self, folder):
        with open(os.path.join(folder, self.name + '.urdf'), 'w') as f:
            f.write(f'<robot name="{self.name}">\n' + '\n'.join(self.lines) + '\n</robot>\n')


LIMIT = '<limit lower="-2.5" upper="2.5" effort="80" velocity="3"/>'
DAMPED = LIMIT + '<dynamics damping="0.3"/>'


def arm():
    r = Robot('arm', 1)
    r.link('base', 4, (0.2, 0.2, 0.1))
    above = 'base'
    for k, (at, turn) in enumerate([((0, 0, 0.3), (0, 0, 0)), ((0.1, 0, 0.1), (math.pi/2, 0, 0.2)), ((0.6, 0, 0), (0, 0, 0.5)),
                                    ((0.1, 0.05, 0), (1.5708, 0, 0)), ((0, 0, 0.5), (-1.5708, 0.1, 0)), ((0, 0.1, 0), (1.5708, 0, 0))]):
        r.link(f'link {k + 1}', 6 - k, (0.1, 0.1, 0.4), (0.05, 0, 0.1))
        r.joint(f'axis-{k + 1}', 'revolute' if k % 2 else 'continuous', above, f'link {k + 1}', at, turn,
                more=DAMPED if k % 2 else '<dynamics damping="0.2"/>')
        above = f'link {k + 1}'
    r.link('flange', 0.3, (0.05, 0.05, 0.02))
    r.joint('mount', 'fixed', above, 'flange', (0, 0, 0.08), (0.1, 0.2, 0.3))
    r.link('palm', 0.4, (0.1, 0.04, 0.04))
    r.joint('palm mount', 'fixed', 'flange', 'palm', (0, 0.01, 0.05), (0, 0, 1.5708))
    for side in (-1, 1):
        name = 'left' if side < 0 else 'right'
        r.link(f'{name} finger', 0.1, (0.02, 0.02, 0.08), (0, 0, 0.04))
        r.joint(f'{name} grip', 'prismatic', 'palm', f'{name} finger', (0.02*side, 0, 0.03), axis=(side, 0, 0.1),
                more='<limit lower="-3" upper="3" effort="20" velocity="1"/>')
    return r


def leg(r, name, at, parts):
    """Joints and links in a row: (joint, axis, offset to it, mass, box)."""
    above = parts[0]
    for joint, axis, offset, m, box in parts[1]:
        child = f'{name}_{joint}_link'
        r.link(child, m, box, (0, 0, -box[2]/2))
        r.joint(f'{name}_{joint}', 'revolute', above, child, at if above == parts[0] else offset, r.rpy, axis, DAMPED)
        above = child
    return above


def quadruped():
    r = Robot('quadruped', 2)
    r.rpy = (0.02, -0.03, 0.05)
    r.lines.append('<link name="world"/>')
    r.link('trunk', 12, (0.5, 0.25, 0.12))
    r.joint('floating base', 'floating', 'world', 'trunk', (0, 0, 0.4))
    for x, front in ((0.2, 'front'), (-0.2, 'rear')):
        for y, side in ((0.12, 'left'), (-0.12, 'right')):
            foot = leg(r, f'{front}_{side}', (x, y, 0),
                       ('trunk', [('hip', (1, 0, 0), (0, 0, 0), 0.7, (0.06, 0.06, 0.06)),
                                  ('thigh', (0, 1, 0), (0, y/3, 0), 1.1, (0.04, 0.04, 0.2)),
                                  ('calf', (0, 1, 0), (0, 0, -0.2), 0.3, (0.02, 0.02, 0.2))]))
            r.link(f'{foot}_foot', 0.05, (0.03, 0.03, 0.03), shape='<sphere radius="0.02"/>')
            r.joint(f'{foot}_ankle', 'fixed', foot, f'{foot}_foot', (0, 0, -0.2))
    return r


def humanoid():
    r = Robot('humanoid', 3)
    r.rpy = (0, 0, 0)
    r.lines.append('<link name="world"/>')
    r.link('pelvis', 9, (0.2, 0.3, 0.15))
    r.joint('floating base', 'floating', 'world', 'pelvis', (0, 0, 1))
    chest = leg(r, 'waist', (0, 0, 0.1), ('pelvis', [('yaw', (0, 0, 1), (0, 0, 0), 1, (0.1, 0.1, 0.05)),
                                                     ('roll', (1, 0, 0), (0, 0, 0.05), 1, (0.1, 0.1, 0.05)),
                                                     ('pitch', (0, 1, 0), (0, 0, 0.05), 14, (0.2, 0.35, 0.4))]))
    leg(r, 'neck', (0, 0, 0.45), (chest, [('yaw', (0, 0, 1), (0, 0, 0), 0.5, (0.05, 0.05, 0.1)),
                                          ('pitch', (0, 1, 0), (0, 0, 0.1), 4, (0.18, 0.15, 0.22))]))
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    for side, s in (('left', 1), ('right', -1)):
        leg(r, f'{side}_arm', (0, 0.2*s, 0.4), (chest, [
            ('shoulder_pitch', y, (0, 0, 0), 0.8, (0.08, 0.08, 0.08)), ('shoulder_roll', x, (0, 0.05*s, 0), 0.8, (0.08, 0.08, 0.08)),
            ('shoulder_yaw', z, (0, 0, -0.05), 1.6, (0.07, 0.07, 0.25)), ('elbow', y, (0, 0, -0.27), 1, (0.06, 0.06, 0.2)),
            ('wrist_yaw', z, (0, 0, -0.2), 0.4, (0.05, 0.05, 0.05)), ('wrist_pitch', y, (0, 0, -0.05), 0.2, (0.05, 0.05, 0.05)),
            ('wrist_roll', x, (0, 0, -0.03), 0.5, (0.03, 0.09, 0.15))]))
        leg(r, f'{side}_leg', (0, 0.1*s, -0.05), ('pelvis', [
            ('hip_yaw', z, (0, 0, 0), 1.5, (0.1, 0.1, 0.1)), ('hip_roll', x, (0, 0, -0.05), 1.2, (0.1, 0.1, 0.1)),
            ('hip_pitch', y, (0, 0, 0), 6, (0.14, 0.14, 0.4)), ('knee', y, (0, 0, -0.4), 3.5, (0.1, 0.1, 0.38)),
            ('ankle_pitch', y, (0, 0, -0.38), 0.4, (0.06, 0.06, 0.06)), ('ankle_roll', x, (0, 0, 0), 1, (0.22, 0.1, 0.05))]))
    return r


ROBOTS = (arm, quadruped, humanoid)
# MuJoCo turns inertias to principal axes as far as 1e-12 kg m2, of fingers of 5e-6.
EXACT = 1e-6


def modelica(name):
    return ''.join(c if c.isalnum() else '_' for c in name)


def read_samples(text):
    lines = text.split('\n')
    samples = []
    for line in lines[1:]:
        if line == 'sample':
            samples.append([])
        elif line:
            name, *groups = line.split(' | ')
            samples[-1].append((name, *[list(map(float, g.split())) for g in groups]))
    return float(lines[0].split()[1]), samples


def state(joint):
    """The joint's start values and force as options, and the names of its accelerations."""
    name, q, v, tau, _ = joint
    name = modelica(name)
    if len(q) == 7:
        pairs = [(f'r_rel[{k + 1}]', q[k]) for k in range(3)] + [(f'Q[{k + 1}]', q[3 + k]) for k in range(4)]
        pairs += [(f'v_rel[{k + 1}]', v[k]) for k in range(3)] + [(f'w_rel[{k + 1}]', v[3 + k]) for k in range(3)]
        return ([('--start', f'{name}.{x}={value!r}') for x, value in pairs],
                [f'{name}.a_rel[{k + 1}]' for k in range(3)] + [f'{name}.z_rel[{k + 1}]' for k in range(3)])
    x, x_dot, force = ('s', 'v', 'f') if 'grip' in name else ('phi', 'w', 'tau')
    return ([('--start', f'{name}.{x}={q[0]!r}'), ('--start', f'{name}.{x_dot}={v[0]!r}'), ('--set', f'{force}_{name}={tau[0]!r}')],
            [f'{name}.a'])


def compare(rung, client, folder, n, names_of_robots):
    worst = 0
    for name in names_of_robots:
        urdf = os.path.join(folder, name + '.urdf')
        model = os.path.join(folder, name.capitalize() + '.mo')
        out = subprocess.run([client, urdf, '7', str(n)], check=True, capture_output=True, text=True).stdout
        mass, samples = read_samples(out)
        subprocess.run([rung, 'import', urdf, '-o', model], check=True)
        with open(model) as f:
            text = f.read()
        # on the ground stands what MuJoCo has in its world: no link of the model
        own = sum(float(part.split(',')[0].split(')')[0]) for part in text.split('(m = ')[1:])
        if abs(own - mass) > 1e-9*mass:
            sys.exit(f'FAILED: {name}: mass {own}, by MuJoCo {mass}')
        for sample in samples:
            options, names, wanted = [], [], []
            for joint in sample:
                given, accelerations = state(joint)
                options += [word for pair in given for word in pair]
                names += accelerations
                wanted += joint[4]
            result = os.path.join(folder, name + '.csv')
            subprocess.run([rung, 'simulate', model, '--stop', '0', '--progress', 'none', '-q', '-o', result,
                            '--signals', ','.join(names), *options], check=True)
            with open(result) as f:
                row = next(csv.DictReader(f))
            scale = max(map(abs, wanted))
            for a, want in zip(names, wanted):
                error = abs(float(row[a]) - want)/scale
                worst = max(worst, error)
                if not error < EXACT:
                    sys.exit(f'FAILED: {name}: {a} = {row[a]}, by MuJoCo {want!r}')
        print(f'{name}: {len(names)} accelerations agree at {len(samples)} states')
    print(f'largest difference {worst:.1e} of the largest acceleration')


if __name__ == '__main__':
    if len(sys.argv) == 3 and sys.argv[1] == 'write':
        for robot in ROBOTS:
            robot().write(sys.argv[2])
    elif len(sys.argv) > 6 and sys.argv[1] == 'compare':
        compare(*sys.argv[2:5], int(sys.argv[5]), sys.argv[6:])
    else:
        sys.exit(__doc__)
