"""The order of the folders, read from the #include lines: a folder includes those below it, no chain of
includes comes back to its file, sub-folders that are layers have no circle, and each header is named by
the README of its folder or of the folder above; a function that a header declares is named outside of the file
that defines it; a C test includes each header of emitters, translation and studies; the files and identifiers
that CONTRIBUTING names are there; no object of runtime/ that changes belongs to a file instead of an instance,
except those listed here with the reason.
Then trees that break a rule, each of which must fail.
usage: includes.py SOURCE"""

import graphlib
import os
import re
import sys
import tempfile
from pathlib import Path

# The folders that one may include, besides itself.
BELOW = {
    "base": "",
    "runtime": "",
    "ir": "base",
    "frontend": "base ir",
    "graph": "base ir",
    "format": "base frontend",
    "import": "base frontend runtime",
    "doc_pages": "base ir frontend emit",
    "emit": "base ir runtime",
    "eliminate": "base ir graph",
    "translate": "base ir frontend graph import eliminate emit runtime",
    "study": "base ir frontend graph import eliminate emit runtime translate",
    "language_server": "base ir frontend format graph import eliminate emit runtime translate study",
    "cli": "base ir frontend format import graph eliminate emit doc_pages runtime translate study language_server",
}
LAYERED = ("runtime", "study")  # their sub-folders are layers, too
# Objects of a file that may change: without them several instances in one process know nothing of each other.
SHARED = {
    "runtime/run/main.c": {"interrupted": "a signal handler has no argument of its own"},
    "runtime/problem/external.c": {"current": "ModelicaError() has no argument that names its call"},
    "runtime/fmi/fmi_instance.c": {"busy": "the generated tables are filled once in a process", "model": "likewise"},
    "runtime/result/csv.c": {"table": "powers of ten, the same in each thread: a cache"},
}
TESTED = ("emit", "translate", "study")  # by C tests that call the functions of each header


def files_of(root, *suffixes):
    """Paths below the folders, from the root on."""
    for folder in BELOW:
        for path in (root / folder).rglob("*"):
            if path.suffix in suffixes:
                yield str(path.relative_to(root))


def edges_of(root):
    """(file, header) of each include of a header of the tree; those of runtime/ are named without a folder."""
    headers = set(files_of(root, ".h", ".inc"))
    by_name = {os.path.basename(h): h for h in sorted(headers)}
    for file in sorted(files_of(root, ".c", ".h", ".inc")):
        for named in re.findall(r'^#include "([^"]+)"', (root / file).read_text(), re.M):
            to = named if named in headers else by_name.get(named) if "/" not in named else None
            if to:
                yield file, to


def circle(edges):
    """The files or folders of a circle, or nothing."""
    above = {}
    for a, b in edges:
        above.setdefault(a, set()).add(b)
    try:
        graphlib.TopologicalSorter(above).prepare()
    except graphlib.CycleError as e:
        return "\n".join(e.args[1])
    return ""


def unnamed_headers(root):
    texts = {}
    for header in sorted(files_of(root, ".h", ".inc")):
        folder = (root / header).parent
        while not (folder / "README.md").exists() and folder != root:
            folder = folder.parent
        page = folder / "README.md"
        if page not in texts:
            texts[page] = set(re.findall(r"\w+", page.read_text() if page.exists() else ""))
        if Path(header).stem not in texts[page]:
            yield f"{header}: {folder.relative_to(root)}/README.md does not name it"


