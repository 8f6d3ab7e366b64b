"""Runs and their results: closed forms, CSV against MAT, one piece against two."""
import numpy as np
import pytest

import rung


def test_values_units_descriptions(decayed):
    t = decayed.time
    assert t[0] == 0 and t[-1] == 2
    assert np.allclose(decayed["x"], np.exp(-t), rtol=0, atol=1e-7)
    assert decayed.units["x"] == "m" and decayed.descriptions["x"] == "what is left"
    assert decayed.units["k"] == "1/s" and decayed.descriptions["k"] == "rate"
    assert decayed.descriptions["on"] == "" and decayed.units["on"] == ""
    assert decayed.summary["reached"] == 2 and decayed.summary["steps"] > 0
    assert decayed.final("x") == decayed["x"][-1]


def test_alias_of_opposite_sign(decayed):
    assert np.array_equal(decayed["less"], -decayed["x"])


def test_constants_and_arrays(decayed):
    assert np.array_equal(decayed["k"], np.ones(decayed.time.size))
    assert decayed["c"].shape == (decayed.time.size, 2)
    assert list(decayed.final("c")) == [2, 3]
    assert decayed["time"] is decayed.time or np.array_equal(decayed["time"], decayed.time)
    with pytest.raises(KeyError, match="did you mean 'less'"):
        decayed["les"]


def test_names(decayed):
    assert decayed.find("c[*]") == ["c[1]", "c[2]"]
    assert "x" in decayed and "nothing" not in decayed
    assert sorted(decayed) == sorted(decayed.names) and len(decayed) == len(decayed.names)


def test_large_results_are_not_copied(decayed):
    x = decayed["x"]
    assert x.base is not None and not x.flags.owndata and not x.flags.writeable
    assert np.shares_memory(x, decayed["x"])


def test_texts(tmp_path):
    m = rung.Model(text="""model M
      Integer n(start = 0, fixed = true);
      String s = "n = " + String(n) + ", \\"quoted\\"", number = String(n), many[2] = {"a", number};
    equation
      when sample(0.5, 0.5) then n = pre(n) + 1; end when;
    end M;""")
    r = m.simulate(stop=2, interval=0.25, output=tmp_path / "t.csv")
    assert set(r.texts) == {"s", "number", "many[1]", "many[2]"}
    assert r.texts["s"] == [f'n = {n:.0f}, "quoted"' for n in r["n"]] and r.final("n") == 4
    assert r.texts["number"] == r.texts["many[2]"] == [f"{n:.0f}" for n in r["n"]]
    assert r.texts["many[1]"] == ["a"]*len(r.time)
    with pytest.raises(KeyError, match="'s' is a String"):
        r["s"]
    assert rung.read(tmp_path / "t.csv").texts == r.texts
    without = m.simulate(stop=2, interval=0.25)  # a .mat file
    assert without.texts == {} and "s" not in without and np.array_equal(without["n"], r["n"])


def test_csv_is_mat(decay, tmp_path):
    mat = decay.simulate(stop=1)
    csv = decay.simulate(stop=1, output=tmp_path / "r.csv")
    assert csv.path == str(tmp_path / "r.csv") and (tmp_path / "r.csv").exists()
    assert csv.names == mat.names
    for name in mat:
        assert np.array_equal(mat[name], csv[name]), name
    again = rung.read(tmp_path / "r.csv")
    assert np.array_equal(again["x"], mat["x"])


def test_mat_as_scipy_reads_it(decayed):
    io = pytest.importorskip("scipy.io")
    m = io.loadmat(decayed.path, chars_as_strings=False)
    names = ["".join(c).rstrip() for c in m["name"].T]
    for k, name in enumerate(names[1:], 1):
        which, row = m["dataInfo"][:2, k]
        data = m["data_2"][abs(row) - 1] if which == 2 else np.full(decayed.time.size, m["data_1"][abs(row) - 1, 0])
        assert np.array_equal(np.sign(row) * data, decayed[name]), name


def test_a_file_that_is_none(decayed, tmp_path):
    whole = open(decayed.path, "rb").read()
    (tmp_path / "cut.mat").write_bytes(whole[:len(whole) - 8])
    (tmp_path / "other.mat").write_bytes(b"MATLAB 5.0 MAT-file, ..." * 10)
    with pytest.raises(ValueError, match="cut off"):
        rung.read(tmp_path / "cut.mat")
    with pytest.raises(ValueError, match="version 4"):
        rung.read(tmp_path / "other.mat")


