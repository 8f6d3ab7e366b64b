"""The model as a C library: against closed forms, runs, linearize, differences, noEvent."""
import os
import threading

import numpy as np
import pytest

import rung
from rung import library as library_module

MOTOR = """
model Motor "a DC motor"
  parameter Real R(unit = "Ohm") = 2, L(unit = "H") = 0.5, k = 0.1, J = 0.02, b = 0.2;
  parameter Real twice = 2*R;
  parameter Real c[2] = {1, 1};
  input Real u(unit = "V", start = 4);
  input Boolean on(start = true);
  output Real w(unit = "rad/s", start = 3, fixed = true);
  Real i(unit = "A", start = 1, fixed = true);
equation
  L*der(i) = c[1]*(if on then u else 0) - twice*i - k*w;
  J*der(w) = c[2]*k*i - b*w;
end Motor;
"""


@pytest.fixture(scope="module")
def motor():
    return rung.Model(text=MOTOR)


def exact(x, u=4.0, R=2.0, c=(1, 1)):
    """x = (i, w), here and in the tests."""
    i, w = x
    return np.array([(c[0]*u - 2*R*i - 0.1*w)/0.5, (c[1]*0.1*i - 0.2*w)/0.02])


@pytest.fixture(scope="module")
def order(motor):
    return [motor.states.index("i"), motor.states.index("w")]


def test_names(motor):
    assert sorted(motor.states) == ["i", "w"]
    assert motor.library.inputs == ["u", "on"] and motor.library.outputs == ["w"]
    assert "R" in motor.library.parameters and motor.library.units["R"] == "Ohm"


def test_xdot(motor, order):
    x = motor.library.start()
    assert list(x[order]) == [1, 3]
    assert motor.xdot(0, x)[order] == pytest.approx(exact((1, 3)))
    x[order] = [0.5, -2]
    f = lambda *a, **b: motor.xdot(0, x, *a, **b)[order]
    assert f() == pytest.approx(exact((0.5, -2)))
    assert f([7, 1]) == pytest.approx(exact((0.5, -2), 7))
    assert f({"u": 7}) == pytest.approx(exact((0.5, -2), 7))
    assert f({"on": False}) == pytest.approx(exact((0.5, -2), 0))
    # a parameter that follows from the one that is set follows
    assert f(p={"R": 3}) == pytest.approx(exact((0.5, -2), R=3))
    assert f(p={"c": [2, 3]}) == pytest.approx(exact((0.5, -2), c=(2, 3)))
    assert f() == pytest.approx(exact((0.5, -2)))  # none of these stays
    assert list(motor.library.y(0, x)) == [-2]


def test_all_parameters_in_order(motor):
    names = motor.library.parameters
    values = {"R": 2, "L": 0.5, "k": 0.1, "J": 0.02, "b": 0.2, "twice": 4, "c[1]": 1, "c[2]": 1}
    x = [0.3, 0.4]
    assert np.array_equal(motor.xdot(0, x, p=[values[n] for n in names]), motor.xdot(0, x))


def test_values_of_the_model(order):
    m = rung.Model(text=MOTOR, R=3, c=[2, 3])
    x = np.zeros(2)
    x[order] = [0.5, -2]
    assert m.xdot(0, x)[order] == pytest.approx(exact((0.5, -2), R=3, c=(2, 3)))
    assert m.parameters["c[1]"].value == 2 and m.parameters["R"].value == 3


def test_arrays_are_not_copied(motor):
    x, out = np.array([0.5, -2.0]), np.empty(2)
    assert motor.xdot(0, x, out=out) is out
    assert np.array_equal(out, motor.xdot(0, x))
    X, room = np.random.default_rng(1).random((5, 2)), np.empty((5, 2))
    assert motor.batch(X, out=room) is room
    for wrong in (np.empty(3), np.empty(2, np.float32), np.empty((2, 2))[:, 0]):
        with pytest.raises(ValueError):
            motor.xdot(0, x, out=wrong)


def test_jacobian(motor):
    x = np.array([0.5, -2.0])
    a = motor.jacobian(0, x)
    assert motor.library.rows == [*motor.states, "w"] and motor.library.columns == [*motor.states, "u"]
    lin = motor.linearize()
    both = np.block([[lin.A, lin.B], [lin.C, lin.D]])
    at = [lin.states.index(s) for s in motor.states]
    assert np.allclose(a[:2, :2], lin.A[np.ix_(at, at)]) and np.allclose(a[:2, 2:], lin.B[at])
    assert np.allclose(a[2:, :2], lin.C[:, at]) and both.shape == a.shape
    by = motor.compile(parameters="R,k")
    assert by.columns[-2:] == ["R", "k"]
    h = 1e-6
    for column, name, value in ((-2, "R", 2.0), (-1, "k", 0.1)):
        slope = (motor.xdot(0, x, p={name: value + h}) - motor.xdot(0, x, p={name: value - h}))/(2*h)
        assert np.allclose(by.jacobian(0, x)[:2, column], slope, rtol=1e-6, atol=1e-6)


def test_batch(motor):
    assert motor.library.width == 8
    random = np.random.default_rng(2)
    X, U = random.normal(size=(301, 2)), np.column_stack([random.normal(size=301), random.integers(0, 2, 301)])
    assert np.array_equal(motor.batch(X), [motor.xdot(0, x) for x in X])
    assert np.array_equal(motor.batch(X, U), [motor.xdot(0, x, u) for x, u in zip(X, U)])
    assert np.array_equal(motor.batch(X, {"u": 1}, {"R": 3}), [motor.xdot(0, x, {"u": 1}, {"R": 3}) for x in X])
    assert np.array_equal(motor.batch(X), [motor.xdot(0, x) for x in X])
    assert np.array_equal(motor.batch(np.asfortranarray(X)), motor.batch(X))
    assert motor.batch(np.empty((0, 2))).shape == (0, 2)


