"""What a notebook shows."""
import html
import re

import numpy as np

from rung import Page, Picture
from rung.table import Table


def test_plot(decayed, tmp_path):
    picture = decayed.plot("x;less")
    assert isinstance(picture, Picture) and picture._repr_html_().startswith("<svg")
    picture.save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text() == picture.svg
    assert decayed.plot(["x", "less"]).svg != picture.svg  # one panel, not two
    page = decayed.plot("x", zoom=True)
    assert isinstance(page, Page) and page.text.startswith("<!")


def test_a_page_is_a_frame(tmp_path):
    page = Page('<!DOCTYPE html><p class="a">&amp; "</p>')
    shown = page._repr_html_()
    assert html.unescape(re.search('srcdoc="([^"]*)"', shown)[1]) == page.text
    page.save(tmp_path / "p.html")
    assert (tmp_path / "p.html").read_text() == page.text


def test_results_as_tables(decayed):
    shown = decayed._repr_html_()
    assert "<td>x</td><td>1</td>" in shown and "<td>m</td><td>what is left</td>" in shown
    assert "&lt;a result of" in shown and "<a result" not in shown


def test_empty_cells():
    t = Table({"none": ["", None], "some": ["", "1.5"], "text": ["", "a"]})
    assert list(t["none"]) == ["", ""] and list(t["text"]) == ["", "a"]
    assert np.isnan(t["some"][0]) and t["some"][1] == 1.5


def test_texts_of_a_table_are_escaped():
    assert "<td>&lt;b&gt;</td>" in Table({"name": ["<b>"], "n": [1.5]})._repr_html_()
