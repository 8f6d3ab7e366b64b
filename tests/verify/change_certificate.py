"""Random changes of certificates, each of which the checker must refuse.

A change of a node may mean nothing, x - 0 for x + 0. So the changed text is evaluated a second time, with
floating-point numbers at a random point: where its equations still hold the change is no fault, and passed over.

usage: change_certificate.py N SEED FILE...   N faults in all; prints the seed and what was accepted
"""
import contextlib
import io
import itertools
import math
import random
import re
import sys
import tempfile

import check_certificate

OTHER = {'add': 'sub', 'sub': 'add', 'mul': 'add', 'ratio': 'mul', 'sin': 'cos', 'cos': 'sin', 'neg': 'abs',
         'sqrt': 'exp', 'exp': 'sqrt', 'lt': 'ne', 'and': 'or', 'or': 'and', 'eq': 'ne', 'ne': 'eq',
         'max': 'min', 'min': 'max', 'floor': 'ceil', 'abs': 'neg', 'atan2': 'mod', 'mod': 'atan2'}


def sections(lines):
    out, name = [], ''
    for line in lines:
        word = line.split(' ')[0]
        if word in ('program', 'values', 'states', 'residuals', 'model', 'cuts', 'equations', 'points', 'end'):
            name = word
            out.append('')
        else:
            out.append('' if line.startswith('#') else name)
    return out


def change(lines, rnd):
    """A line of the program or of the model, of a table, or of the frame; what was done."""
    where = sections(lines)
    kind = rnd.choice(['operator', 'operator', 'operand', 'operand', 'number', 'name', 'value', 'equation',
                       'delete', 'repeat', 'swap', 'cut off', 'prime'])
    nodes = [k for k, w in enumerate(where) if w in ('program', 'model') and not lines[k].startswith('given')]
    of_kind = {
        'operator': [k for k in nodes if lines[k].split(' ')[1] in OTHER],
        'operand': [k for k in nodes if re.fullmatch(r'\d+ [a-z0-9]+( \d+)+', lines[k])
                    and lines[k].split(' ')[1] not in ('num', 'suppose', 'proj', 'call')],
        'number': [k for k in nodes if ' num ' in lines[k]],
        'name': [k for k in nodes if ' var "' in lines[k]],
        'value': [k for k, w in enumerate(where) if w == 'values'],
        'equation': [k for k, w in enumerate(where) if w in ('equations', 'cuts')],
        'prime': [k for k, w in enumerate(where) if w == 'points'],
    }.get(kind, [k for k, w in enumerate(where) if w])
    if not of_kind:
        return None
    k = rnd.choice(of_kind)
    was, words = lines[k], lines[k].split(' ')
    if kind == 'operator':
        words[1] = OTHER[words[1]]
    elif kind == 'operand':
        j = rnd.randrange(2, len(words))
        words[j] = str(rnd.randrange(int(words[0])))
    elif kind == 'number':
        words[2] = words[2] + '7' if '/' not in words[2] else '7' + words[2].lstrip('-')
    elif kind == 'name':
        words = [words[0], 'var', lines[rnd.choice(of_kind)].split(' ', 2)[2]]
    elif kind == 'value':
        words[0] = str(rnd.randrange(len(nodes)))
    elif kind == 'equation':
        words[rnd.randrange(2)] = str(rnd.randrange(len(nodes)))
    elif kind == 'prime':
        words[0] = str(int(words[0]) + rnd.choice([-2, 2, 8, 1 << 20]))
    if kind in ('delete', 'repeat', 'swap', 'cut off'):
        new = {'delete': lines[:k] + lines[k + 1:], 'repeat': lines[:k] + [was] + lines[k:],
               'swap': lines[:k - 1] + [was, lines[k - 1]] + lines[k + 1:], 'cut off': lines[:k]}[kind]
        if kind == 'swap' and (where[k - 1] != where[k] or where[k] not in ('program', 'model')):
            return None  # the order of a table means nothing
        if was.startswith('given') or lines[k - 1].startswith('given') or not was:
            return None
        return f'{kind} line {k + 1}: {was}', new
    line = ' '.join(words)
    return (f'{kind} of line {k + 1}: {was} -> {line}', lines[:k] + [line] + lines[k + 1:]) if line != was else None


