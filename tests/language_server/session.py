#!/usr/bin/env python3
"""Plays sessions with `rung lsp`: what is answered, and that it goes on whatever stands in a document.

    session.py RUNG SOURCE [large]      with large every eighth example is typed (all by night), else the smallest
"""
import glob
import os
import random
import sys

from checks import ask, at, expect, failures
from client import Client
from lenses import lenses
from names import literals, new_names, references, there_and_back
from text_help import folding, semantic_tokens, signatures

RUNG, SOURCE = sys.argv[1:3]
LARGE = sys.argv[3:] == ["large"]
NIGHT = LARGE and os.environ.get("RUNG_TEST_SIZE") == "night"
def hover(client, uri, position):
    answer = ask(client, uri, "hover", position)
    return answer["contents"]["value"] if answer else ""


def applied(text, edits):
    """The text after one edit of whole lines."""
    for edit in edits:
        lines = text.split("\n")
        begin, end = edit["range"]["start"], edit["range"]["end"]
        assert begin["character"] == 0
        head = "".join(t + "\n" for t in lines[:begin["line"]])
        tail = "\n".join(lines[end["line"]:])[end["character"]:]
        text = head + edit["newText"] + tail
    return text


def memory(client):
    with open(f"/proc/{client.process.pid}/statm") as f:
        return int(f.read().split()[1]) * 4096


TANK = """model Tank "Wasser \N{MUSICAL SYMBOL G CLEF} läuft"
  parameter Real A(unit = "m2") = 1 "cross section";
  Real h(start = 2); /* \N{MUSICAL SYMBOL G CLEF} */ Pump pump(flow_max = 3);
  model Pump "an inner class"
    parameter Real flow_max = 1 "at full speed";
    Real q;
  equation
    q = flow_max;
  end Pump;
equation
  A*der(h) = pump.q;
end Tank;
"""


