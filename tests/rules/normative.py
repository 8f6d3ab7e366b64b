#!/usr/bin/env python3
"""docs/specification.md against the specification's text: which normative sentences have no row of rules.

A sentence is normative if it stands outside of examples and of what the specification marks as
non-normative, and has one of the words `words`. Its section must be in the first column of the rows
`| MLS ...`, itself or one around it. Shares of the illegal models that are refused come from
tests/rules, by the chapter that a file's name begins with.

usage: normative.py CHAPTERS [--sentences SECTION]     CHAPTERS: the folder of the LaTeX sources
--sentences prints those of a section, to be walked through. Status 1 if a section has no row.
"""
import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ['lexicalstructure', 'operatorsandexpressions', 'classes', 'scoping', 'interface', 'inheritance',
         'equations', 'connectors', 'arrays', 'statements', 'functions', 'packages', 'overloaded', 'stream',
         'synchronous', 'statemachines', 'annotations', 'unitexpressions']  # chapters 2, 3, ...
WORDS = re.compile(r'\b(shall|must|may only|can only|cannot|error|not allowed|not legal|illegal|'
                   r'deprecated|required|forbidden)\b')


def without(text, environment):
    return re.sub(r'\\begin\{%s\*?\}.*?\\end\{%s\*?\}' % (environment, environment), ' ', text, flags=re.S)


def sentences(path, chapter):
    """(section, sentence) of one file."""
    with open(path, encoding='utf-8') as f:
        text = re.sub(r'(?<!\\)%.*', '', f.read())
    for e in ('nonnormative', 'example', 'lstlisting', 'figure', 'grammar', 'tabular'):
        text = without(text, e)
    text = re.sub(r'\\begin\{\w+\*?\}(\[[^]]*\])?|\\end\{\w+\*?\}', ' ', text)
    count = [chapter, 0, 0, 0]
    for part in re.split(r'(\\(?:sub){0,2}section\{)', text):
        head = re.fullmatch(r'\\((?:sub){0,2})section\{', part)
        if head:
            level = 1 + len(head.group(1)) // 3
            count = count[:level] + [count[level] + 1] + [0] * (3 - level)
            continue
        section = '.'.join(str(n) for n in count if n)
        plain = re.sub(r'\\lstinline(\[[^]]*\])?([!|"])(.*?)\2', r'\3', part)
        plain = re.sub(r'\\(?:c|C)ref\{[^}]*\}|\\label\{[^}]*\}|\\index\w*\{[^}]*\}', '', plain)
        plain = re.sub(r'\\\w+\{([^{}]*)\}', r'\1', plain)
        plain = re.sub(r'\\item\b', '\n\n', plain)
        for block in re.split(r'\n\s*\n', plain):
            for s in re.split(r'(?<=[.:;])\s+(?=[A-Z(])', ' '.join(block.split())):
                if WORDS.search(s):
                    yield section, s


def rows():
    """The sections of the rows of rules; 3.2-3.4 are all of them."""
    out = set()
    with open(os.path.join(HERE, '..', '..', 'docs', 'specification.md'), encoding='utf-8') as f:
        for line in f:
            first = re.match(r'\| MLS ([^|]*)\|', line)
            for item in re.findall(r'[\d.]+(?:-[\d.]+)?', first.group(1)) if first else ():
                low, _, high = item.partition('-')
                if not high:
                    out.add(low)
                    continue
                *stem, a = low.split('.')
                b = high.split('.')[-1]
                out.update('.'.join(stem + [str(k)]) for k in range(int(a), int(b) + 1))
    return out


def has_row(section, all_of):
    part = section.split('.')
    return any('.'.join(part[:n]) in all_of for n in range(1, len(part) + 1))


def cases():
    """chapter -> illegal models, and how many of them are accepted so far."""
    out = {}
    for name in sorted(os.listdir(HERE)):
        chapter = re.match(r'(\d+)-.*\.mo$', name)
        if not chapter:
            continue
        with open(os.path.join(HERE, name), encoding='utf-8') as f:
            text = f.read()
        n_open = len(re.findall(r'^// open ', text, re.M))
        out[int(chapter.group(1))] = (len(re.findall(r'^// illegal ', text, re.M)) + n_open, n_open)
    return out


def main():
    a = argparse.ArgumentParser()
    a.add_argument('chapters')
    a.add_argument('--sentences')
    o = a.parse_args()
    all_of, models, bare = rows(), cases(), {}
    print('chapter  normative sentences  with a row  illegal models  refused')
    for chapter, name in enumerate(FILES, 2):
        path = os.path.join(o.chapters, name + '.tex')
        if not os.path.exists(path):
            print(f'normative.py: no {path}', file=sys.stderr)
            return 2
        found = list(sentences(path, chapter))
        covered = 0
        for section, s in found:
            if o.sentences and (section + '.').startswith(o.sentences + '.'):
                print(f'{section}: {s}')
            if has_row(section, all_of):
                covered += 1
            else:
                bare.setdefault(section, []).append(s)
        n, n_open = models.get(chapter, (0, 0))
        share = f'{100 * (n - n_open) / n:.1f} %' if n else '-'
        print(f'{chapter:7}  {len(found):19}  {covered:10}  {n:14}  {share:>7}')
    if bare:
        print('sections without a row:')
        for section, all_s in bare.items():
            print(f'  {section} ({len(all_s)}): {all_s[0][:110]}')
    return 1 if bare else 0


if __name__ == '__main__':
    sys.exit(main())
