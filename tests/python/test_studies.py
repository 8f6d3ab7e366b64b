"""Sweeps, linear systems, gradients, degrees of freedom, operations: closed forms."""
import numpy as np
import pytest

import rung


def test_sweep(decay):
    s = decay.sweep({"k": [1, 2, 4]}, stop=1, signals="x", tolerance=1e-9, keep=True)
    assert s.ok.all() and s.table.n_rows == 3
    assert np.array_equal(s["k"], [1, 2, 4])
    assert np.allclose(s["final(x)"], np.exp(-s["k"]), rtol=0, atol=1e-7)
    assert np.allclose(s["integral(x)"], (1 - np.exp(-s["k"]))/s["k"], rtol=0, atol=1e-7)
    for row in range(3):
        assert s.result(row)["x"][-1] == pytest.approx(s["final(x)"][row], abs=1e-15)
    assert s.table.row(1)["k"] == 2 and "<td>ok</td>" in s._repr_html_()


def test_random_sweep_of_a_structural_parameter(decay, tmp_path):
    draw = dict(runs=6, seed=3, stop=1, signals="x")
    a = decay.sweep({"k": "uniform(1,2)", "n": [1, 2]}, output=tmp_path / "s", **draw)
    b = decay.sweep({"k": "uniform(1,2)", "n": [1, 2]}, **draw)
    assert np.array_equal(a["k"], b["k"]) and np.array_equal(a["final(x)"], b["final(x)"])
    assert set(a["n"]) == {1, 2} and len(set(a["k"])) == 6
    assert (tmp_path / "s" / "table.csv").exists()
    with pytest.raises(KeyError, match="keep=True"):
        a.result(0)


def test_failed_runs_are_rows(cart):
    s = cart.sweep({"limit": [1, 1e3]}, stop=2, input={"time": [0, 2], "force": [4, 4], "brake": [0, 0]})
    assert list(s["status"]) == ["failed", "ok"] and list(s.ok) == [False, True]
    assert s.result(0).time[-1] <= 0.5 and 0.98 < s.result(0).final("v") <= 1
    with pytest.raises(rung.ModelError, match="nothing"):
        cart.sweep({"nothing": [1, 2]})


def test_linearize():
    m = rung.Model(text="""
model Motor
  parameter Real R = 2, L = 0.5, k = 0.1, J = 0.02, b = 0.2;
  input Real u(start = 1);
  output Real w(start = 3, fixed = true);
  Real i(start = 4, fixed = true);
equation
  L*der(i) = u - R*i - k*w;
  J*der(w) = k*i - b*w;
end Motor;""")
    p = m.linearize(R=3)
    at = [p.states.index("i"), p.states.index("w")]
    assert np.allclose(p.A[np.ix_(at, at)], [[-3/0.5, -0.1/0.5], [0.1/0.02, -0.2/0.02]])
    assert np.allclose(p.B[at], [[2], [0]]) and np.allclose(p.D, [[0]])
    assert np.array_equal(p.C[:, at], [[0, 1]])
    assert list(p.x0[at]) == [4, 3] and list(p.u0) == [1] and list(p.y0) == [3]
    assert np.allclose(sorted(p.eigenvalues), sorted(np.linalg.eigvals(p.A)))
    assert m.linearize(steady=True).xdot0 == pytest.approx([0, 0], abs=1e-6)


def test_gradient(decay):
    for adjoint in (False, True):
        g = decay.gradient(["x", "integral(x)"], by="k", stop=2, tolerance=1e-9, adjoint=adjoint)
        assert g.objectives == ["x", "integral(x)"] and g.jacobian.shape == (2, 1)
        assert g.values == pytest.approx([np.exp(-2), 1 - np.exp(-2)], abs=1e-6)
        assert g["x", "k"] == pytest.approx(-2*np.exp(-2), abs=1e-5)
        assert g["integral(x)", "k"] == pytest.approx(3*np.exp(-2) - 1, abs=1e-5)


def test_mechanism():
    m = rung.Model(model="Linkage.Benchmarks.SpatialFourBar")
    found = m.dof()
    assert rung.Model(model="Linkage.Examples.PlanarPendulum", n=5).dof()["degrees_of_freedom"] == 5
    assert found["degrees_of_freedom"] == 1 and len(found["directions"]) == 1
    page = m.view("crank.phi", stop=0.1)
    assert page.text.startswith("<!") and "crank.phi" in page.text
    assert len(m.simulate(stop=0.1).view(play=True).text) > 1e5


def test_count():
    m = rung.Model(model="Linkage.Examples.PlanarPendulum")
    t = m.count(order=["ladder", "tearing"], n=[8, 16])
    at = {(n, o): add + mul for n, o, add, mul in zip(t["n"], t["order"], t["add"], t["mul"])}
    # the ladder costs twice as much with twice as many bodies, tearing more
    assert at[16, "ladder"]/at[8, "ladder"] < 2.5 < at[16, "tearing"]/at[8, "tearing"]
    fixed = rung.Model(model="Linkage.Examples.PlanarPendulum", n=8).count(order="ladder")
    assert fixed.row(0)["add"] + fixed.row(0)["mul"] == at[8, "ladder"]
