#!/usr/bin/env python3
"""Legal and illegal models, from tables of the specification's rules.

A rule says for kinds of classes, forms and prefixes which combinations are legal (MLS 3.6, the section in its table
below); each combination is written in several ways: used directly, by way of a package, an import, a short class, a
base, a redeclaration. The cases have the form that rules_test.c reads.

usage: generate.py FOLDER [RULE...]    writes FOLDER/RULE.mo
       generate.py --table             the rules and the numbers of their cases, as in docs/specification.md
       generate.py --check DOCUMENT    whether the document has that table
"""

import os
import sys

# ---- kinds of classes: a class of each kind, and a model that uses it -----------------------------------------------

# Head, elements, statements; its use: declarations and equations of a model, X being the path to the class.
BODIES = {
    "model": ("  Real a = time;\n", "", "  X x;\n", ""),
    "block": ("  Real a = time;\n", "", "  X x;\n", ""),
    "record": ("  Real a = 1;\n", "", "  X x;\n", ""),
    "operator record": ("  Real a = 1;\n", "", "  X x;\n", ""),
    "connector": ("  Real a;\n  flow Real f;\n", "", "  X x;\n", "  x.a = 1;\n"),
    "expandable connector": ("  Real a;\n", "", "  X x;\n", "  x.a = 1;\n"),
    "package": ("  constant Real a = 1;\n", "", "  Real y = X.a;\n", ""),
    "function": ("  input Real u;\n  output Real a;\n", "algorithm\n  a := u;\n", "  Real y = X(time);\n", ""),
}


def long_class(kind, name, elements="", sections="", extends="", prefix="", own=True):
    """A class of that kind; own: with the elements that make it usable."""
    body, statements, _, _ = BODIES[kind]
    text = prefix + kind + " " + name + "\n" + extends
    text += (body if own else "") + elements
    if sections.lstrip().startswith("algorithm") and own:
        sections, statements = sections, statements.replace("algorithm\n", "")
    return text + sections + (statements if own else "") + "end " + name + ";\n"


def use(kind, path, name="M", before=""):
    """The model `name` that uses the class."""
    _, _, declarations, equations = BODIES[kind]
    text = "model " + name + "\n" + before + declarations.replace("X", path)
    return text + ("equation\n" + equations if equations else "") + "end " + name + ";\n"


def indented(text):
    return "".join("  " + line + "\n" for line in text.splitlines())


# ---- ways from a class X of some kind to a model that uses it -------------------------------------------------------


def directly(kind, text):
    return text + use(kind, "X")


def in_package(kind, text):
    return "package P\n" + indented(text) + "end P;\n" + use(kind, "P.X")


def imported(kind, text):
    return "package P\n" + indented(text) + "end P;\n" + use(kind, "X", before="  import P.X;\n")


def imported_all(kind, text):
    return "package P\n" + indented(text) + "end P;\n" + use(kind, "X", before="  import P.*;\n")


def renamed(kind, text):
    return text + kind + " Y = X;\n" + use(kind, "Y")


def inherited(kind, text):
    if kind == "operator record":
        return renamed(kind, text)  # MLS 4.6: only by a short class
    return text + kind + " Y\n  extends X;\nend Y;\n" + use(kind, "Y")


def redeclared(kind, text):
    declaration = indented(long_class(kind, "Z", prefix="replaceable "))
    around = use(kind, "Z", "N", declaration)
    return text + around + "model M\n  extends N(redeclare " + kind + " Z = X);\nend M;\n"


WAYS = [directly, in_package, imported, imported_all, renamed, inherited, redeclared]


def ways_of(kind):
    """MLS 4.6: a class around an operator record is not extended."""
    return WAYS[:-1] if kind == "operator record" else WAYS


# ---- the rules: each yields (is legal, code of the error, text) -----------------------------------------------------


def sections():
    """4.6: sections of each kind of class."""
    legal = {
        "equation": ("model", "block"),
        "initial equation": ("model", "block"),
        "initial algorithm": ("model", "block"),
        "algorithm": ("model", "block", "function"),
    }
    for kind in BODIES:
        for section, kinds in legal.items():
            text = long_class(kind, "X", sections=section + "\n  assert(true, \"x\");\n")
            for way in ways_of(kind):
                yield kind in kinds, "N40", way(kind, text)


