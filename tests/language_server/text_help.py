"""Help on arguments, lines that fold, names by their meaning."""
from checks import ask, at, expect
from client import Client

PUMPS = """package Pumps
  type Flow = Real(unit = "m3/s", min = 0);
  type Slow = Flow(max = 1);
  function power "of a pump \N{MUSICAL SYMBOL G CLEF}"
    extends partialPower;
    input Real dp(unit = "Pa") "pressure \N{MUSICAL SYMBOL G CLEF}, risen";
    input Slow V = 1 "volume per time"; input Integer n[:] = {1, 2};
    output Real P(unit = "W");
  protected
    Real help;
  algorithm
    P := dp*V;
  end power;
  partial function partialPower
    input Real eta "efficiency";
  end partialPower;
  record Point "in the plane"
    Real x "right", y;
  end Point;
  model Pump
    parameter Slow V_max = 2 "at full speed";
    replaceable model Law = Line;
    parameter Real eta[2] = {1, 2}; final parameter Real fixed_one = 1;
    Slow V(start = 0) "now"; Point p;
  protected
    parameter Real hidden = 1;
  equation
    V = V_max;
  end Pump;
  model Line
    parameter Real slope(unit = "1") = 1;
  end Line;
  model Use
    Pump pump(
"""


def shown(c, uri, text, typed):
    """The signature, the active argument and its text, where a declaration ends with `typed`."""
    whole = PUMPS.replace("    Pump pump(\n", "    " + typed)
    c.change(uri, {"text": whole})
    help_ = ask(c, uri, "signatureHelp", at(whole, typed, len(text)))
    if not help_:
        return None
    signature = help_["signatures"][help_["activeSignature"]]
    label = signature["label"].encode("utf-16-le")
    names = [label[2 * p["label"][0]:2 * p["label"][1]].decode("utf-16-le") for p in signature["parameters"]]
    k = help_.get("activeParameter")
    return signature["label"], names, None if k is None else names[k], \
        "" if k is None else signature["parameters"][k].get("documentation", "")


def signatures(rung):
    c = Client(rung)
    expect(c.capabilities["signatureHelpProvider"]["triggerCharacters"] == ["(", ","], "help on arguments is announced")
    uri = "file:///nowhere/Pumps.mo"
    c.open(uri, PUMPS)
    call = "Real P = power("
    inputs = ["Real eta", "Real dp", "Slow V = 1", "Integer n = {1, 2}"]
    parameters = ["Slow V_max = 2", "model Law", "Real eta = {1, 2}"]
    dp, flow = "[Pa] pressure \N{MUSICAL SYMBOL G CLEF}, risen", "[m3/s] volume per time"
    for typed, names, active, text in (
            (call, inputs, 0, "efficiency"), (call + "1, ", inputs, 1, dp), (call + "f(1, 2), (3), ", inputs, 2, flow),
            (call + "1, {1, 2}, ", inputs, 2, flow), (call + "V = ", inputs, 2, flow), (call + "1, n = {", inputs, 3, ""),
            (call + "1, 2, 3, 4, ", inputs, None, ""), ("Real P = sin(" + call[9:] + "1, ", inputs, 1, dp),
            ("Real P = Pumps.power(1, ", inputs, 1, dp), ("Point p = Point(", ["Real x", "Real y"], 0, "right"),
            ("Pump pump(", parameters, 0, "[m3/s] at full speed"), ("Pump pump(V_max = 1, ", parameters, 1, ""),
            ("Pump pump(eta = {1, 2}, V_max = ", parameters, 0, "[m3/s] at full speed"),
            ("Pump pump(each V(", None, 0, ""), ("Pump pump(V = ", parameters + ["Slow V"], 3, "[m3/s] now"),
            ("extends Pump(redeclare model Law = Line(", ["Real slope = 1"], 0, "[1]"),
            ("Pump a, b[2](each ", parameters, 0, "[m3/s] at full speed")):
        got = shown(c, uri, typed, typed)
        expect(got and (names is None or got[1] == names) and got[3] == text and
               got[2] == (None if active is None or names is None and got[2] is None else got[1][active]),
               "help on", typed, got)
    got = shown(c, uri, "Slow s(", "Slow s(")
    expect(got and {"start", "unit"} <= set(got[1]) and got[2] == "start", "attributes", got)
    for typed in ("Real x = (", "Real x[", "annotation(", "Real P = unknown(", "Real P = power(1);", "Real P = pump("):
        expect(shown(c, uri, typed, typed) is None, "help on", typed)
    # in the middle of a line
    typed = "Real P = power(1, 2, 3) + 1;\n  end Use;\nend Pumps;\n"
    expect(shown(c, uri, call + "1, ", typed)[2] == "Real dp", "help inside a call")
    c.close()


FOLDS = """model Folds "\N{MUSICAL SYMBOL G CLEF}"
  // one
  // two
  parameter Real a[2, 2] = [
    1, 2;
    3, 4]; // none
  Real x; Real y[2] = {1,
    2} annotation(Dialog(
      group = "g"));
  /* three
     four */
  type E = enumeration(a,
      b);
  function f
    input Real u;
    output Real v;
  algorithm
    v := u;
    for i in 1:3 loop
      while v < 1 loop
        v := v + 1;
      end while;
    end for;
  end f;
initial equation
  x = 0;
equation
  if a[1, 1] > 1 then
    der(x) = 1;
  else
    der(x) = f(
      2);
  end if;
  when x > 1 then
    reinit(x, 0);
  end when;
  annotation(Icon(
    graphics = {
    }));
end Folds;
"""