PROTOTYPE = re.compile(r"^(?!static\b|typedef\b|return\b|#)[A-Za-z_][\w *]*[ *](\w+)\([^;{}]*\)[^;{}()]*;", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def unused_functions(root):
    """Functions of headers that no file but their own names, neither the header itself nor a test."""
    text = {}
    for folder in [*BELOW, "library", "tests"]:
        for path in (root / folder).rglob("*"):
            if path.suffix in (".c", ".h", ".inc"):
                text[path] = COMMENT.sub(" ", path.read_text())
            elif path.suffix in (".mo", ".py"):
                text[path] = path.read_text()
    files_with = {}
    for path, t in text.items():
        for word in set(re.findall(r"\w+", t)):
            files_with.setdefault(word, set()).add(path)
    for header in files_of(root, ".h"):
        declared = text[root / header]
        for name in PROTOTYPE.findall(declared):
            again = len(re.findall(rf"\b{name}\b", declared)) > 1
            if not again and len(files_with[name] - {root / header}) < 2:
                yield f"{header}: no file but its own names {name}: static, or nothing"


def untested_headers(root):
    included = set()
    for path in (root / "tests").rglob("*.[ch]"):
        included.update(re.findall(r'^#include "([^"]+)"', path.read_text(), re.M))
    for header in files_of(root, ".h"):
        if header.split("/")[0] in TESTED and header not in included:
            yield f"{header}: no C test includes it"


OBJECT = re.compile(r"^ *(?:static|extern) ((?:[^;={}()]|\(\*[^()]*\)\([^()]*\))*)[;=]", re.M)


def shared_objects(root):
    """Objects that are not constant, at file scope or static in a function; one that other files see has an
    `extern` declaration in a header. Declarations of functions have parentheses, those of constants `const`
    after the last star."""
    for file in files_of(root, ".c", ".h", ".inc"):
        if not file.startswith("runtime/"):
            continue
        for found in OBJECT.findall(COMMENT.sub(" ", (root / file).read_text())):
            if "const" in re.findall(r"\w+", found.rsplit("*", 1)[-1]):
                continue
            name = re.search(r"(\w+)\)?(?:\[.*|\(.*)?\s*$", found, re.S)[1]
            if name not in SHARED.get(file, {}):
                yield f"{file}: {name} belongs to no instance"


def missing_names(root):
    page = root / "CONTRIBUTING.md"
    if not page.exists():
        return
    # NAME and PASS stand for a name; words with blanks or signs are commands
    names = set(re.findall(r"`([A-Za-z0-9_./]+)`", page.read_text()))
    words, here = set(), set()
    for folder in [*BELOW, "library"]:
        for path in (root / folder).rglob("*"):
            if path.is_file():
                here.add(path.name)
                words.update(re.findall(rb"\w+", path.read_bytes()))
    if (root / "dev").exists():
        words.update(re.findall(rb"\w+", (root / "dev").read_bytes()))
    for name in sorted(names):
        if "NAME" in name or "PASS" in name or ".." in name:
            continue
        if name.endswith("/"):
            found = (root / name).is_dir()
        elif "/" in name:
            found = (root / name).exists()
        elif "." in name:
            found = (root / name).exists() or name in here
        else:
            found = name.encode() in words
        if not found:
            yield f"CONTRIBUTING.md names {name}, which is not there"


def faults(root):
    edges = list(edges_of(root))
    if not edges:
        yield f"there are no includes in {root}"
    for file, to in edges:
        a, b = file.split("/")[0], to.split("/")[0]
        if a != b and b not in BELOW[a].split():
            yield f"{file} includes {to}: {b}/ is not below {a}/"
    found = circle(edges)
    if found:
        yield "files include each other in a circle:\n" + found
    for folder in LAYERED:
        rooms = {(os.path.dirname(a), os.path.dirname(b)) for a, b in edges}
        found = circle((a, b) for a, b in rooms if a != b and (a + "/").startswith(folder + "/")
                       and (b + "/").startswith(folder + "/"))
        if found:
            yield f"sub-folders of {folder}/ include each other in a circle:\n" + found
    yield from unnamed_headers(root)
    yield from unused_functions(root)
    yield from untested_headers(root)
    yield from shared_objects(root)
    yield from missing_names(root)


SMALL = {
    "base/a.h": "int a_size(const A *a);\nint a_sum(int n,\n          int m) __attribute__((pure));",
    "base/a.c": '#include "base/a.h"\nint a_size(const A *a)\n{\n    return a->n;\n}\nint a_sum(int n, int m)\n{\n}',
    "ir/b.c": "int b = a_size(0) + a_sum(1, 2);",
    "base/README.md": "- `a.h` a noun",
    "ir/b.h": '#include "base/a.h"',
    "ir/README.md": "- `b.h` another",
}
REFUSED = [
    ("base/a.h includes ir/b.h: ir/ is not below base/", {"base/a.h": '#include "ir/b.h"'}),
    ("files include each other in a circle",
     {"ir/c.h": '#include "ir/b.h"', "ir/b.h": '#include "ir/c.h"', "ir/README.md": "- `b.h`, `c.h`"}),
    ("sub-folders of study/ include each other in a circle",
     {"study/d.h": '#include "study/sweep/e.h"', "study/f.h": "", "study/sweep/e.h": '#include "study/f.h"',
      "study/README.md": "`d.h` `e.h` `f.h`"}),
    ("emit/h.h: no C test includes it",
     {"emit/h.h": "", "emit/README.md": "`h.h`", "tests/emit/i_test.c": '#include "emit/i.h"'}),
    ("base/g.h: base/README.md does not name it", {"base/g.h": ""}),
    ("base/a.h: no file but its own names a_sum",
     {"ir/b.c": "/* a_sum */ int b = a_size(0); // a_sum", "base/c.c": "int asum, a_sums;"}),
    *((f"runtime/j.c: {name} belongs to no instance",
       {"runtime/j.c": f"static const int k[] = {{\n    1}};\nstatic int l(int n);\n{text}", "runtime/README.md": ""})
      for name, text in (("count", "static int count;"), ("at", "int f(void)\n{\n    static const char *at = 0;\n}"),
                         ("of", "extern double of[2];"), ("call", "static void (*call)(int n);"))),
    *((f"CONTRIBUTING.md names {name}, which is not there",
       {"CONTRIBUTING.md": f"A row in `base/a.h`, then in `{name}`."})
      for name in ("base/c.c", "c.h", "some_function")),
]


def faults_of_small(changes):
    with tempfile.TemporaryDirectory() as dir:
        for path, text in {**SMALL, **changes}.items():
            at = Path(dir) / path
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_text(text + "\n")
        return list(faults(Path(dir)))


def main():
    bad = list(faults(Path(sys.argv[1])))
    bad += faults_of_small({})
    for expected, changes in REFUSED:
        told = faults_of_small(changes)
        if not any(expected in t for t in told):
            bad.append(f"'{expected}' is not said, but: {told}")
    for text in bad:
        print(text)
    print("FAILED" if bad else "includes point down")
    sys.exit(1 if bad else 0)


main()