def protected_sections():
    """4.6: protected elements of each kind of class."""
    for kind in BODIES:
        element = "constant Real p = 1;\n" if kind == "package" else "Real p = 1;\n"
        text = long_class(kind, "X", "protected\n  " + element)
        for way in ways_of(kind):
            yield kind in ("model", "block", "package", "function"), "N40", way(kind, text)


def components():
    """4.6, 12.2: kinds of classes whose components a class may have."""
    inner = {
        "record": "record I\n  Real i = 1;\nend I;\n",
        "type": "type I = Real(unit = \"m\");\n",
        "model": "model I\n  Real i = 1;\nend I;\n",
        "block": "block I\n  Real i = 1;\nend I;\n",
        "connector": "connector I = Real;\n",
    }
    allowed = {
        "model": ("record", "type", "model", "block", "connector"),
        "block": ("record", "type", "model", "block"),  # a connector has input or output
        "record": ("record", "type"),
        "operator record": ("record", "type"),
        "connector": ("record", "type", "connector"),
        "function": ("record", "type"),
    }
    value = {"type": " = 1", "connector": " = 1"}
    for kind, kinds in allowed.items():
        for of, text in inner.items():
            prefix = "protected\n  " if kind == "function" else ""
            element = "  " + prefix + "I i" + ("" if kind == "connector" else value.get(of, "")) + ";\n"
            if kind == "connector":
                element += "  flow Real g;\n"  # as many as potentials
            case = text + long_class(kind, "X", element)
            equations = {"record": "  x.i.i = 1;\n", "type": "  x.i = 1;\n", "connector": "  x.i = 1;\n"}
            for way in ways_of(kind):
                whole = way(kind, case)
                if kind == "connector" and of == "record":
                    whole = whole.replace("  Real i = 1;\n", "  Real i;\n")
                if kind == "connector":
                    whole = whole.replace("  x.a = 1;\n", "  x.a = 1;\n" + equations.get(of, ""), 1)
                if kind == "connector" and way is redeclared:
                    continue  # the replaced connector has no such element
                yield of in kinds, "F30" if kind == "function" and of != "connector" else "N4", whole


def prefixes():
    """4.4.2, 4.6, 13: prefixes of elements in each kind of class."""
    illegal = {
        "record": ("input", "output", "flow", "stream", "inner", "outer"),
        "operator record": ("input", "output", "flow", "stream", "inner", "outer"),
        "connector": ("inner", "outer"),
        "package": ("parameter", "input", "output", "flow", "inner", "discrete", ""),
        "function": ("inner", "outer"),
    }
    legal = {
        "record": ("parameter", "constant", "final", "final parameter"),
        "operator record": ("parameter", "constant"),
        "connector": ("parameter",),
        "package": ("constant", "final constant"),
        "function": ("constant",),
        "model": ("parameter", "constant", "final", "inner", "input", "output"),
        "block": ("parameter", "constant", "final", "inner", "input", "output"),
    }
    for table, is_legal in ((illegal, False), (legal, True)):
        for kind, all_prefixes in table.items():
            for prefix in all_prefixes:
                before = "protected\n  " if kind == "function" else ""
                text = long_class(kind, "X", "  " + before + prefix + " Real e = 1;\n")
                for way in ways_of(kind):
                    if way is redeclared and kind == "connector":
                        continue
                    yield is_legal, "N4", way(kind, text)


