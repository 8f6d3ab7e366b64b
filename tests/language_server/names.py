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


# a literal of three types, and of another one
LITERALS = """package Literals "stiff"
  type Kind = enumeration(soft "a soft one", <<stiff>> "a stiff one");
  type Short = Kind;
  type Other = enumeration(stiff, loose);
  type Same = enumeration(loose, tight);
  type Again = enumeration(loose, tight);
  model M
    replaceable type T = Kind;
    parameter Kind k = Kind.<<stiff>>;
    Real x[Kind] = {1, 2}, y = x[.Literals.Kind.<<stiff>>], stiff = 1;
    Boolean b = k == Short.<<stiff>> or k == T.<<stiff>> or Other.stiff == Other.loose;
  end M;
end Literals;
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


def renamed(texts, answer):
    """The texts after the edits of an answer, in columns of UTF-16."""
    out = {}
    for uri, text in texts.items():
        lines = [line.encode("utf-16-le") for line in text.split("\n")]
        for edit in reversed(answer["changes"].get(uri, [])):
            begin, end = edit["range"]["start"], edit["range"]["end"]
            line = lines[begin["line"]]
            lines[begin["line"]] = line[:2 * begin["character"]] + edit["newText"].encode("utf-16-le") + \
                line[2 * end["character"]:]
        out[uri] = "\n".join(x.decode("utf-16-le") for x in lines)
    return out


def rename(c, uri, position, name):
    """The answer, or the reason why not."""
    try:
        return ask(c, uri, "rename", position, newName=name)
    except RuntimeError as e:
        return e.args[0]["message"]


def refused(c, uri, position, name, *reason):
    answer = rename(c, uri, position, name)
    expect(isinstance(answer, str) and all(x in answer for x in reason), "rename to", name, "at", position, answer)


def prepared(c, uri, position):
    try:
        return ask(c, uri, "prepareRename", position)
    except RuntimeError as e:
        return e.args[0]["message"]


CLASHES = """package Clashes
  model A
    Real old = 1, other = 2;
  end A;
  model B
    extends A;
    Real mine = old;
    Real s = sum(k*old for k in 1:2);
  end B;
  model C
    extends A;
    Real own = (f(x = 1)).re;
  end C;
  constant Real outside = 3;
  model D
    Real inside = outside;
  end D;
  model Base
    Real based = 2;
  end Base;
  model Heir
    extends A; extends Base;
  end Heir;
  record R
    Real re = 1, im = 2;
  end R;
  function f
    input Real x; output R r;
    external "C" r = f(x);
  end f;
  function g
    input Real x; output Real y;
    external "C";
  end g;
  inner Real world = 1;
  import SI = Clashes.R;
  connector In
    input Real sig;
  end In;
  connector Out
    output Real sig;
  end Out;
  connector Alone
    Real lonely; flow Real i;
  end Alone;
  model E
    R r; Real z = 1;
    SI q;
  equation
    for i in 1:2 loop
      assert(r.im > z*i, "");
    end for;
  end E;
