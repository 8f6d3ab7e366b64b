#!/usr/bin/env python3
"""Runs the code of a notebook, cell after cell in one namespace, without Jupyter.

    run_notebook.py NOTEBOOK.ipynb [PAGE.html]      in the notebook's folder

Prints what each cell shows, as text; with PAGE.html also writes the page that a reader would see: the text
of the notebook, its code, and of a cell's last expression what it shows of itself (_repr_html_).
"""
import ast
import contextlib
import html
import io
import json
import sys


def run_cell(source, names, where):
    """Executes a cell; the text that it prints, and the value of its last expression."""
    tree = ast.parse(source, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    return printed.getvalue(), value


def run(path):
    """Each cell as (kind, source, text, value)."""
    with open(path, encoding="utf-8") as f:
        notebook = json.load(f)
    names = {"__name__": "__main__"}
    for k, cell in enumerate(notebook["cells"], 1):
        source = "".join(cell["source"])
        text, value = "", None
        if cell["cell_type"] == "code":
            text, value = run_cell(source, names, f"{path}, cell {k}")
        yield cell["cell_type"], source, text, value


def shown(value):
    """As HTML, for a page."""
    if value is None:
        return ""
    if hasattr(value, "_repr_html_"):
        return value._repr_html_()
    return f"<pre>{html.escape(repr(value))}</pre>"


def main():
    page = []
    for kind, source, text, value in run(sys.argv[1]):
        page.append(f"<pre class={kind}>{html.escape(source)}</pre>")
        page.append(f"<pre>{html.escape(text)}</pre>{shown(value)}")
        if kind == "code":
            print(">>> " + source.replace("\n", "\n... "))
            print(text + (repr(value) if value is not None else ""))
    if sys.argv[2:]:
        with open(sys.argv[2], "w", encoding="utf-8") as f:
            f.write("<!DOCTYPE html><meta charset=utf-8><style>.code {background: #eee; padding: .5em}"
                    "body {max-width: 60em; margin: auto; font-family: sans-serif}</style>" + "\n".join(page))


if __name__ == "__main__":
    main()