def bases():
    """7.1.3: which kinds of classes extend which."""
    table = {
        "package": ("package",),
        "function": ("function",),
        "record": ("record",),
        "operator record": ("operator record",),
        "expandable connector": ("expandable connector",),
        "connector": ("record", "operator record", "connector"),
        "block": ("record", "block"),
        "model": ("record", "block", "model"),
    }
    for kind, kinds in table.items():
        for base in table:
            for form in ("long", "short"):
                is_legal = base in kinds and not (form == "long" and base == "operator record")
                text = long_class(base, "B")
                derived = kind + " X = B;\n" if form == "short" else kind + " X\n  extends B;\nend X;\n"
                model, path = use(kind, "X"), use(kind, "P.X")
                if kind == "connector" and base in ("record", "operator record"):
                    # without a flow variable it is an input
                    text = text.replace("Real a = 1;", "Real a;")
                    derived = derived.replace("= B", "= input B").replace("B;\nend", "B;\n  flow Real f;\nend")
                    if form == "short":
                        model, path = "model M\n  X x;\nend M;\n", "model M\n  P.X x;\nend M;\n"
                yield is_legal, "N4", text + derived + model
                yield is_legal, "N4", "package P\n" + indented(text + derived) + "end P;\n" + path


def partial_classes():
    """4.5, 12.2: a component has no partial class, and no partial function is called."""
    for kind in ("model", "block", "record", "connector", "function"):
        text = long_class(kind, "X", prefix="partial ")
        code = "F32" if kind == "function" else "N12"
        for way in (directly, in_package, imported, imported_all, renamed):
            yield False, code, way(kind, text)
        yield True, "", inherited(kind, text)
        whole = long_class(kind, "X")
        for way in ways_of(kind):
            yield True, "", way(kind, whole)


REPLACED = ("model", "block", "record", "function", "package")


def redeclarations():
    """7.3, 7.2.6: classes that are replaceable, and not final, are redeclared."""
    for kind in REPLACED:
        for prefix, is_legal in (("replaceable ", True), ("", False), ("final ", False),
                                 ("final replaceable ", False)):
            inner = indented(long_class(kind, "Z", prefix=prefix))
            around = use(kind, "Z", "N", inner)
            other = long_class(kind, "X")
            change = "redeclare " + kind + " Z = X"
            ways = [
                "model M\n  extends N(" + change + ");\nend M;\n",
                "model M\n  N n(" + change + ");\nend M;\n",
                "model M = N(" + change + ");\n",
                "model M\n  extends N;\n  " + change + ";\nend M;\n",
                "model L\n  N n;\nend L;\nmodel M\n  L l(n(" + change + "));\nend M;\n",
            ]
            for way in ways:
                yield is_legal, "N", other + around + way


def constraints():
    """7.3.2: a class in place of another is a subtype of the constraining type."""
    for kind in ("model", "block", "record", "package"):
        add = "  constant Real b = 2;\n" if kind == "package" else "  Real b = 2;\n"
        texts = long_class(kind, "A") + long_class(kind, "B", add) + long_class(kind, "C", add)
        small, large = "A", "B"
        for constraint in (small, large):
            for default in (small, large):
                for given in (small, large):
                    own_fits = not (constraint == large and default == small)
                    given_fits = not (constraint == large and given == small)
                    declared = "  replaceable %s Z = %s constrainedby %s;\n" % (kind, default, constraint)
                    text = texts + use(kind, "Z", "N", declared)
                    yield own_fits and given_fits, "N16", text + "model M\n  extends N(redeclare %s Z = %s);\nend M;\n" % (
                        kind, given)
        # without constrainedby the class itself is the constraint
        for default in (small, large):
            for given in (small, "C"):
                declared = "  replaceable %s Z = %s;\n" % (kind, default)
                text = texts + use(kind, "Z", "N", declared)
                text += "model M\n  N n(redeclare %s Z = %s);\nend M;\n" % (kind, given)
                yield not (default == large and given == small), "N16", text


def paths():
    """5.3.2: in what does not fulfil the requirements for a package only what is encapsulated is found."""
    for around, own in (("package", ""), ("model", ""), ("model", "  Real o = time;\n"), ("block", "  Real o = time;\n")):
        for kind in ("model", "block", "record", "connector", "function", "package"):
            for prefix in ("", "encapsulated "):
                inner = indented(long_class(kind, "X", prefix=prefix))
                text = around + " A\n" + own + inner + "end A;\n"
                is_legal = own == "" or prefix != ""
                yield is_legal, "N43", text + use(kind, "A.X")
                yield is_legal, "N43", "package P\n" + indented(text) + "end P;\n" + use(kind, "P.A.X")
                yield is_legal, "N43", text + kind + " Y = A.X;\n" + use(kind, "Y")
                if kind != "function":
                    yield is_legal, "N43", text + kind + " Y\n  extends A.X;\nend Y;\n" + use(kind, "Y")


