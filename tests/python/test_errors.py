"""Errors are exceptions with code, place and text."""
import os
import pickle
import stat
import subprocess

import pytest

import rung
from rung.program import find_program, message_of, read_messages

from conftest import CART


def test_errors_of_a_model(tmp_path):
    path = tmp_path / "bad.mo"
    path.write_text("model Bad\n  Real x;\n  Real y = z;\nequation\n  der(x) = yy;\nend Bad;\n")
    with pytest.raises(rung.ModelError) as e:
        rung.Model(path).simulate()
    error = e.value
    assert (error.code, error.file, error.line, error.column) == ("N01", str(path), 3, 12)
    assert "'z'" in error.text and error.status == 1
    assert [m.line for m in error.messages if m.severity == "error"] == [3, 5]
    assert str(error).splitlines()[0] == f"{path}:3:12: error N01: {error.text}"
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.messages) == (error.code, error.messages)


def test_errors_of_syntax():
    with pytest.raises(rung.ModelError) as e:
        rung.Model(text="model M\n  Real x\nend M;").check()
    assert e.value.code.startswith("P") and e.value.line in (2, 3)


def test_a_run_that_stops_early():
    m = rung.Model(text=CART)
    with pytest.raises(rung.RunError, match="too fast") as e:
        m.simulate(stop=10, input={"time": [0, 10], "force": [2, 2], "brake": [0, 0]}, limit=3)
    error = e.value
    assert error.status == 3 and os.path.basename(error.file) == "text.mo"
    assert CART.splitlines()[error.line - 1].strip().startswith("assert")
    # v = 3 at t = 3: the run ends there, and no row is later
    assert error.result.summary["reached"] == pytest.approx(3)
    assert 2.9 < error.result.time[-1] <= 3 + 1e-9 and error.result["v"][-1] <= 3 + 1e-9


def test_wrong_options_and_names(cart):
    with pytest.raises(rung.UsageError, match="--method does not know"):
        cart.simulate(method="fast")
    with pytest.raises(rung.ModelError, match="'mass'"):
        cart.simulate(mass=3)
    with pytest.raises(rung.UsageError):
        rung.Model()
    with pytest.raises(rung.FileError, match="nothing.mo"):
        rung.Model("nothing.mo").check()


def test_warnings():
    m = rung.Model(text="model M parameter Real k; Real x(start = 1, fixed = true);"
                        " equation der(x) = k; end M;")
    with pytest.warns(rung.RungWarning, match="k") as w:
        m.simulate(stop=1)
    assert w[0].filename == __file__


def test_find_program(tmp_path, monkeypatch):
    other = tmp_path / "rung"
    other.write_text("#!/bin/sh\n")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    by_environment = os.environ["RUNG"]
    assert find_program(str(other)) == str(other)
    assert find_program() == os.path.abspath(by_environment)
    monkeypatch.setenv("RUNG", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program() == str(other)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    with pytest.raises(rung.FileError, match="not in PATH"):
        rung.Model(text=CART)
    monkeypatch.setenv("RUNG", str(tmp_path / "gone"))
    with pytest.raises(rung.FileError, match="environment variable RUNG"):
        rung.Model(text=CART)


def test_a_program_that_crashes(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho half a word >&2\nkill -SEGV $$\n")
    broken.chmod(0o755)
    with pytest.raises(rung.Error, match="signal 11"):
        rung.Model(text=CART, program=str(broken)).check()


def test_edit_that_a_message_proposes():
    with pytest.raises(rung.ModelError) as error:
        rung.Model(text="model Wave Real y = sinn(time); end Wave;").check()
    message = error.value.messages[0]
    assert message.edit == rung.Edit(1, 21, 1, 25, "sign")


def test_messages_between_other_lines():
    array = ('[\n  {"severity": "warning", "code": "U01", "file": "a.mo", "line": 1, "column": 2, "endLine": 1,'
             ' "endColumn": 3, "message": "units"}\n]')
    found, rest = read_messages(f"rung: one\n[]\n{array}\nrung: two\n")
    assert [str(m) for m in found] == ["a.mo:1:2: warning U01: units"]
    assert rest == ["rung: one", "rung: two"]
    m = message_of("rung: push.csv:4:3: 'o' is no number", "error")
    assert (m.file, m.line, m.column, m.text) == ("push.csv", 4, 3, "'o' is no number")
    m = message_of("t = 3: 4: no place", "error")
    assert (m.file, m.line, m.text) == ("", 0, "t = 3: 4: no place")


def test_version():
    said = subprocess.run([os.environ["RUNG"], "--version"], capture_output=True, text=True).stdout
    assert rung.__version__ in said.split()
