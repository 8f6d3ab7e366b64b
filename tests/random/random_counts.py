#!/usr/bin/env python3
"""Operations of ten mechanisms of random shape: orders of elimination that get cheaper for chains and
robots must not get dearer for others.

Trees of 6 to 14 bodies, each carried by the ground or by a body drawn at random, on a joint drawn at
random; two of five mechanisms have loops, closed by ball joints between tips and other bodies. The
numbers of operations for the accelerations, by the order that the compiler takes, are compared with
those in the file random_counts.txt beside this script: their sum must not grow, and none by more than
5 %. Mechanisms depend on the seed alone.

usage: random_counts.py RUNG [--bless] [--only K] [--keep DIR]
Status 1 if one is refused or the counts have grown; --bless writes them.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

MECHANISMS = 10
GROWTH = 1.05


def vector(draw):
    """An offset; some of its elements are zero for good, as they are in most machines."""
    zero = draw.choice([0, 0, 1, 2])
    at = draw.sample(range(3), zero)
    return [0 if k in at else round(draw.uniform(-1, 1), 2) for k in range(3)]


def text(v):
    return '{' + ', '.join(str(x) for x in v) + '}'


def mechanism(k):
    draw = random.Random(1000 + k)
    n = draw.randint(6, 14)
    axis = ['{1, 0, 0}', '{0, 1, 0}', '{0, 0, 1}']
    parts, connects = ['  inner Linkage.World world;'], []
    frame = ['world.frame_b']
    shape = draw.choice(['chain', 'tree', 'comb'])
    for i in range(1, n + 1):
        carrier = {'chain': i - 1, 'tree': draw.randint(0, i - 1),
                   'comb': max(0, i - draw.randint(1, 2))}[shape]
        kind = draw.choice(['Revolute'] * 6 + ['Prismatic', 'Universal', 'Spherical'])
        how = '(n = %s)' % draw.choice(axis) if kind in ('Revolute', 'Prismatic') else ''
        parts.append('  Linkage.Joints.%s joint%d%s;' % (kind, i, how))
        r = vector(draw)
        # a rod does not resist turning about its own line
        slender = draw.random() < 0.4 and kind == 'Revolute' and 0 not in r
        if slender:
            parts.append('  Linkage.Parts.Rod link%d(r = %s, m = %g);' % (i, text(r), 1 + i % 3))
            tip = 'link%d.frame_b' % i
            connects.append('  connect(joint%d.frame_b, link%d.frame_a);' % (i, i))
        else:
            parts.append('  Linkage.Parts.FixedTranslation link%d(r = %s);' % (i, text(r)))
            parts.append('  Linkage.Parts.Body body%d(m = %g, r_CM = %s);' % (i, 1 + i % 3, text(vector(draw))))
            tip = 'link%d.frame_b' % i
            connects += ['  connect(joint%d.frame_b, %s%d.frame_a);' % (i, p, i) for p in ('link', 'body')]
        connects.append('  connect(%s, joint%d.frame_a);' % (frame[carrier], i))
        frame.append(tip)
    for j in range(draw.randint(1, 2) if k % 5 > 2 else 0):
        a = n - j
        b = draw.randint(0, n // 2)
        parts.append('  Linkage.Joints.Spherical closing%d;' % j)
        connects += ['  connect(%s, closing%d.frame_a);' % (frame[a], j),
                     '  connect(%s, closing%d.frame_b);' % (frame[b], j)]
    return 'model M%d\n%s\nequation\n%s\nend M%d;\n' % (k, '\n'.join(parts), '\n'.join(connects), k)


def count(rung, k, folder):
    path = os.path.join(folder, 'M%d.mo' % k)
    with open(path, 'w') as f:
        f.write(mechanism(k))
    run = subprocess.run([rung, 'count', path, '--order', 'ladder', '--format', 'json'],
                         capture_output=True, text=True)
    if run.returncode:
        print('mechanism %d is refused:\n%s' % (k, run.stderr))
        return None
    choice = json.loads(run.stdout)['choice'][0]
    return sum(choice[x] for x in ('add', 'mul', 'div'))


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument('rung')
    ask.add_argument('--bless', action='store_true')
    ask.add_argument('--only', type=int)
    ask.add_argument('--keep')
    o = ask.parse_args()
    known_in = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'random_counts.txt')
    which = range(MECHANISMS) if o.only is None else [o.only]
    with tempfile.TemporaryDirectory() as scratch:
        folder = o.keep or scratch
        os.makedirs(folder, exist_ok=True)
        now = {k: count(o.rung, k, folder) for k in which}
    if None in now.values():
        return 1
    if o.bless:
        with open(known_in, 'w') as f:
            f.write(''.join('%d %d\n' % (k, now[k]) for k in which))
        return 0
    with open(known_in) as f:
        before = {int(k): int(c) for k, c in (line.split() for line in f)}
    grown = [k for k in which if now[k] > GROWTH * before[k]]
    for k in which:
        print('mechanism %d: %d operations, %d before%s' % (k, now[k], before[k], ' GROWN' if k in grown else ''))
    total, was = sum(now.values()), sum(before[k] for k in which)
    print('%d in sum, %d before' % (total, was))
    return 1 if grown or total > was else 0


if __name__ == '__main__':
    sys.exit(main())