def imports():
    """13.2.1: what is imported is in a package."""
    for around in ("package", "model", "block", "encapsulated model"):
        for kind in ("model", "record", "connector", "function", "package"):
            inner = indented(long_class(kind, "X", prefix="encapsulated "))
            end = around.split()[-1]
            text = around + " A\n" + inner + "end A;\n"
            is_legal = end == "package"
            for clause, name in (("import A.X", "X"), ("import A.*", "X"), ("import A.{X}", "X"), ("import Y = A.X", "Y")):
                yield is_legal, "N43", text + use(kind, name, before="  " + clause + ";\n")


def finals():
    """7.2.6: what is final is not modified."""
    for kind in ("model", "block", "record"):
        for prefix in ("final parameter ", "parameter "):
            text = long_class(kind, "X", "  " + prefix + "Real p = 1;\n")
            around = text + "model N\n  X x;\nend N;\n"
            ways = [
                text + "model M\n  X x(p = 2);\nend M;\n",
                around + "model M\n  N n(x(p = 2));\nend M;\n",
                around + "model M\n  extends N(x(p = 2));\nend M;\n",
                text + kind + " Y = X(p = 2);\nmodel M\n  Y y;\nend M;\n",
                text + kind + " Y\n  extends X(p = 2);\nend Y;\nmodel M\n  Y y;\nend M;\n",
                text + "model M\n  X x[2](p = {2, 3});\nend M;\n",
            ]
            for way in ways:
                yield prefix == "parameter ", "N10", way


def hidden():
    """4.1: what is protected is not named from outside."""
    for kind in ("model", "block"):
        for section in ("protected", "public"):
            text = long_class(kind, "X", section + "\n  Real h = time;\n  parameter Real p = 1;\n")
            around = text + "model N\n  X x;\nend N;\n"
            derived = text + kind + " Y\n  extends X;\nend Y;\n"
            ways = [
                text + "model M\n  X x;\n  Real y = x.h;\nend M;\n",
                around + "model M\n  N n;\n  Real y = n.x.h;\nend M;\n",
                derived + "model M\n  Y x;\n  Real y = x.h;\nend M;\n",
                text + kind + " Y = X;\nmodel M\n  Y x;\n  Real y;\nequation\n  y = x.h;\nend M;\n",
                text + "model M\n  X x[2];\n  Real y = x[1].h;\nend M;\n",
            ]
            for way in ways:
                yield section == "public", "N07", way
            yield True, "", text + "model M\n  extends X;\n  Real y = h;\nend M;\n"


def variabilities():
    """3.8, 4.4.4: a value varies no more than what it is bound to."""
    order = ["constant", "parameter", ""]
    for to in range(3):
        for value in range(3):
            own = "  " + order[value] + " Real v = 1;\n" if value < 2 else "  Real v = time;\n"
            kind = order[to]
            element = "  " + kind + " Real e = 1;\n"
            ways = [
                "model M\n" + own + "  " + kind + " Real e = 2*v;\nend M;\n",
                "record R\n" + element + "end R;\nmodel M\n" + own + "  R r(e = v);\nend M;\n",
                "model N\n" + element + "end N;\nmodel M\n" + own + "  N n(e = v + 1);\nend M;\n",
                "model N\n" + element + "end N;\nmodel M\n" + own + "  model L = N(e = v);\n  L n;\nend M;\n",
            ]
            for k, way in enumerate(ways):
                if to == 0 and k > 0:
                    continue  # a constant with a value is modified like a final one in some tools
                yield value <= to, "T", way


