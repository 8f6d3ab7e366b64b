"""Robots in URDF, made by seed: a six-axis arm with a gripper, a quadruped, a humanoid; in MJCF an arm with
classes of defaults, joints beside the origins of their bodies and several in a body, a body that floats with arms. The accelerations that
rung computes for what `rung import` writes, against those of MuJoCo for the same file.

usage: robots.py write DIR                        arm.urdf, quadruped.urdf, humanoid.urdf, classes.xml, floating.xml
       robots.py compare RUNG CLIENT DIR SAMPLES ROBOT...
                                                  CLIENT is the program of mujoco_client.cpp
"""
import csv
import math
import os
import random
import re
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


# Angles in degrees, one include, nested classes; a shoulder of three hinges, one of them off its body's origin, a
# slide with spring and armature, a ball.
CLASSES = """<mujoco model="classes">
  <compiler eulerseq="zYx" autolimits="true"/>
  <option gravity="0.5 -1 -9"/>
  <include file="parts.xml"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="box" size="1 1 0.1" pos="0 0 -0.1"/>
    <body name="shoulder" pos="0.1 0.2 0.5" euler="20 -35 50" childclass="arm">
      <joint name="yaw" axis="0 0.1 1"/>
      <joint name="pitch" axis="0 1 0.2" pos="0.05 -0.02 0.1" ref="25"/>
      <joint name="roll" axis="1 0 0" stiffness="3" springref="15" range="-170 170"/>
      <inertial pos="0.1 0 0.05" mass="2" fullinertia="0.03 0.04 0.05 0.002 -0.003 0.001"/>
      <body name="upper" pos="0.4 0 0" axisangle="1 2 3 40">
        <joint name="elbow" class="stiff" pos="-0.05 0.01 0"/>
        <geom class="thin" fromto="0 0 0 0.3 0.1 0.05"/>
        <geom type="sphere" size="0.05" pos="0.3 0.1 0.05" density="500"/>
        <body name="fore" pos="0.3 0.1 0.05" xyaxes="0 1 0.1 -1 0 0.2">
          <joint name="grip" type="slide" axis="1 1 0" ref="0.1" stiffness="40" springref="0.05" damping="2" armature="0.3"/>
          <geom type="cylinder" size="0.03 0.1" euler="10 20 30"/>
          <geom type="box" size="0.02 0.03" fromto="0 0 0 0 0.2 0.05" mass="0.4"/>
          <body name="hand" pos="0 0.1 0.1" zaxis="0.2 -1 0.4">
            <joint name="wrist" type="ball" pos="0 0 -0.05" damping="0" armature="0"/>
            <geom type="ellipsoid" size="0.05 0.03 0.08" quat="1 0.2 0.3 -0.4"/>
            <body name="tip" pos="0.1 0 0" euler="0 90 0"><inertial pos="0 0 0.02" euler="30 0 10" mass="0.2" diaginertia="0.001 0.002 0.0015"/></body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="yaw" gear="50" ctrlrange="-1 1"/></actuator>
</mujoco>
"""
PARTS = """<mujocoinclude>
  <default>
    <geom density="800"/>
    <joint armature="0.05"/>
    <default class="arm">
      <joint damping="0.4" axis="0 1 0"/>
      <default class="stiff"><joint stiffness="5" armature="0.2" axis="0.2 1 0"/></default>
      <default class="thin"><geom type="capsule" size="0.02"/></default>
    </default>
  </default>
</mujocoinclude>
"""
FLOATING = """<mujoco model="floating">
  <compiler angle="radian" settotalmass="9"/>
  <worldbody>
    <body name="trunk" pos="0 0 0.7" euler="0.1 0.2 0.3">
      <freejoint name="root"/>
      <geom type="box" size="0.3 0.2 0.1" rgba="0.2 0.4 0.8 1"/>
      <geom type="capsule" size="0.05 0.2" pos="0.1 0 0.15" euler="0 1.2 0"/>
      <body name="left" pos="0.2 0.2 0" quat="0.9 0.1 -0.3 0.2">
        <joint name="left_1" axis="1 0 0" pos="0 0.05 0"/>
        <joint name="left_2" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0 0.1 -0.4" size="0.03"/>
      </body>
      <body name="right" pos="0.2 -0.2 0">
        <joint name="right_1" axis="1 0.3 0"/>
        <geom type="cylinder" fromto="0 0 0 0 -0.1 -0.4" size="0.03"/>
        <geom type="ellipsoid" size="0.05 0.08 0.03" pos="0 -0.1 -0.4"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def write_mjcf(folder):
    for name, text in ('classes', CLASSES), ('parts', PARTS), ('floating', FLOATING):
        with open(os.path.join(folder, name + '.xml'), 'w') as f:
            f.write(text)


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
    if len(q) == 4:
        pairs = [(f'Q[{k + 1}]', q[k]) for k in range(4)] + [(f'w_rel[{k + 1}]', v[k]) for k in range(3)]
        return [('--start', f'{name}.{x}={value!r}') for x, value in pairs], [f'{name}.z_rel[{k + 1}]' for k in range(3)]
    x, x_dot, force = ('s', 'v', 'f') if 'grip' in name else ('phi', 'w', 'tau')
    return ([('--start', f'{name}.{x}={q[0]!r}'), ('--start', f'{name}.{x_dot}={v[0]!r}'), ('--set', f'{force}_{name}={tau[0]!r}')],
            [f'{name}.a'])


def compare(rung, client, folder, n, names_of_robots):
    worst = 0
    for name in names_of_robots:
        path = os.path.join(folder, name + '.urdf')
        if not os.path.exists(path):
            path = os.path.join(folder, name + '.xml')
        model = os.path.join(folder, name.capitalize() + '.mo')
        out = subprocess.run([client, path, '7', str(n)], check=True, capture_output=True, text=True).stdout
        mass, samples = read_samples(out)
        subprocess.run([rung, 'import', path, '-o', model], check=True)
        with open(model) as f:
            text = f.read()
        # on the ground stands what MuJoCo has in its world: no link of the model
        own = sum(map(float, re.findall(r'Parts\.Body \w+\(m = ([^,]+),', text)))
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
        write_mjcf(sys.argv[2])
    elif len(sys.argv) > 6 and sys.argv[1] == 'compare':
        compare(*sys.argv[2:5], int(sys.argv[5]), sys.argv[6:])
    else:
        sys.exit(__doc__)
