"""Models: what the commands of the program do, as methods."""
from __future__ import annotations

import csv
import os
import tempfile
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .library import Library, Values
from .pages import Page, Path
from .program import Message, Program, RunError, UsageError
from .result import Names, Result, joined
from .table import Table, table_html

__all__ = ["Model", "Variable", "Linear", "Gradient", "Sweep"]


Settings = Mapping[str, Any]  # values by name


@dataclass(frozen=True)
class Variable:
    """A variable of the flat model. `value` is that of its binding: a number, an expression as text,
    or None; so are `start`, `min` and `max`. `kind` is constant, parameter, input, discrete or
    continuous."""

    name: str
    type: str
    kind: str
    value: Any = None
    start: Any = None
    min: Any = None
    max: Any = None
    unit: str = ""
    description: str = ""
    output: bool = False
    final: bool = False


@dataclass
class Linear:
    """A linear system at a point: x' = A x + B u, y = C x + D u, for deviations from x0, u0, y0."""

    time: float
    states: List[str]
    inputs: List[str]
    outputs: List[str]
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    x0: np.ndarray
    u0: np.ndarray
    y0: np.ndarray
    xdot0: np.ndarray
    eigenvalues: np.ndarray  # of A, complex
    left_out: List[str] = field(default_factory=list)  # states that closed loops determine

    def _repr_html_(self) -> str:
        rows = [(s, *map(float, a)) for s, a in zip(self.states, self.A)]
        return table_html(("A", *self.states), rows)


@dataclass
class Gradient:
    """Objectives of a run and their derivatives: `jacobian[i, j]` is that of objective i by parameter
    j, `g["max(y)", "m"]` the same by names."""

    objectives: List[str]
    parameters: List[str]
    values: np.ndarray
    times: np.ndarray  # of extrema; of end values and integrals the end
    jacobian: np.ndarray
    summary: Dict[str, Any]

    def __getitem__(self, names: Tuple[str, str]) -> float:
        objective, parameter = names
        at = self.objectives.index(objective), self.parameters.index(parameter)
        return float(self.jacobian[at])

    def _repr_html_(self) -> str:
        rows = [(o, float(v), *map(float, j)) for o, v, j in zip(self.objectives, self.values, self.jacobian)]
        return table_html(("objective", "value", *(f"by {p}" for p in self.parameters)), rows)


class Sweep:
    """Many runs. `table` has a row for each run: the values, `status`, the time reached, and of each
    signal final(y), min(y), max(y) and integral(y); `s["final(y)"]` is a column of it."""

    def __init__(self, path: str, summary: Mapping[str, Any], program: Program, folder: Any = None):
        self.path = path
        self.summary = dict(summary)
        self.table = Table.read(os.path.join(path, "table.csv"))
        self._program, self._folder = program, folder

    @property
    def ok(self) -> np.ndarray:
        """Of each run, whether it came to its end."""
        return self.table["status"] == "ok"

    def __getitem__(self, name: str) -> np.ndarray:
        return self.table[name]

    def result(self, row: int) -> Result:
        """The trajectories of the run in a row of the table, from 0. They are there with keep=True,
        and of failed runs."""
        run = f"{int(self.table['run'][row])}-"
        folder = os.path.join(self.path, "runs")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if name.startswith(run) and name.endswith(".mat"):
                return Result(os.path.join(folder, name), self._program, folder=self._folder)
        raise KeyError(f"the sweep has no trajectories of row {row}: they are kept with keep=True")

    def to_dataframe(self) -> Any:
        """The table as a pandas.DataFrame."""
        return self.table.to_dataframe()

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def __repr__(self) -> str:
        return f"<a sweep of {self.table.n_rows} runs, {int(self.ok.sum())} of them ok>"


# ---- words of the command line ----

