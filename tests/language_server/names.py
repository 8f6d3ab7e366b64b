"""References and new names: each text marks the names that mean one declaration as <<x>>."""
import os
import tempfile

from checks import ask, at, expect, ranges
from client import Client

# x of three classes, an iterator and a parameter of the same name, text that is none
SCOPES = """model Scopes "\N{MUSICAL SYMBOL G CLEF} x"
  model Part "x"
    parameter Real <<x>>(min = 0) = 1 "x"; Real y = <<x>> + 1;
    annotation(Icon(graphics={Text(textString="x")}), x = 3);
  end Part;
  model Other
    Real x = time; Part part(<<x>> = x);
  end Other;
  model Special
    extends Part(<<x>> = 2);
    Real z = <<x>>; /* \N{MUSICAL SYMBOL G CLEF} x */ Other o(part(final <<x>>(min = 1) = z), x = 1);
  end Special;
  Part p[3](each <<x>> = n), q(y = x, <<x>>(start = x));
  Real x = sum(x * p[x].<<x>> for x in 1:n), s[3];
  parameter Integer n = 3;
equation
  for x in 1:n loop
    s[x] = p[x].<<x>> + q.<<x>> + f(x = x) + f(p[x].<<x>>);
  end for;
public
  function f
    input Real x; output Real y;
  algorithm
    y := x;
  end f;
  annotation(Dialog(enable = x > q.<<x>>));
end Scopes;
"""


def unmarked(text, word):
    """The text, and the ranges of the marked names in both encodings."""
    plain = text.replace("<<", "").replace(">>", "")
    return plain, ranges(plain, text, word), ranges(plain, text, word, utf8=True)


def found(answer, uri):
    """The ranges of an answer in one document."""
    return [(x["range"]["start"]["line"], x["range"]["start"]["character"], x["range"]["end"]["character"])
            for x in answer or [] if x["uri"] == uri]


def places(c, uri, place, declaration=True):
    return ask(c, uri, "references", {"line": place[0], "character": place[1]},
               context={"includeDeclaration": declaration})


def all_agree(c, texts, word, utf8=False):
    """From each marked name of the texts all of them are found, and nothing else."""
    wanted = {}
    for uri, text in texts.items():
        plain, utf16, bytes_ = unmarked(text, word)
        wanted[uri] = bytes_ if utf8 else utf16
        c.open(uri, plain)
    for uri, ranges_ in wanted.items():
        for place in ranges_:
            answer = places(c, uri, place)
            for other in wanted:
                expect(found(answer, other) == wanted[other], "references of", word, "from", uri, place, "in", other,
                       found(answer, other), "instead of", wanted[other])
    return wanted


SHARED = """model Shared
  parameter Real gain = 1;
  replaceable model Law = <<Simple>>;
  replaceable <<Simple>> law(gain = 2);
  model <<Simple>>
    parameter Real gain = 1;
  end <<Simple>>;
  model More
    extends <<Simple>>;
  end More;
end Shared;
"""
SHARED_USER = """model SharedUser
  import Shared.<<Simple>>;
  import Law = Shared.More;
  Shared s(redeclare model Law = <<Simple>>(gain = 3), redeclare <<Simple>> law);
  .Shared.<<Simple>> t;
  <<Simple>> u;
end SharedUser;
"""


def references(rung):
    uri = "file:///nowhere/Scopes.mo"
    for utf8 in (False, True):
        c = Client(rung, utf8=utf8)
        expect(c.capabilities["referencesProvider"], "references are announced")
        wanted = all_agree(c, {uri: SCOPES}, "x", utf8)[uri]
        answer = places(c, uri, wanted[3], declaration=False)
        expect(found(answer, uri) == wanted[1:], "references without the declaration", answer)
        c.close()

    c = Client(rung)
    all_agree(c, {"file:///nowhere/Shared.mo": SHARED, "file:///nowhere/SharedUser.mo": SHARED_USER}, "Simple")

    # an iterator, and the component that it hides
    text = "model Loops\n  Real k = 1, v[4];\nequation\n  for <<k>> in 1:2 loop\n    v[<<k>>] = sum(k for k in 1:<<k>>);\n" \
           "    v[<<k>> + 2] = <<k>>;\n  end for;\nend Loops;\n"
    loops = "file:///nowhere/Loops.mo"
    all_agree(c, {loops: text}, "k")

    # redeclared elements and connections
    text = """package Kinds
  connector Pin
    Real v; flow Real i;
  end Pin;
  partial model Base
    Pin <<a>>, b;
    replaceable Part part;
  end Base;
  model Part
    Real a = 1;
  end Part;
  model Use
    extends Base(redeclare Part part, <<a>>(v(start = 1)));
    Base inner_base(<<a>>.v(start = part.a));
  equation
    part.a = 1;
    connect(<<a>>, b) annotation(Line(points = {{0, 0}, {1, 1}}, a = 1));
    connect(inner_base.<<a>>, b);
    <<a>>.v = 0;
  end Use;
  model Again
    extends Base;
    redeclare Part part(a = 2);
    Real a_part = part.a + <<a>>.v;
  end Again;
end Kinds;
"""
    kinds = "file:///nowhere/Kinds.mo"
    all_agree(c, {kinds: text}, "a")
    text = unmarked(text, "a")[0]
    for word, lines in (("part", [6, 12, 13, 15, 22, 23]), ("Part", [6, 8, 10, 12, 22]),
                        ("Base", [4, 7, 12, 13, 21])):
        c.change(kinds, {"text": text})
        answer = places(c, kinds, (lines[0], at(text.split("\n")[lines[0]], word)["character"]))
        expect([x[0] for x in found(answer, kinds)] == lines, "references of", word, answer)

    # half a model: no end, an equation without a right side
    half = "model Half\n  parameter Real <<A>> = 1;\n  Real h = <<A>>;\nequation\n  <<A>>*der(h) = <<A>> + "
    all_agree(c, {"file:///nowhere/Half.mo": half}, "A")
    expect(ask(c, kinds, "references", {"line": 1, "character": 3}, context={}) is None, "references of a keyword")
    c.close()

    # files of the folder that are not open; a copy of a class is another class
    with tempfile.TemporaryDirectory() as folder:
        texts = {"Lib.mo": "package Lib\n  model Rod\n    parameter Real <<len>> = 1;\n  end Rod;\nend Lib;\n",
                 "User.mo": "model User\n  Lib.Rod rod(<<len>> = 2);\n  Real len = rod.<<len>>;\nend User;\n",
                 "Copy.mo": "package Lib\n  model Rod\n    parameter Real len = 1;\n  end Rod;\nend Lib;\n",
                 "sub/package.mo": "package sub\nend sub;\n",
                 "sub/In.mo": "within sub;\nmodel In\n  extends Lib.Rod(<<len>> = 3);\nend In;\n"}
        os.mkdir(f"{folder}/sub")
        for name, text in texts.items():
            with open(f"{folder}/{name}", "w") as f:
                f.write(unmarked(text, "len")[0])
        c = Client(rung)
        first = f"file://{folder}/Lib.mo"
        c.open(first, unmarked(texts["Lib.mo"], "len")[0])
        answer = places(c, first, (2, 19))
        for name, text in texts.items():
            expect(found(answer, f"file://{folder}/{name}") == unmarked(text, "len")[1], "references in", name, answer)
        c.close()