def answers():
    c = Client(RUNG)
    uri = "file:///nowhere/Tank%20one.mo"
    expect(c.checked(uri, text=TANK) == [], "a right model has diagnostics", c.diagnostics)
    expect("cross section" in hover(c, uri, at(TANK, "A*der")), "hover on a component")
    expect("parameter Real flow_max" in hover(c, uri, at(TANK, "flow_max = 3", 2)), "hover on a modifier")
    expect("an inner class" in hover(c, uri, at(TANK, "Pump pump")), "hover on a class behind a wide character")
    expect(hover(c, uri, at(TANK, "equation")) == "", "hover on a keyword")
    expect("predefined" in hover(c, uri, at(TANK, "Real h")), "hover on a predefined type")
    where = ask(c, uri, "definition", at(TANK, "q;", 0, TANK.index("der(h)")))
    expect(where and where["uri"] == uri and where["range"]["start"] == at(TANK, "q;"), "definition of a member", where)
    symbols = ask(c, uri, "documentSymbol")
    expect([s["name"] for s in symbols[0]["children"]] == ["A", "h", "pump", "Pump"], "outline", symbols)

    # completion, where an equation is half written
    for text, some, none in (("q = pump.", {"q", "flow_max"}, {"pump", "model"}),
                             ("q = pu", {"pump", "A", "Pump", "sin", "Linkage", "if"}, {"q"}),
                             ('h = 1 "pump.', set(), {"q", "pump"}), ("// pump.", set(), {"q"})):
        half = TANK.replace("  A*der(h) = pump.q;\nend Tank;\n", "  " + text)
        c.change(uri, {"text": half})
        names = {x["label"] for x in ask(c, uri, "completion", at(half, text, len(text)))}
        expect(some <= names and not none & names, "completion of", text, names)
    declarations = TANK[:TANK.index("equation\n  A*der")]
    half = declarations + "  Pump extra("
    c.change(uri, {"text": half})
    names = {x["label"] for x in ask(c, uri, "completion", at(half, "extra(", 6))}
    expect({"flow_max", "q"} <= names, "completion of a modifier", names)
    half = declarations + "  Real s(st"
    c.change(uri, {"text": half})
    names = {x["label"] for x in ask(c, uri, "completion", at(half, "s(st", 4))}
    expect({"start", "fixed"} <= names, "completion of an attribute", names)
    half = TANK[:TANK.index("  A*der")]
    c.change(uri, {"text": half})
    expect("cross section" in hover(c, uri, at(half, "A(unit")), "hover where the class has no end")
    c.settle()

    # an error appears and goes
    wrong = TANK.replace("A*der(h)", "B*der(h)")
    found = c.checked(uri, {"text": wrong}, save=True)
    expect(len(found) == 1 and found[0]["code"].startswith("N") and found[0]["range"]["start"] == at(wrong, "B*der"),
           "an unknown name", found)
    start = at(wrong, "B*der")
    change = {"range": {"start": start, "end": {**start, "character": start["character"] + 1}}, "text": "A"}
    expect(c.checked(uri, change) == [], "the error has gone", c.diagnostics[uri])

    # at saving: equations that cannot be solved
    singular = TANK.replace("A*der(h) = pump.q;", "A*der(h) = pump.q; Real_ = 1;").replace(
        "  Real h(", "  Real Real_, other; Real h(").replace("Real_ = 1;", "Real_ = 1; Real_ = 2;")
    expect(c.checked(uri, {"text": singular}) == [], "structure before saving", c.diagnostics[uri])
    found = c.checked(uri)
    expect(found and found[0]["code"] == "S02" and len(found[0]["relatedInformation"]) > 1, "structure", found)

    # what a message proposes
    wrong = TANK.replace("= pump.q;", "= pump.q + pmup.q;").replace("q = flow_max", "q = flow_mxa")
    found = c.checked(uri, {"text": wrong}, save=True)
    fixes = c.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": found[0]["range"],
                                              "context": {"diagnostics": found}})
    edits = sorted((e["range"]["start"]["line"], e["newText"]) for f in fixes for e in f["edit"]["changes"][uri])
    expect(edits == [(7, "flow_max"), (10, "pump")], "fixes", found, fixes)
    c.checked(uri, {"text": TANK})
    change = {"range": {"start": at(TANK, "= pump.q"), "end": at(TANK, "pump.q;")}, "text": ""}
    found = c.checked(uri, change)
    expect(found and found[0]["code"].startswith("P"), "a syntax error", found)
    expect(ask(c, uri, "formatting") is None, "text with an error is not formatted")

    # layout, by an edit that leaves the lines before and behind alone
    ugly = TANK.replace("Real q;", "Real   q ;")
    c.change(uri, {"text": ugly})
    edits = ask(c, uri, "formatting")
    expect(len(edits) == 1 and edits[0]["range"]["start"]["line"] == 2, "formatting", edits)
    once = applied(ugly, edits)
    c.change(uri, {"text": once})
    expect(once != ugly and ask(c, uri, "formatting") == [], "formatting again")
    expect("".join(once.split()) == "".join(ugly.split()), "formatting changes text")

    # another document that uses this one
    user = "file:///nowhere/User.mo"
    text = "model User\n  Tank tank(A = 2);\nend User;\n"
    c.settle()
    expect(c.checked(user, text=text) == [], "a class of another document", c.diagnostics[user])
    where = ask(c, user, "definition", at(text, "A = 2"))
    expect(where and where["uri"] == uri, "definition in another document", where)
    c.settle()
    c.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    found = c.checked(user)
    expect(found and "Tank" in found[0]["message"], "a class that was closed", found)

    # what is no question
    for method, params in (("textDocument/rename", {"textDocument": {"uri": user}}),
                           ("textDocument/hover", {"textDocument": {"uri": uri}, "position": {}}), ("nonsense", None)):
        try:
            c.ask(method, params)
            expect(False, method, "has an answer")
        except RuntimeError:
            pass
    c.process.stdin.write(b"Content-Length: 7\r\n\r\n{ no JS" b"X-Other: 1\r\ncontent-length: 2\r\n\r\n[]")
    c.tell("textDocument/didChange", {"textDocument": {"uri": "file:///unknown.mo"}, "contentChanges": None})
    c.tell("$/cancelRequest", {"id": c.start("textDocument/hover", {"textDocument": {"uri": user},
                                                                    "position": {"line": 1, "character": 3}})})
    expect("Tank" in str(ask(c, user, "documentSymbol")), "no answer after nonsense")
    expect(c.close() == 0, "exit status after shutdown")

    c = Client(RUNG, utf8=True)
    expect(c.capabilities["positionEncoding"] == "utf-8", "UTF-8 is not taken")
    c.open(uri, TANK)
    line = TANK.split("\n")[2]
    column = len(line[:line.index("Pump")].encode())
    expect("inner class" in hover(c, uri, {"line": 2, "character": column}), "columns in UTF-8")
    c.tell("exit", None)
    expect(c.process.wait(20) == 1, "exit status without shutdown")