end Clashes;
"""


def literals(rung):
    c = Client(rung)
    uri = "file:///nowhere/Literals.mo"
    plain = unmarked(LITERALS, "stiff")[0]
    expect([x for x in c.checked(uri, text=plain) if x["severity"] == 1] == [], "enumerations", c.diagnostics[uri])
    all_agree(c, {uri: LITERALS}, "stiff")
    answer = rename(c, uri, at(plain, "stiff \"a"), "rigid")
    expect(not isinstance(answer, str) and renamed({uri: plain}, answer)[uri] == LITERALS.replace("<<stiff>>", "rigid"),
           "new name of a literal", answer)
    refused(c, uri, at(plain, "stiff \"a"), "soft", "soft")
    refused(c, uri, at(plain, "tight"), "close", "'Again' have the same literals")
    hover = ask(c, uri, "hover", at(plain, "Short.stiff", 6))
    expect("Literals.Kind.stiff" in str(hover) and "a stiff one" in str(hover), "hover on a literal", hover)
    expect(c.close() == 0, "exit status")


def new_names(rung):
    c = Client(rung)
    expect(c.capabilities["renameProvider"] == {"prepareProvider": True}, "new names are announced")
    texts = {"file:///nowhere/Shared.mo": SHARED, "file:///nowhere/SharedUser.mo": SHARED_USER}
    plain = {uri: unmarked(text, "Simple")[0] for uri, text in texts.items()}
    for uri, text in plain.items():
        c.open(uri, text)
    user = list(plain)[1]
    answer = rename(c, user, at(plain[user], "Simple u"), "Plain")
    wanted = {uri: text.replace("<<Simple>>", "Plain") for uri, text in texts.items()}
    expect(not isinstance(answer, str) and renamed(plain, answer) == wanted, "new name in two documents", answer)
    uri = "file:///nowhere/Scopes.mo"
    scopes = unmarked(SCOPES, "x")[0]
    c.open(uri, scopes)
    answer = rename(c, uri, at(scopes, "x(min"), "'new name'")
    expect(not isinstance(answer, str) and renamed({uri: scopes}, answer)[uri] == SCOPES.replace("<<x>>", "'new name'"),
           "new name beside others of its kind", answer)
    place = prepared(c, uri, at(scopes, "x(start"))
    expect(place == {"range": {"start": at(scopes, "x(start"), "end": at(scopes, "(start")}, "placeholder": "x"},
           "a name that can be changed", place)
    # a new name and back: the same text
    after = renamed({uri: scopes}, rename(c, uri, at(scopes, "x(min"), "fresh"))[uri]
    c.change(uri, {"text": after})
    back = rename(c, uri, at(after, "fresh(start"), "x")
    expect(not isinstance(back, str) and renamed({uri: after}, back)[uri] == scopes, "the old name again", back)
    c.change(uri, {"text": scopes})

    uri = "file:///nowhere/Clash.mo"
    c.open(uri, CLASHES)
    for word, name, *reason in (
            ("old =", "other", "would mean this"), ("old =", "mine", "another declaration"),
            ("old =", "k", "another declaration"), ("old =", "1x", "identifier"), ("old =", "model", "identifier"),
            ("old =", "a.b", "identifier"), ("old =", "", "identifier"), ("old =", "x y", "identifier"),
            ("old =", "sin", "predefined"), ("old =", "Real", "predefined"), ("old =", "Linkage", "library"),
            ("old =", "time", "predefined"), ("old =", "own", "'C' has an element"),
            ("outside", "inside", "another declaration"), ("inside", "outside", "would mean this"),
            ("Real old", "Number", "no name here"), ("re =", "part", "element of a value"),
            ("z = 1", "i", "another declaration"), ("i in", "z", "would mean this"), ("g\n", "h", "external function"),
            ("world", "earth", "inner"), ("SI q", "NonSI", "by import"), ("model A", "M", "no name here")):
        refused(c, uri, at(CLASHES, word), name, *reason)
    for word, name in (("old =", "fresh"), ("i in", "j"), ("im =", "imaginary"), ("lonely", "sig"), ("f\n", "h")):
        answer = rename(c, uri, at(CLASHES, word), name)
        expect(not isinstance(answer, str), "a new name is refused", word, name, answer)
    answer = rename(c, uri, at(CLASHES, "f\n"), "h")
    after = CLASHES.replace("f(x = 1)", "h(x = 1)").replace("function f", "function h").replace("end f;", "end h;")
    expect(not isinstance(answer, str) and renamed({uri: CLASHES}, answer)[uri] == after, "a name of C", answer)
    for place in (at(CLASHES, "Real old"), at(CLASHES, "= 1"), at(CLASHES, "world")):
        expect(isinstance(prepared(c, uri, place), str), "a name that cannot be changed", place)
    c.change(uri, {"text": CLASHES.replace("Real mine = old;", "Real mine = old +;")})
    refused(c, uri, at(CLASHES, "old ="), "fresh", "syntax error")
    c.close()

    # a class of a library, and one that its file is named after
    with tempfile.TemporaryDirectory() as folder:
        own, other = f"file://{folder}/models/Own.mo", f"{folder}/lib/Other/package.mo"
        os.makedirs(os.path.dirname(other))
        os.mkdir(f"{folder}/models")
        with open(other, "w") as f:
            f.write("package Other\n  type T = Real;\n  model M\n    T t;\n  end M;\nend Other;\n")
        text = "model Own\n  Other.M m;\n  Other.T x = m.t;\n  Linkage.Joints.Revolute r;\nend Own;\n"
        c = Client(rung, "--library", f"{folder}/lib")
        c.open(own, text)
        for word in ("Other", "T x", "t;", "Revolute"):
            refused(c, own, at(text, word), "fresh", "another library")
            expect("another library" in prepared(c, own, at(text, word)), "a name of a library", word)
        refused(c, own, at(text, "Own"), "fresh", "its file")
        answer = places(c, own, (1, 10))
        expect(found(answer, own) == [(1, 10, 11), (2, 14, 15)], "references to a member of a library", answer)
        c.close()


def there_and_back(rung, paths, rng, most):
    """Some names of each file are changed: the check finds nothing new, and the old name gives the old text."""
    for path in paths:
        c = Client(rung)
        with open(path) as f:
            text = f.read()
        uri = "file:///nowhere/" + os.path.basename(path)
        before = c.checked(uri, text=text)
        names, todo = [], ask(c, uri, "documentSymbol")
        while todo:
            x = todo.pop()
            names.append((x["name"], x["selectionRange"]["start"]))
            todo += x.get("children", [])
        for name, place in rng.sample(names, min(most, len(names))):
            answer = rename(c, uri, place, "a_fresh_name")
            if isinstance(answer, str):
                expect("inner or outer" in answer or "elements of the same names" in answer, path, name, answer)
                continue
            after = renamed({uri: text}, answer)[uri]
            found_after = c.checked(uri, {"text": after}, save=True)
            expect(len(found_after) == len(before), path, "with another name for", name, found_after)
            # in the line of a declaration of several, the place has moved
            moved = after.split("\n")[place["line"]].count("a_fresh_name")
            if moved == 1:
                place = {**place, "character": after.split("\n")[place["line"]].index("a_fresh_name")}
            back = rename(c, uri, place, name)
            expect(not isinstance(back, str) and renamed({uri: after}, back)[uri] == text, path, name, "again", back)
            c.change(uri, {"text": text})
        expect(not c.log, path, c.log)
        c.close()