def verdict(text, own=''):
    with tempfile.NamedTemporaryFile('w', suffix='.cert', encoding='utf-8') as f:
        f.write(text)
        f.flush()
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = check_certificate.main(['', f.name] + (['--seed', own] if own else []))
    return status, out.getvalue().strip()


REAL = {'neg': lambda a: -a, 'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b,
        'ratio': lambda a, b: a / b, 'pow': lambda a, b: a ** b, 'lt': lambda a, b: a < b, 'le': lambda a, b: a <= b,
        'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'and': lambda a, b: a and b,
        'or': lambda a, b: a or b, 'not': lambda a: not a, 'abs': abs, 'min': min, 'max': max,
        'sign': lambda a: (a > 0) - (a < 0), 'mod': lambda a, b: a - math.floor(a / b) * b,
        'rem': math.fmod, 'div': lambda a, b: math.trunc(a / b)}


def real_values(cert, salt, supposed):
    """Of all nodes, as doubles; 0.5 to 2 is drawn for each leaf. None where there is none."""
    value, used = [], iter(supposed)
    for k, (op, args, data) in enumerate(cert.nodes):
        x = [value[a] for a in args]
        solved = cert.values.get(data) if op == 'var' and k >= cert.first_of_model else None
        try:
            if op == 'num':
                y = float(data)
            elif op == 'suppose':
                y = next(used)
            elif solved is not None:
                y = value[solved]
            elif op in ('var', 'time', 'pre', 'was', 'text', 'call', 'proj'):
                y = random.Random(f'{salt} {op} {data} {x}').uniform(0.5, 2)
                y = int(y > 1) if op == 'was' else y
            elif op == 'if':
                y = x[1 if x[0] else 2]
            else:
                y = REAL.get(op, getattr(math, op, None))(*x)
            value.append(y if isinstance(y, bool) or math.isfinite(y) else None)
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            value.append(None)
    return value


def holds(text, salt):
    """Whether the equations do, in doubles; None where that cannot be said, or it is no certificate."""
    try:
        cert = check_certificate.Certificate(text)
    except (check_certificate.NoCertificate, ValueError, IndexError, KeyError, TypeError):
        return None
    n = sum(op == 'suppose' for op, _, _ in cert.nodes)
    numeric = check_certificate.numeric_nodes(cert)
    for supposed in itertools.product([0, 1], repeat=n):
        value = real_values(cert, salt, supposed)
        given = [pair for pairs in cert.given.values() for pair in pairs]
        if any(value[of] is None for _, of in given):
            return None
        if all(bool(value[truth]) == (value[of] < 0) for truth, of in given):
            break
    else:
        return None
    left = [value[k] for k, _ in cert.residuals]
    for a, b in cert.equations + cert.cuts:
        if value[a] is None or value[b] is None or None in left:
            return None
        missed = value[a] - value[b]
        is_residual = (numeric[a] or numeric[b]) and any(abs(abs(missed) - abs(r)) < 1e-7 for r in left)
        if abs(missed) > 1e-7 * (1 + abs(value[a])) and not is_residual:
            return False
    return True


def main(argv):
    wanted, seed, files = int(argv[1]), int(argv[2]), argv[3:]
    print(f'seed {seed}')
    rnd, refused, evaluated, harmless, accepted = random.Random(seed), 0, 0, 0, []
    texts = [open(f, encoding='utf-8').read() for f in files]
    for text in texts:
        if verdict(text)[0] != 0:
            print(f'FAILED: refused as it is: {verdict(text)[1]}')
            return 1
        if holds(text, seed) is not True:
            print('FAILED: it does not hold in floating-point numbers')
            return 1
    while refused + len(accepted) < wanted:
        at = rnd.randrange(len(texts))
        changed = change(texts[at].split('\n'), rnd)
        if not changed:
            continue
        text = '\n'.join(changed[1])
        status, _ = verdict(text)
        if status == 0 and holds(text, seed):
            harmless += 1
            continue
        # a sign that the model has not is drawn at its four points: these may agree by chance
        for own in '12345678':
            status = status or verdict(text, own)[0]
        if status == 0:
            accepted.append((files[at], changed[0]))
        else:
            refused += 1
            evaluated += status == 1
    for file, what in accepted:
        print(f'FAILED: accepted: {file}: {what}')
    print(f'{refused} changes refused, {evaluated} of them by evaluation; {harmless} that were no faults')
    return 1 if accepted else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