def test_derivatives_of_a_run():
    m = rung.Model(model="Linkage.Examples.PlanarPendulum", n=3)
    r = m.simulate(stop=0.5)
    X = np.column_stack([r[s] for s in m.states])
    rates = np.column_stack([r[f"der({s})"] for s in m.states])
    assert np.allclose(m.batch(X), rates, rtol=1e-11, atol=1e-11)


def test_relations_are_those_at_the_state():
    text = """
model M
  input Real u;
  Real x(start = 0.5), y(start = 0);
equation
  der(x) = {0}(if x > 1 then -x elseif u > 2 then 7 else x*y);
  der(y) = {0}(if time > 3 then 1 else 2)*x;
  {1}
end M;"""
    events = rung.Model(text=text.replace("{0}", "").replace("{1}", "when x > 2 then reinit(y, 5); end when;"))
    plain = rung.Model(text=text.replace("{0}", "noEvent").replace("{1}", ""))
    assert events.states == plain.states
    assert events.library.width == 1 and plain.library.width == 8
    random = np.random.default_rng(3)
    X, U = 6*random.random((300, 2)) - 3, 4*random.random((300, 1))
    X[::7, events.states.index("x")] = 1  # where relations change
    for t in (0, 4):
        assert np.array_equal(events.batch(X, U, t=t), plain.batch(X, U, t=t))
        assert np.array_equal(events.batch(X, U, t=t), [events.xdot(t, x, u) for x, u in zip(X, U)])


def test_states_that_cannot_be_evaluated():
    m = rung.Model(text="model M Real x(start = 1); Real z; equation der(x) = z; x*z = sin(x); end M;")
    with pytest.raises(rung.RunError):
        m.xdot(0, [0])
    X = np.array([[1.0], [0.0], [2.0]])
    with pytest.warns(rung.RungWarning, match="1 of 3 states") as w:
        out = m.batch(X)
    assert w[0].filename == __file__
    assert np.isnan(out[1, 0])
    assert out[[0, 2], 0] == pytest.approx(np.sin([1, 2])/[1, 2])
    # in vectors, the others beside it
    X = np.linspace(-2, 2, 17)[:, None]
    with pytest.warns(rung.RungWarning, match="1 of 17 states"):
        out = m.batch(X)
    assert m.library.width == 8 and np.flatnonzero(np.isnan(out)).tolist() == [8]
    assert np.array_equal(np.delete(out, 8, 0), [m.xdot(0, x) for x in np.delete(X, 8, 0)])


def test_a_pivot_that_vanishes_in_one_lane_is_chosen_anew():
    text = "model M Real x(start = 1); Real a, b; equation der(x) = a; {} end M;"
    m = rung.Model(text=text.format("x*a + b = 1; a + x*b = 2;"))
    X = np.linspace(-0.7, 0.9, 17)[:, None]
    X[5] = 0
    # Cramer's rule
    assert m.batch(X) == pytest.approx((X - 2)/(X*X - 1))


def test_wrong_shapes_and_names(motor):
    for call in (lambda: motor.xdot(0, [1]), lambda: motor.xdot(0, [1, 2], [1, 2, 3]), lambda: motor.batch([1, 2]),
                 lambda: motor.batch(np.zeros((3, 2)), np.zeros((2, 2))), lambda: motor.xdot(0, [1, 2], p=[1])):
        with pytest.raises(ValueError, match="shape"):
            call()
    with pytest.raises(rung.ModelError, match="'volts'"):
        motor.xdot(0, [1, 2], {"volts": 3})
    with pytest.raises(rung.ModelError, match="'r'"):
        motor.xdot(0, [1, 2], p={"r": 3})


def test_a_model_without_a_library():
    m = rung.Model(model="Linkage.Benchmarks.SpatialFourBar", loops="ali3p")
    with pytest.raises(rung.ModelError) as e:
        m.library
    assert e.value.code == "G05"


def test_threads(motor):
    X = np.random.default_rng(4).normal(size=(2000, 2))
    expected = {R: motor.batch(X, p={"R": R}) for R in (1, 2, 3)}
    wrong = []

    def work(R):
        for _ in range(20):
            if not np.array_equal(motor.batch(X, p={"R": R}), expected[R]):
                wrong.append(R)

    threads = [threading.Thread(target=work, args=(R,)) for R in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_compiled_once(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    log = tmp_path / "log"
    compiler = tmp_path / "counting-cc"
    compiler.write_text(f'#!/bin/sh\necho "$*" >>"{log}"\nexec cc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    text = "model M parameter Real k = 1; Real x(start = 1); equation der(x) = -k*x; end M;"
    compiled = lambda: sum("-c" in line.split() for line in log.read_text().splitlines())
    assert list(rung.Model(text=text).xdot(0, [2])) == [-2]
    first = compiled()
    assert first > 0
    assert list(rung.Model(text=text).xdot(0, [2])) == [-2]
    assert compiled() == first
    assert list(rung.Model(text=text, k=3).xdot(0, [2])) == [-6]
    assert compiled() > first
    monkeypatch.setenv("CC", str(tmp_path / "none"))
    with pytest.raises(rung.FileError, match="cannot be run"):
        rung.Model(text=text).library
    # the oldest go
    monkeypatch.setattr(library_module, "MOST_KEPT", 1)
    monkeypatch.setenv("CC", "cc")
    rung.Model(text=text, k=4).library
    assert len([n for n in os.listdir(tmp_path / "rung-python") if n.endswith(".so")]) == 1