def connections():
    """9.1: connect() takes connectors."""
    kinds = {
        "connector": ("connector K\n  Real a;\n  flow Real f;\nend K;\n", True),
        "record": ("record K\n  Real a;\nend K;\n", False),
        "type": ("type K = Real(unit = \"m\");\n", False),
        "model": ("model K\n  Real a;\nend K;\n", False),
    }
    for text, is_legal in kinds.values():
        part = text + "model A\n  K k%s;\nequation\n  %s = 1;\nend A;\nmodel B\n  K k%s;\nequation\n  %s = 0;\nend B;\n"
        flow = "flow" in text
        plain = part % ("", "k.a" if "  Real a" in text else "k", "", "k.f" if flow else "0")
        if not flow:
            plain = plain.replace("equation\n  0 = 0;\n", "")
        yield is_legal, "F02", plain + "model M\n  A a;\n  B b;\nequation\n  connect(a.k, b.k);\nend M;\n"
        yield is_legal, "F02", plain + "model M\n  A a[1];\n  B b[1];\nequation\n  connect(a.k, b.k);\nend M;\n"
        yield is_legal, "F02", plain + "model N\n  A a;\n  B b;\nequation\n  connect(a.k, b.k);\nend N;\nmodel M\n  extends N;\nend M;\n"


VALUES = {"Real": "2.5", "Integer": "2", "Boolean": "true", "String": "\"text\"", "E": "E.b"}
ENUMERATION = "type E = enumeration(a, b);\n"


def types():
    """6.7, 10.6.13, 12.4: a value has the type of what takes it; an Integer is taken as a Real."""
    for to in VALUES:
        for of, value in VALUES.items():
            is_legal = to == of or (to == "Real" and of == "Integer")
            own = "  parameter %s v = %s;\n" % (of, value)
            element = "  parameter %s e = %s;\n" % (to, VALUES[to])
            function = "function f\n  input %s u;\n  output Real y;\nalgorithm\n  y := 1;\nend f;\n" % to
            ways = [
                "model M\n  parameter %s e = %s;\nend M;\n" % (to, value),
                "model M\n" + own + "  parameter %s e = v;\nend M;\n" % to,
                "model N\n" + element + "end N;\nmodel M\n" + own + "  N n(e = v);\nend M;\n",
                "model N\n" + element + "end N;\nmodel M\n  extends N(e = " + value + ");\nend M;\n",
                "model N\n" + element + "end N;\nmodel M = N(e = " + value + ");\n",
                "record R\n" + element + "end R;\nmodel M\n" + own + "  R r = R(v);\nend M;\n",
                "record R\n" + element + "end R;\nmodel M\n" + own + "  R r = R(e = " + value + ");\nend M;\n",
                function + "model M\n" + own + "  Real y = f(v);\nend M;\n",
                function + "model M\n  Real y = f(u = " + value + ");\nend M;\n",
                "model M\n" + own + "  parameter %s e = if time < 1 then v else %s;\nend M;\n" % (to, VALUES[to]),
                "model M\n" + own + "  parameter %s e[2] = {v, %s};\nend M;\n" % (to, VALUES[to]),
            ]
            if to != "String":
                ways.append("model M\n" + own + "  %s e;\nequation\n  e = v;\nend M;\n" % to)
                ways.append("model M\n" + own + "  %s e;\nalgorithm\n  e := v;\nend M;\n" % to)
            for k, way in enumerate(ways):
                both_numbers = {to, of} == {"Real", "Integer"}
                if k in (9, 11) and both_numbers:
                    continue  # MLS 3.6.5 makes Reals of both; an equation may be turned around
                if k == 9:
                    way = way.replace("time < 1", "v == v") if of != "Real" else way.replace("time < 1", "v > 1")
                yield is_legal, "T", ENUMERATION + way