def text_of(value: Any) -> str:
    """A value as the program reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def number_of(text: str) -> Any:
    """The value of a text that text_of has made."""
    try:
        return float(text)
    except ValueError:
        return text


def settings(values: Optional[Settings], more: Optional[Settings] = None) -> Dict[str, str]:
    """name -> text; elements of arrays one by one: m=[1, 2] is m[1]=1 and m[2]=2."""
    out: Dict[str, str] = {}
    for name, value in {**(values or {}), **(more or {})}.items():
        if isinstance(value, (list, tuple, np.ndarray)):
            array = np.asarray(value)
            for at in np.ndindex(array.shape):
                out[f"{name}[{','.join(str(i + 1) for i in at)}]" if at else name] = text_of(array[at].item())
        else:
            out[name] = text_of(value)
    return out


def repeated(option: str, values: Mapping[str, str]) -> List[str]:
    return [word for name, text in values.items() for word in (option, f"{name}={text}")]


def option(name: str, value: Any) -> List[str]:
    """The words of an option; none if it is not given."""
    if value is None or value is False:
        return []
    if value is True:
        return ["--" + name]
    return ["--" + name, text_of(value) if not isinstance(value, (list, tuple)) else joined(value)]


def varied(name: str, values: Any) -> str:
    """name=1,2,4 or a distribution as text."""
    if isinstance(values, str):
        return f"{name}={values}"
    return f"{name}=" + ",".join(text_of(v) for v in np.atleast_1d(np.asarray(values, dtype=object)))


def _matrix(rows: Sequence[Sequence[float]], n: int) -> np.ndarray:
    return np.array(rows, float).reshape(len(rows), n)


class Model:
    """A model in files or in a library.

        m = rung.Model("rope.mo")
        m = rung.Model(model="Linkage.Examples.PlanarPendulum", n=4)
        m = rung.Model(text="model M Real x(start = 1); equation der(x) = -x; end M;")

    Keywords that are not named here modify the model: `n=4` is `PlanarPendulum(n=4)`. Parameters with
    other names go into `set`. The program translates a model at its first use and keeps the compiled
    model in its cache, so that later runs, also with other values of parameters, start at once.

    files: one path or several. model: the class; where it is missing, the class of the file.
    library: folders with libraries, before MODELICAPATH. program: the path of rung; else the
    environment variable RUNG, else the program in PATH. loops, states, strict: as the options of the
    program (`rung help simulate`); options: words for every call, such as `["--no-external"]`.
    """

    def __init__(self, files: Union[None, Path, Sequence[Path]] = None, model: Optional[str] = None, *,
                 text: Optional[str] = None, library: Union[None, Path, Sequence[Path]] = None,
                 program: Optional[str] = None, loops: Optional[str] = None, states: Optional[str] = None,
                 strict: bool = False, options: Sequence[str] = (), set: Optional[Settings] = None,
                 **parameters: Any):
        self._program = Program(program)
        self._folder: Any = None
        paths = [files] if isinstance(files, (str, os.PathLike)) else list(files or [])
        self.files = [os.path.abspath(os.fspath(p)) for p in paths]
        if text is not None:
            self._folder = tempfile.TemporaryDirectory(prefix="rung-")
            self.files.append(os.path.join(self._folder.name, "text.mo"))
            with open(self.files[-1], "w", encoding="utf-8") as f:
                f.write(text)
        if not self.files and not model:
            raise UsageError([Message("error", "a model needs files, a class or a text")], 2)
        folders = [library] if isinstance(library, (str, os.PathLike)) else list(library or [])
        self._options = [w for d in folders for w in option("library", os.fspath(d))]
        self._options += option("loops", loops) + option("states", states) + option("strict", strict)
        self._options += options
        self._set = settings(set, parameters)
        self._model = model
        self._variables: Optional[Dict[str, Variable]] = None
        self._library: Optional[Library] = None

    # -- calls --

    @property
    def _words(self) -> List[str]:
        words = [*self.files, *self._options]
        return words + ["--model", self._model] if self._model else words

    def _modified(self) -> List[str]:
        """The words for commands that take no --set: Model(n=4). A modifier has no indices."""
        modifiers = ", ".join(f"{n}={v}" for n, v in self._set.items() if "[" not in n)
        if not modifiers:
            return self._words
        name = self.name[:-1] + ", " if self.name.endswith(")") else self.name + "("
        return [*self.files, *self._options, "--model", name + modifiers + ")"]

    def _run_words(self, set: Optional[Settings], parameters: Settings, **options: Any) -> List[str]:
        """The words for a run: values of parameters, then options by their names."""
        words = self._words + repeated("--set", {**self._set, **settings(set, parameters)})
        for name, value in options.items():
            words += option(name.replace("_", "-"), value)
        return words

    @staticmethod
    def _input_file(data: Any, folder: str) -> Optional[str]:
        """The file of --input: a path, or columns by name that are written to one."""
        if data is None or isinstance(data, (str, os.PathLike)):
            return None if data is None else os.path.abspath(os.fspath(data))
        columns = {str(n): np.asarray(data[n]) for n in data}
        names = sorted(columns, key=lambda n: n != "time")
        if names[0] != "time":
            raise UsageError([Message("error", "input needs a column 'time'")], 2)
        path = os.path.join(folder, "input.csv")
        with open(path, "w", newline="", encoding="utf-8") as f:
            rows = csv.writer(f)
            rows.writerow(names)
            rows.writerows([text_of(v) for v in row] for row in zip(*(columns[n].tolist() for n in names)))
        return path

    # -- the model --

    def check(self) -> Dict[str, Any]:
        """Translates the model without running it: the numbers of its equations, unknowns, states and
        loops. Raises ModelError where it has errors."""
        return dict(self._program.call("check", self._modified()).output)

    @property
    def name(self) -> str:
        """The name of the class."""
        if self._model is None:
            self._model = self._program.call("check", self._words).output["model"]
        return str(self._model)

    @property
    def variables(self) -> Mapping[str, Variable]:
        """All variables of the flat model by name, with their units, values and descriptions."""
        if self._variables is None:
            members = Variable.__dataclass_fields__
            flat = self._program.call("flatten", self._modified()).output["variables"]
            self._variables = {v["name"]: Variable(**{k: v[k] for k in v if k in members}) for v in flat}
            for name, text in self._set.items():
                if "[" in name and name in self._variables:
                    self._variables[name] = replace(self._variables[name], value=number_of(text))
        return self._variables

    @property
    def parameters(self) -> Mapping[str, Variable]:
        """The parameters that can be given values, with the values that the model gives them."""
        return {n: v for n, v in self.variables.items() if v.kind == "parameter" and not v.final}

    @property
    def inputs(self) -> Mapping[str, Variable]:
        """The inputs at the top of the model."""
        return {n: v for n, v in self.variables.items() if v.kind == "input"}

    @property
    def outputs(self) -> Mapping[str, Variable]:
        """The outputs at the top of the model."""
        return {n: v for n, v in self.variables.items() if v.output}

    # -- runs --

    def simulate(self, *, stop: Optional[float] = None, tolerance: Optional[float] = None,
                 interval: Optional[float] = None, method: Optional[str] = None,
                 step: Optional[float] = None, start: Optional[Settings] = None, input: Any = None,
                 interpolation: Optional[str] = None, signals: Optional[Names] = None,
                 sensitivity: Optional[Names] = None, of: Optional[Names] = None,
                 save_state: Optional[Path] = None, resume: Optional[Path] = None,
                 audit: Optional[bool] = None, output: Optional[Path] = None,
                 options: Sequence[str] = (), set: Optional[Settings] = None, **parameters: Any) -> Result:
        """Runs the model and returns its trajectories.

            r = m.simulate(stop=3, n=16, set={"link[1].m": 0.5}, start={"rail.v": 2})

        Keywords that are not named here are values of parameters; those with other names go into
        `set`, start values into `start`. Structural parameters compile the model again.

        stop, tolerance, interval, method, step: as the options of the program, by default those of the
        model's experiment annotation. input: a file, or columns by name, `time` among them (a dict or
        a DataFrame). interpolation: linear, hold or cubic. signals: the variables to keep. sensitivity,
        of: derivatives by parameters, as variables der(x,p). save_state, resume: files of states, at
        the end and at the start. audit: True raises an error where the equations are violated, False
        leaves the audit out. output: the result file, .mat or .csv; by default a temporary one that
        lives as long as the result. options: further words of the command line.

        Raises RunError where the run stops early; its `result` has the rows up to there.
        """
        folder = tempfile.TemporaryDirectory(prefix="rung-")
        path = os.path.abspath(os.fspath(output)) if output else os.path.join(folder.name, "result.mat")
        words = self._run_words(
            set, parameters, stop=stop, tolerance=tolerance, interval=interval, method=method, step=step,
            input=self._input_file(input, folder.name), interpolation=interpolation, signals=signals,
            sensitivity=sensitivity, of=of, save_state=save_state and os.fspath(save_state),
            audit=audit or None, no_audit=audit is False or None, output=path)
        words += option("from", resume and os.fspath(resume)) + repeated("--start", settings(start))
        answer = self._program.call("simulate", [*words, *options], allowed=(0, 1, 3, 4))
        summary = answer.output or {}
        result = None
        if summary.get("files", {}).get("result"):
            result = Result(path, self._program, summary, None if output else folder)
        if answer.status:
            error = answer.error(summary.get("error", ""))
            if isinstance(error, RunError):
                error.result = result
            raise error
        assert result is not None
        return result

    def sweep(self, vary: Optional[Mapping[str, Any]] = None, *, runs: Optional[int] = None,
              sampling: Optional[str] = None, seed: Optional[int] = None, jobs: Optional[int] = None,
              signals: Optional[Names] = None, keep: bool = False, stop: Optional[float] = None,
              tolerance: Optional[float] = None, interval: Optional[float] = None,
              method: Optional[str] = None, step: Optional[float] = None, lanes: Optional[int] = None,
              start: Optional[Settings] = None, input: Any = None, interpolation: Optional[str] = None,
              output: Optional[Path] = None, options: Sequence[str] = (), set: Optional[Settings] = None,
              **parameters: Any) -> Sweep:
        """Runs the model for many values of parameters, on all processors.

            s = m.sweep({"m": [1, 2, 4], "k": "uniform(1,2)"}, runs=100, stop=1)

        vary: the values of each parameter, or a distribution. output: a folder that keeps the runs, so
        that the same call goes on with those that are not finished. keep: the trajectories of all runs,
        for `Sweep.result`. Runs that fail are rows with another status than ok.
        """
        folder = tempfile.TemporaryDirectory(prefix="rung-")
        path = os.path.abspath(os.fspath(output)) if output else os.path.join(folder.name, "sweep")
        words = self._run_words(
            set, parameters, runs=runs, sampling=sampling, seed=seed, jobs=jobs, signals=signals,
            keep=keep, stop=stop, tolerance=tolerance, interval=interval, method=method, step=step,
            lanes=lanes, input=self._input_file(input, folder.name), interpolation=interpolation,
            output=path)
        words += repeated("--start", settings(start))
        for name, values in (vary or {}).items():
            words += ["--vary", varied(name, values)]
        answer = self._program.call("sweep", [*words, *options], allowed=(0, 3))
        if not answer.output:
            raise answer.error()
        return Sweep(path, answer.output, self._program, None if output else folder)

    def linearize(self, *, at: Optional[float] = None, steady: bool = False,
                  inputs: Optional[Names] = None, outputs: Optional[Names] = None,
                  method: Optional[str] = None, tolerance: Optional[float] = None,
                  options: Sequence[str] = (), set: Optional[Settings] = None, **parameters: Any) -> Linear:
        """The linear system at the start of a run, at a time in it, or at a steady state."""
        words = self._run_words(set, parameters, at=at, steady=steady, inputs=inputs, outputs=outputs,
                                method=method, tolerance=tolerance)
        a = self._program.call("linearize", [*words, *options]).output
        n, n_in = len(a["states"]), len(a["inputs"])
        eigenvalues = np.array([complex(*e) for e in a["eigenvalues"]], complex)
        return Linear(a["time"], a["states"], a["inputs"], a["outputs"], _matrix(a["A"], n),
                      _matrix(a["B"], n_in), _matrix(a["C"], n), _matrix(a["D"], n_in),
                      *(np.array(a[k], float) for k in ("x0", "u0", "y0", "xdot0")), eigenvalues,
                      a.get("left_out", []))

    def gradient(self, objective: Names, by: Names, *, adjoint: bool = False,
                 stop: Optional[float] = None, tolerance: Optional[float] = None,
                 method: Optional[str] = None, step: Optional[float] = None,
                 start: Optional[Settings] = None, input: Any = None, interpolation: Optional[str] = None,
                 options: Sequence[str] = (), set: Optional[Settings] = None, **parameters: Any) -> Gradient:
        """Derivatives of end values, integrals and extrema of a run by parameters.

            g = m.gradient(["y", "integral(y)", "max(y)"], by=["m", "k"], stop=1)
            g["max(y)", "m"]

        adjoint: backward from the end of the run, for many parameters.
        """
        with tempfile.TemporaryDirectory(prefix="rung-") as folder:
            words = self._run_words(
                set, parameters, objective=joined(objective), by=joined(by),
                mode="adjoint" if adjoint else None, stop=stop, tolerance=tolerance, method=method,
                step=step, input=self._input_file(input, folder), interpolation=interpolation)
            words += repeated("--start", settings(start))
            a = self._program.call("gradient", [*words, *options]).output
        each = a.pop("objectives")
        names = list(each[0]["gradient"]) if each else []
        return Gradient([o["name"] for o in each], names, np.array([o["value"] for o in each], float),
                        np.array([o["time"] for o in each], float),
                        _matrix([[o["gradient"][p] for p in names] for o in each], len(names)), a)

    # -- derivatives at any state --

    def compile(self, *, parameters: Optional[Names] = None, options: Sequence[str] = ()) -> Library:
        """The model as a C library that is called without a process: `xdot`, `y`, `jacobian`, `batch`.
        parameters: the Jacobian has derivatives by these, too."""
        words = self._modified() + option("parameters", parameters)
        return Library(self._program, [*words, *options], {n: v for n, v in self._set.items() if "[" in n})

    @property
    def library(self) -> Library:
        """The model as a C library, compiled at its first use."""
        if self._library is None:
            self._library = self.compile()
        return self._library

    @property
    def states(self) -> List[str]:
        """The names of the states in the order of x."""
        return self.library.states

    def xdot(self, t: float, x: Any, u: Values = None, p: Values = None, *,
             out: Optional[np.ndarray] = None) -> np.ndarray:
        """The derivatives of the states at time t: `m.library.xdot`."""
        return self.library.xdot(t, x, u, p, out=out)

    def jacobian(self, t: float, x: Any, u: Values = None, p: Values = None) -> np.ndarray:
        """(A B; C D) at time t: `m.library.jacobian`."""
        return self.library.jacobian(t, x, u, p)

    def batch(self, X: Any, u: Values = None, p: Values = None, *, t: float = 0.0,
              out: Optional[np.ndarray] = None) -> np.ndarray:
        """The derivatives at many states, the rows of X: `m.library.batch`."""
        return self.library.batch(X, u, p, t=t, out=out)

    # -- mechanisms, operations, pages --

    def dof(self, *, along: Optional[Result] = None, tolerance: Optional[float] = None,
            options: Sequence[str] = (), set: Optional[Settings] = None, **parameters: Any) -> Dict[str, Any]:
        """The degrees of freedom of a mechanism: `degrees_of_freedom`, `directions` (the velocities of
        the coordinates in each motion), `loops`, `constraints`, `redundant`. along: a result of the
        model; then the places where the number changes, too."""
        words = self._run_words(set, parameters, along=along and along.path, tolerance=tolerance)
        return dict(self._program.call("dof", [*words, *options]).output)

    def count(self, *, order: Optional[Names] = None, options: Sequence[str] = (), **sweep: Any) -> Table:
        """The operations that the accelerations cost, a row for each order of elimination; `taken` is 1
        for the one that is used. Keywords give the values of structural parameters:

            m.count(order=["ladder", "tearing"], n=[8, 16, 32])
        """
        words = self._modified() + option("order", order)
        for name, values in sweep.items():
            words += ["--sweep", varied(name, values)]
        report = self._program.call("count", [*words, *options]).output
        rows = []
        for point in report.get("points", [report]):  # without a sweep there is one
            swept = {n: point[n] for n in sweep}
            for kind in ("orders", "choice"):
                for o in point.get(kind, []):
                    rows.append({**swept, **{k: v for k, v in o.items() if k != "blocks"}})
        return Table({n: [r.get(n) for r in rows] for n in (rows[0] if rows else ())})

    def view(self, signals: Optional[Names] = None, *, speed: Optional[float] = None, play: bool = False,
             stop: Optional[float] = None, tolerance: Optional[float] = None,
             interval: Optional[float] = None, method: Optional[str] = None, step: Optional[float] = None,
             start: Optional[Settings] = None, options: Sequence[str] = (), set: Optional[Settings] = None,
             **parameters: Any) -> Page:
        """Runs the model and shows the mechanism in motion, with curves of the signals below."""
        words = self._run_words(set, parameters, signals=signals, speed=speed, play=play, stop=stop,
                                tolerance=tolerance, interval=interval, method=method, step=step)
        words += repeated("--start", settings(start))
        with tempfile.TemporaryDirectory(prefix="rung-") as folder:
            path = os.path.join(folder, "view.html")
            self._program.call("view", [*words, "--output", path, *options], as_json=False)
            with open(path, encoding="utf-8") as f:
                return Page(f.read())

    def __repr__(self) -> str:
        of = self._model or ", ".join(os.path.basename(f) for f in self.files)
        changed = ", ".join(f"{n}={v}" for n, v in self._set.items())
        return f"<model {of}{' with ' + changed if changed else ''}>"
