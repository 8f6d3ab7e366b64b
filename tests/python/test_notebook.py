"""The notebooks of examples/ run, cell by cell, and show what they say."""
import functools
import glob
import json
import os
import re

import numpy as np
import pytest

import run_notebook

EXAMPLES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "examples"))
NOTEBOOKS = sorted(glob.glob(os.path.join(EXAMPLES, "*.ipynb")))


@functools.lru_cache(None)
def cells_of(path):
    return list(run_notebook.run(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=map(os.path.basename, NOTEBOOKS))
def test_notebook(path, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    before = sorted(os.listdir("."))
    cells = cells_of(path)
    assert sum(kind == "code" for kind, *_ in cells) > 5
    assert sorted(os.listdir(".")) == before
    # links of the text lead somewhere
    for kind, source, *_ in cells:
        for link in re.findall(r"\]\(([^)#:]+)", source) if kind == "markdown" else ():
            assert os.path.exists(link), link


def test_the_rope_shows_itself(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    found = {source: (text, value)
             for kind, source, text, value in cells_of(os.path.join(EXAMPLES, "rope.ipynb")) if kind == "code"}
    by = lambda word: next(found[s] for s in found if word in s)
    assert run_notebook.shown(by("r.plot(")[1]).startswith("<svg")
    assert run_notebook.shown(by("r.view(")[1]).startswith("<iframe")
    assert run_notebook.shown(by("m.sweep(")[1]).count("<td>ok</td>") == 4
    assert "N01 4 13" in by("except rung.ModelError")[0]
    # the ladder costs less than tearing, and the more so the longer the rope is
    ratio = by("cost = ")[1]
    assert (ratio > 1).all() and ratio[-1] > ratio[0]
    # one hinge turns about x, two about z; the trolley moves along x: three ways to swing and one to drift
    assert np.count_nonzero(by("rest = ")[1]) == 3


def test_notebooks_hold_no_output():
    """Outputs are made by running; in the file they would grow old."""
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        with open(path) as f:
            assert all(not c.get("outputs") and c.get("execution_count") is None for c in json.load(f)["cells"])