def sizes():
    """6.7, 10.6.1: the sizes of a value are those of the array to which it is assigned or bound."""
    shapes = {"": "1", "[2]": "{1, 2}", "[3]": "{1, 2, 3}", "[2, 2]": "{{1, 2}, {3, 4}}", "[1]": "{1}"}
    for to in shapes:
        for of, value in shapes.items():
            own = "  parameter Real v%s = %s;\n" % (of, value)
            element = "  parameter Real e%s = %s;\n" % (to, shapes[to])
            ways = [
                "model M\n  parameter Real e%s = %s;\nend M;\n" % (to, value),
                "model N\n" + element + "end N;\nmodel M\n" + own + "  N n(e = v);\nend M;\n",
                "model N\n" + element + "end N;\nmodel M\n" + own + "  extends N(e = v);\nend M;\n",
                "record R\n" + element + "end R;\nmodel M\n" + own + "  R r = R(e = v);\nend M;\n",
                "model M\n" + own + "  Real e%s;\nequation\n  e = v;\nend M;\n" % to,
                "model M\n" + own + "  Real e%s;\nalgorithm\n  e := v;\nend M;\n" % to,
                "model M\n" + own + "  Real e%s = e + v - e;\n  Real g%s = v;\nend M;\n" % (to, to),
            ]
            for way in ways:
                if "e + v - e" in way:
                    continue  # a scalar is no array, whatever stands around it: the others say so
                yield to == of, "T", way


def directions():
    """9.3: of connected inputs and outputs one gives the value, and flow goes with flow."""
    inner = "connector I = input Real;\nconnector O = output Real;\n"
    inner += "block S\n  O y = time;\nend S;\nblock T\n  I u;\n  Real z = 2*u;\nend T;\n"
    cases = [
        (True, "  S s;\n  T t;\n", "  connect(s.y, t.u);\n"),
        (True, "  S s;\n  T t, r;\n", "  connect(s.y, t.u);\n  connect(s.y, r.u);\n"),
        (False, "  S s, r;\n  T t;\n", "  connect(s.y, t.u);\n  connect(r.y, t.u);\n"),
        (False, "  S s, r;\n", "  connect(s.y, r.y);\n"),
        (True, "  T t;\n  I u;\n", "  connect(u, t.u);\n"),
        (True, "  S s;\n  O y;\n", "  connect(s.y, y);\n"),
        (False, "  S s;\n  I u;\n", "  connect(s.y, u);\n"),
        (True, "  I u;\n  O y;\n", "  connect(u, y);\n"),
        (True, "  S s;\n  T t[2];\n", "  for k in 1:2 loop\n    connect(s.y, t[k].u);\n  end for;\n"),
    ]
    for is_legal, elements, equations in cases:
        for form in ("model M", "model N"):
            text = inner + form + "\n" + elements + "equation\n" + equations + "end " + form[-1] + ";\n"
            if form == "model N":
                text += "model M\n  extends N;\nend M;\n"
            yield is_legal, "", text
    for first in ("", "flow ", "input ", "output "):
        for second in ("", "flow ", "input ", "output "):
            text = ""
            for name, prefix in (("P", first), ("Q", second)):
                other = "flow" if prefix == "" else ""
                text += "connector %s\n  %sReal v;\n  %s Real w;\nend %s;\n" % (name, prefix, other or " ", name)
            if "input" in first + second or "output" in first + second:
                continue
            text += "model A\n  P c;\nequation\n  c.v = c.w;\nend A;\nmodel B\n  Q c;\nequation\n  c.v = 2*c.w + 1;\nend B;\n"
            text += "model M\n  A a;\n  B b;\nequation\n  connect(a.c, b.c);\nend M;\n"
            yield first == second, "F0", text


