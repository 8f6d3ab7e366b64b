"""Commands above models: where they stand, and pages and messages when they are carried out."""
import glob
import os
import tempfile
import time
import urllib.parse

from checks import ask, at, expect
from client import Client

MODELS = """within;
package Drops
  partial model Base
    Real x(start = 1, fixed = true);
  end Base;
  model 'a drop' "falls"
    extends Base;
  equation
    der(x) = -x;
  end 'a drop';
  package Inner
    block Late
      Real y = time;
    end Late;
    function f
      input Real u;
      output Real y = u;
    algorithm
    end f;
  end Inner;
  model Wrong
    Real x = 1/(time - time);
  end Wrong;
  model Long
    Real x(start = 1, fixed = true);
  equation
    der(x) = cos(1e7*time);
    annotation(experiment(StopTime = 1e4));
  end Long;
end Drops;
"""


def run(client, lens):
    return client.ask("workspace/executeCommand", {k: lens["command"][k] for k in ("command", "arguments")})


def refusal(client, lens):
    try:
        return run(client, lens)
    except RuntimeError as e:
        return e.args[0]["message"]


def text_of(request):
    with open(urllib.parse.unquote(request["params"]["uri"].removeprefix("file://"))) as f:
        return f.read()


def shown(client):
    client.wait(lambda: client.requests, 10, "a page")
    return client.requests.pop()


def lenses(rung):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/some drops.mo"
        with open(path, "w") as f:
            f.write(MODELS)
        uri = "file://" + urllib.parse.quote(path)
        c = Client(rung, capabilities={"window": {"showDocument": {"support": True}}}, environment={"TMPDIR": folder})
        c.checked(uri, text=MODELS)
        found = ask(c, uri, "codeLens")
        places = {}
        for x in found:
            places.setdefault(x["command"]["arguments"][1], []).append(x["command"]["title"])
        expect(set(places) == {"Drops.'a drop'", "Drops.Inner.Late", "Drops.Wrong", "Drops.Long"} and
               all(x == ["simulate", "view", "count"] for x in places.values()), "lenses", places)
        expect(found[0]["range"]["start"] == at(MODELS, "'a drop' \"falls"), "place of a lens", found[0])
        of = {(x["command"]["arguments"][1], x["command"]["title"]): x for x in found}

        hover = str(ask(c, uri, "hover", at(MODELS, "'a drop' \"falls")))
        expect("1 equation, 1 state" in hover and "for the derivatives" in hover, "the size of a model", hover)
        hover = str(ask(c, uri, "hover", at(MODELS, "Base\n    Real")))
        expect("Base" in hover and "equation" not in hover, "a partial model has no size", hover)
        expect(run(c, of["Drops.'a drop'", "simulate"]) is None, "the answer of a run")
        page = shown(c)
        expect(page["method"] == "window/showDocument" and page["params"]["external"], "a page", page)
        c.send({"id": page["id"], "result": {"success": True}})
        expect("a drop" in text_of(page) and "</html>" in text_of(page), "the text of a page")
        run(c, of["Drops.Inner.Late", "count"])
        page = shown(c)
        expect(not page["params"]["external"] and "Late" in text_of(page), "counts", page)
        expect("division by zero" in refusal(c, of["Drops.Wrong", "simulate"]), "a run that fails", refusal(c, of["Drops.Wrong", "simulate"]))
        expect("nothing to draw" in refusal(c, of["Drops.'a drop'", "view"]), "a model without shapes",
               refusal(c, of["Drops.'a drop'", "view"]))

        # a run that is given up ends; so does one whose document is closed
        for end in (lambda k: c.tell("$/cancelRequest", {"id": k}),
                    lambda k: c.tell("textDocument/didClose", {"textDocument": {"uri": uri}})):
            k = c.start("workspace/executeCommand", of["Drops.Long", "simulate"]["command"])
            expect(until(c, lambda: programs(folder)), "no program runs")
            end(k)
            expect(until(c, lambda: k in c.answers and not programs(folder)), "a program goes on")

        expect("not open" in refusal(c, found[0]) or "open document" in refusal(c, found[0]), "a closed document")
        c.checked(uri, text=MODELS + " ")
        expect("save" in refusal(c, found[0]), "a document that is not saved", refusal(c, found[0]))
        expect(c.close() == 0, "exit status")
        expect(not glob.glob(f"{folder}/rung-*"), "files are left", os.listdir(folder))

        # a client that shows no pages is told where they are
        c = Client(rung, environment={"TMPDIR": folder})
        c.checked(uri, text=MODELS)
        run(c, of["Drops.Inner.Late", "count"])
        c.wait(lambda: c.shown, 10, "a message")
        expect(os.path.exists(c.shown[-1].removeprefix("see ")), "the path of a page", c.shown)
        expect(c.close() == 0, "exit status")


def until(client, done, seconds=30):
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        client.take(0.05)
    return done()


def programs(folder):
    """Processes that run a model of the folder, but the servers."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path) as f:
                words = f.read().split("\0")
        except OSError:
            continue
        if "simulate" in words and any(w.startswith(folder) for w in words):
            found.append(path)
    return found