def test_saved_results_live_on(decay, tmp_path):
    r = decay.simulate(stop=1)
    r.save(tmp_path / "kept.mat")
    x = r["x"]
    last = x[-1]
    del r  # and its file with it
    assert x[-1] == last
    assert rung.read(tmp_path / "kept.mat")["x"][-1] == last
    with pytest.raises(ValueError):
        rung.read(tmp_path / "kept.mat").save(tmp_path / "kept.csv")


def test_parameters(decay):
    r = decay.simulate(stop=1, k=2, n=3, set={"c[1]": 7}, tolerance=1e-9)
    assert r["y"].shape[1] == 3
    assert np.allclose(r["y"], 2*np.exp(-2*r.time)[:, None], rtol=0, atol=1e-7)
    assert list(r.final("c")) == [7, 3]
    assert list(decay.simulate(stop=1, c=[5, 6]).final("c")) == [5, 6]
    assert decay.simulate(stop=1, on=False).final("x") == 1
    # of the model rather than of a run
    modified = rung.Model(decay.files, k=2).simulate(stop=1, tolerance=1e-9)
    assert modified.final("x") == pytest.approx(r.final("x"), abs=1e-8)


def test_a_parameter_called_like_an_option():
    m = rung.Model(text="model M parameter Real stop = 1; Real x(start = 0, fixed = true);"
                        " equation der(x) = stop; end M;")
    assert m.simulate(stop=2, set={"stop": 3}).final("x") == pytest.approx(6)


def test_start_and_signals(decay):
    r = decay.simulate(stop=1, start={"x": 3}, signals=["x", "c[*]"], tolerance=1e-9)
    assert sorted(r.names) == ["c[1]", "c[2]", "x"]
    assert r.final("x") == pytest.approx(3*np.exp(-1), abs=1e-7)


def test_inputs(cart, tmp_path):
    columns = {"time": [0, 1, 2], "force": [0.0, 4.0, 4.0], "brake": [False, False, True]}
    r = cart.simulate(stop=2, input=columns)
    assert r.final("v") == pytest.approx((2 + 4)/2)
    held = cart.simulate(stop=2, input={**columns, "brake": np.zeros(3, bool)}, interpolation="hold")
    assert held.final("v") == pytest.approx((0 + 4)/2)
    (tmp_path / "f.csv").write_text("time,force\n0,2\n2,2\n")
    assert cart.simulate(stop=2, input=tmp_path / "f.csv", options=["-q"]).final("v") == pytest.approx(2)
    with pytest.raises(rung.UsageError, match="time"):
        cart.simulate(input={"force": [1]})


def test_goes_on(decay, tmp_path):
    decay.simulate(stop=1, save_state=tmp_path / "half")
    rest = decay.simulate(stop=2, resume=tmp_path / "half")
    assert rest.time[0] == 1
    assert rest.final("x") == pytest.approx(np.exp(-2), abs=1e-5)


def test_sensitivity(decay):
    r = decay.simulate(stop=1, sensitivity="k", of=["x"], tolerance=1e-9)
    assert np.allclose(r["der(x,k)"], -r.time*np.exp(-r.time), atol=1e-6)


def test_dataframe(decayed):
    pytest.importorskip("pandas")
    frame = decayed.to_dataframe(["x", "less"])
    assert list(frame.columns) == ["x", "less"] and frame.index.name == "time"
    assert np.array_equal(frame["x"], decayed["x"]) and frame.attrs["units"]["x"] == "m"
    assert set(decayed.to_dataframe()) == set(decayed.names)


def test_variables(decay):
    k = decay.parameters["k"]
    assert (k.value, k.unit, k.description, k.min, k.type) == (1, "1/s", "rate", 0, "Real")
    assert list(decay.outputs) == ["less"]
    assert decay.variables["x"].start == 1
    assert decay.name == "Decay"
    assert decay.check()["states"] == 2
    assert list(rung.Model(text="model M input Real u; output Real y = 2*u; end M;").inputs) == ["u"]


def test_columns_of_texts_are_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('"time","x","s","y"\n0,1,"a, ""b""\nc",2\n1,3,"4",5\n', encoding="utf-8")
    read = rung.read(path)
    assert read.names == ["x", "y"] and list(read["y"]) == [2, 5] and list(read.time) == [0, 1]