def places():
    """8.3, 11.2, 12.2: which equations and statements stand where."""
    head = "  Real x(start = 1, fixed = true);\n  discrete Real d(start = 0, fixed = true);\n  Boolean b = time > 0.5;\n  Real y;\n"
    rest = "  der(x) = -x;\n"
    when = "  when b then\n%s  end when;\n"
    equations = {
        "d = 1;": (False, True),
        "reinit(x, 2);": (False, True),
        "terminate(\"end\");": (True, True),
        "assert(x < 2, \"x\");": (True, True),
        "when b then d = 1; end when;": (True, False),
        "connect(c, e);": (True, False),
    }
    for text, (outside, inside) in equations.items():
        elements = head
        own = rest + "  y = x;\n"
        if "connect" in text:
            elements += "  connector C = output Real;\n  C e;\n  connector I = input Real;\n  I c;\n"
        missing = "" if "d = 1" in text else when % "    d = 1;\n"
        for is_inside, is_legal in ((False, outside), (True, inside)):
            body = when % ("    " + text + "\n") if is_inside else "  " + text + "\n"
            yield is_legal, "", "model M\n" + elements + "equation\n" + own + missing + body + "end M;\n"
            yield is_legal, "", "model N\n" + elements + "equation\n" + own + missing + body + "end N;\nmodel M\n  extends N;\nend M;\n"
    statements = {
        "y := 2;": (True, True, True),
        "return;": (False, True, False),
        "when time > 1 then y := 2; end when;": (True, False, False),
        "y := der(x);": (True, False, True),
        "y := pre(d);": (True, False, True),
        "if x > 1 then y := 1; else y := 2; end if;": (True, True, True),
        "for k in 1:3 loop y := k; break; end for;": (True, True, True),
        "break;": (False, False, False),
        "u := 2;": (None, False, None),
    }
    for text, legal in statements.items():
        algorithm = "algorithm\n  y := 0;\n  " + text + "\n"
        function = "function f\n  input Real u;\n  output Real y;\nprotected\n  Real x = u;\n  Real d = u;\n" + algorithm + "end f;\n"
        texts = (
            "model M\n" + head + "equation\n" + rest + when % "    d = 1;\n" + algorithm + "end M;\n",
            function + "model M\n  Real z = f(time);\nend M;\n",
            None,
        )
        for is_legal, whole in zip(legal, texts):
            if is_legal is not None and whole:
                yield is_legal, "", whole


def each():
    """7.2.5: each gives one value to all elements of an array."""
    element = "  parameter Real p = 1;\n"
    inner = "model A\n" + element + "end A;\n"
    for size, is_array in (("", False), ("[2]", True)):
        for word in ("", "each "):
            for value, is_vector in (("2", False), ("{2, 3}", True)):
                is_legal = (is_array and (word == "each ") != is_vector) or (not is_array and not word and not is_vector)
                change = "(" + word + "p = " + value + ")"
                ways = [
                    inner + "model M\n  A a" + size + change + ";\nend M;\n",
                    inner + "model N\n  A a" + size + ";\nend N;\nmodel M\n  N n(a" + change + ");\nend M;\n",
                    inner + "model N\n  A a" + size + ";\nend N;\nmodel M\n  extends N(a" + change + ");\nend M;\n",
                    inner + "model N\n  A a" + size + ";\nend N;\nmodel M = N(a" + change + ");\n",
                ]
                for way in ways:
                    yield is_legal, "T32", way


RULES = [sections, protected_sections, components, prefixes, bases, partial_classes, redeclarations, constraints, paths,
         imports, finals, hidden, variabilities, connections, types, sizes, directions, places, each]


def cases(rule):
    seen = set()
    for legal, code, text in rule():
        if text not in seen:
            seen.add(text)
            yield legal, code, text


def write(folder, names):
    os.makedirs(folder, exist_ok=True)
    for rule in RULES:
        if names and rule.__name__ not in names:
            continue
        with open(os.path.join(folder, rule.__name__ + ".mo"), "w", encoding="utf-8") as f:
            f.write(rule.__doc__ + "\n")
            for legal, code, text in cases(rule):
                head = "legal " + rule.__name__ if legal else "illegal " + rule.__name__ + ": " + code
                f.write("\n// " + head + "\n" + text)


def table():
    lines = ["| rule | MLS | | legal | illegal |", "|---|---|---|---|---|"]
    for rule in RULES:
        section, _, words = rule.__doc__.partition(": ")
        of = [legal for legal, _, _ in cases(rule)]
        n = sum(of)
        lines.append("| `%s` | %s | %s | %d | %d |" % (rule.__name__, section, words.rstrip("."), n, len(of) - n))
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments[:1] == ["--table"]:
        sys.stdout.write(table())
    elif arguments[:1] == ["--check"] and len(arguments) == 2:
        with open(arguments[1], encoding="utf-8") as f:
            if table() not in f.read():
                sys.exit(arguments[1] + " has another table than generate.py --table")
    elif arguments and not arguments[0].startswith("-"):
        write(arguments[0], arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