def library():
    """A file of a package, with text that is not saved."""
    c = Client(RUNG)
    path = f"{SOURCE}/library/Linkage/Joints/Revolute.mo"
    with open(path) as f:
        text = f.read()
    uri = "file://" + path
    expect(c.checked(uri, text=text) == [], "a class of Linkage", c.diagnostics[uri])
    where = ask(c, uri, "definition", at(text, "TwoFrames"))
    expect(where and where["uri"].endswith("Interfaces/TwoFrames.mo"), "definition of a base class", where)
    where = ask(c, uri, "definition", at(text, "frame_b.m.r", 8))
    expect(where and where["uri"].endswith("Interfaces/Frame.mo"), "definition of an inherited member", where)
    expect("Angle" in hover(c, uri, at(text, "phi(start")), "hover on a variable with a type of the library")
    wrong = text.replace("w = der(phi);", "w = der(phi) + psi;")
    found = c.checked(uri, {"text": wrong}, save=True)
    expect(found and found[0]["range"]["start"] == at(wrong, "psi"), "an error in a class of Linkage", found)
    expect(c.close() == 0, "exit status")


def type_in(path, rng):
    """Types a model, with questions on the way; then the lines before each line, closed as a class."""
    # the address sanitizer shall not keep what is freed
    sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
    c = Client(RUNG, environment={"ASAN_OPTIONS": sanitizer})
    with open(path) as f:
        text = f.read()
    uri = "file:///nowhere/" + os.path.basename(path)
    c.open(uri, "")
    line = column = 0
    before = 0
    for k, letter in enumerate(text):
        here = {"line": line, "character": column}
        c.change(uri, {"range": {"start": here, "end": here}, "text": letter})
        line, column = (line + 1, 0) if letter == "\n" else (line, column + 1)
        if k % 11 == 0:
            for method in ("hover", "definition", "documentSymbol", "formatting", "completion", "references",
                           "prepareRename", "rename", "signatureHelp", "foldingRange",
                           "semanticTokens/full", "codeLens"):
                place = here if k % 2 else {"line": rng.randrange(line + 1), "character": rng.randrange(40)}
                c.start(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place, "newName": "fresh"})
        if k == len(text) // 2:
            ask(c, uri, "documentSymbol")
            before = memory(c)
    expect(ask(c, uri, "documentSymbol") != [], path, "has no outline")
    grown = memory(c) - before
    expect(grown < 2 << 20, path, f"the server has grown by {grown} bytes")
    name = text[text.index("model ") + 6:].split()[0]
    lines = text.split("\n")
    c.settle()
    for k in range(1, len(lines), 1 if LARGE else 4):
        c.checked(uri, {"text": "\n".join(lines[:k]) + f"\nend {name};\n"}, save=True)
    found = c.checked(uri, {"text": text}, save=True)
    expect(not [x for x in found if x["severity"] == 1], path, found)
    c.wait(lambda: len(c.answers) >= 12 * (len(text) // 11), 60, "the answers to all questions")
    expect(not c.log, path, c.log)
    expect(c.close() == 0, path, "exit status")


answers()
library()
references(RUNG)
literals(RUNG)
new_names(RUNG)
signatures(RUNG)
folding(RUNG)
semantic_tokens(RUNG)
lenses(RUNG)
examples = sorted(glob.glob(f"{SOURCE}/examples/*.mo"), key=os.path.getsize)
there_and_back(RUNG, examples[::1 if NIGHT else 6] if LARGE else examples[:4], random.Random(1), 10 if LARGE else 4)
for path in examples[::1 if NIGHT else 8] if LARGE else examples[:1]:
    type_in(path, random.Random(1))
print(f"{len(failures)} failures")
sys.exit(len(failures) > 0)