def folding(rung):
    c = Client(rung)
    expect(c.capabilities["foldingRangeProvider"], "folding is announced")
    uri = "file:///nowhere/Folds.mo"
    c.open(uri, FOLDS)
    wanted = [(0, 38), (1, 2), (3, 5), (6, 7), (7, 8), (9, 10), (11, 12), (13, 22), (16, 22), (18, 21), (19, 20), (24, 25),
              (26, 35), (27, 31), (30, 31), (33, 34), (36, 38), (37, 38)]
    answer = ask(c, uri, "foldingRange")
    expect([(x["startLine"], x["endLine"]) for x in answer] == wanted, "folding", answer)
    expect([x["startLine"] for x in answer if x.get("kind") == "comment"] == [1, 9], "folding of comments", answer)
    # half of it: the class has no end, the loop has none
    lines = FOLDS.split("\n")
    half = "\n".join(lines[:20])
    c.change(uri, {"text": half})
    answer = [(x["startLine"], x["endLine"]) for x in ask(c, uri, "foldingRange")]
    expect({(1, 2), (3, 5), (9, 10)} <= set(answer) and answer[0][0] == 0, "folding of half a model", answer)
    for text in ("", "\n", "model", "model A\n", "(\n)\n]\n", "/*\n\n"):
        c.change(uri, {"text": text})
        expect(all(x["endLine"] > x["startLine"] for x in ask(c, uri, "foldingRange")), "folding of", text)
    c.close()


COLOURS = """package Colours
  type Flow = Real(unit = "m3/s");
  connector Port
    Flow v;
  end Port;
  record R
    Real re = 1;
  end R;
  function f
    input Real u; output Real y;
  algorithm
    y := sin(u);
  end f;
  model M "\N{MUSICAL SYMBOL G CLEF}"
    constant Real k = 2;
    parameter Real p(min = 0) = 1; /* \N{MUSICAL SYMBOL G CLEF} */ Port port(v(start = p));
    R r(re = k); Real x[3] = {f(u = i*p) for i in 1:3};
    annotation(Icon(graphics = {Text(textString = "p")}), Dialog(enable = p > 0));
  end M;
end Colours;
"""


def coloured(c, uri, text, utf8=False):
    """(name, type, modifiers) of each token."""
    legend = c.capabilities["semanticTokensProvider"]["legend"]
    data = ask(c, uri, "semanticTokens/full")["data"]
    lines, found, line, column = text.split("\n"), [], 0, 0
    code = "utf-8" if utf8 else "utf-16-le"
    for k in range(0, len(data), 5):
        down, right, length, kind, bits = data[k:k + 5]
        line, column = (line + down, right) if down else (line, column + right)
        unit = 1 if utf8 else 2
        name = lines[line].encode(code)[unit * column:unit * (column + length)].decode(code)
        found.append((name, legend["tokenTypes"][kind],
                      [m for i, m in enumerate(legend["tokenModifiers"]) if bits >> i & 1]))
    return found


def semantic_tokens(rung):
    uri = "file:///nowhere/Colours.mo"
    new, fixed, own, known = ["declaration"], ["readonly"], ["declaration", "readonly"], ["defaultLibrary"]
    real = ("Real", "type", known)
    wanted = [("Colours", "namespace", new), ("Flow", "type", new), real, ("unit", "property", known),
              ("Port", "interface", new), ("Flow", "type", []), ("v", "variable", new), ("Port", "interface", []),
              ("R", "struct", new), real, ("re", "variable", new), ("R", "struct", []),
              ("f", "function", new), real, ("u", "parameter", new), real, ("y", "variable", new),
              ("y", "variable", []), ("sin", "function", known), ("u", "parameter", []), ("f", "function", []),
              ("M", "class", new), real, ("k", "variable", own), real, ("p", "parameter", own),
              ("min", "property", known), ("Port", "interface", []), ("port", "variable", new), ("v", "variable", []),
              ("start", "property", known), ("p", "parameter", fixed), ("R", "struct", []), ("r", "variable", new),
              ("re", "variable", []), ("k", "variable", fixed), real, ("x", "variable", new), ("f", "function", []),
              ("u", "parameter", []), ("i", "variable", fixed), ("p", "parameter", fixed), ("i", "variable", own),
              ("p", "parameter", fixed), ("M", "class", []), ("Colours", "namespace", [])]
    for utf8 in (False, True):
        c = Client(rung, utf8=utf8)
        expect(c.capabilities["semanticTokensProvider"]["full"] is True, "semantic tokens are announced")
        c.open(uri, COLOURS)
        got = coloured(c, uri, COLOURS, utf8)
        expect(got == wanted, "colours", [(g, w) for g, w in zip(got, wanted) if g != w], len(got), len(wanted))
        half = COLOURS[:COLOURS.index(" for i in 1:3")]
        c.change(uri, {"text": half})
        got = coloured(c, uri, half, utf8)
        whole = wanted.index(("x", "variable", new))
        expect(got[:whole] == wanted[:whole] and ("f", "function", []) in got[whole:], "colours of half a model", got)
        c.change(uri, {"text": ""})
        expect(coloured(c, uri, "") == [], "colours of nothing")
        c.close()
