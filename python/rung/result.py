"""Results of runs: trajectories by the names of the model's variables."""
from __future__ import annotations

import csv
import io
import os
import re
import shutil
import tempfile
from fnmatch import fnmatchcase
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .pages import Page, Picture, Path
from .program import Program
from .table import table_html, to_dataframe

__all__ = ["Result", "read"]

Names = Union[str, Sequence[str]]


def joined(names: Names) -> str:
    """Names or patterns as an option takes them."""
    return names if isinstance(names, str) else ",".join(names)


# ---- files ----

def _matrices(path: str) -> Dict[str, np.ndarray]:
    """The matrices of a MAT file of version 4, as arrays in the file; texts as rows of bytes."""
    whole = np.memmap(path, np.uint8, "r")
    found: Dict[str, np.ndarray] = {}
    at = 0
    while at + 20 <= whole.size:
        order = "<" if whole[at:at + 4].view("<i4")[0] in range(0, 1000) else ">"
        kind, rows, columns, _, length = (int(i) for i in whole[at:at + 20].view(order + "i4"))
        types = {0: "f8", 10: "f4", 20: "i4", 51: "u1"}
        if kind % 1000 not in types:
            raise ValueError(f"{path}: no MAT file of version 4")
        name = bytes(whole[at + 20:at + 20 + length - 1]).decode()
        at += 20 + length
        dtype = np.dtype(order + types[kind % 1000])
        size = rows * columns * dtype.itemsize
        if at + size > whole.size:
            raise ValueError(f"{path}: the file is cut off")
        # columns follow each other; the numbers need not be aligned
        found[name] = np.ndarray((columns, rows), dtype, whole, at)
        at += size
    return found


def _texts(columns: np.ndarray) -> List[str]:
    return [bytes(c).decode("utf-8", "replace").rstrip(" \0") for c in columns]


UNIT = re.compile(r"(?P<text>.*?) ?\[(?P<unit>[^\[\]|]*)(?:\|[^\[\]]*)?\]", re.S)


class _Data:
    """Columns of a file. `place[name]` is (array, column, sign); column None: a constant."""

    def __init__(self) -> None:
        self.time = np.zeros(0)
        self.place: Dict[str, Tuple[np.ndarray, int, int]] = {}
        self.texts: Dict[str, List[str]] = {}
        self.units: Dict[str, str] = {}
        self.descriptions: Dict[str, str] = {}


def _read_mat(path: str) -> _Data:
    m = _matrices(path)
    if _texts(m.get("Aclass", np.zeros((0, 0))).T)[3:] != ["binTrans"]:
        raise ValueError(f"{path}: no trajectory of a Modelica tool (Atrajectory, binTrans)")
    d = _Data()
    moving, still = m["data_2"], m["data_1"]
    d.time = moving[:, 0]
    # constants as rows of the result: one number, repeated without a copy
    constants = np.broadcast_to(still[:1], (d.time.size, still.shape[1]))
    names, described = _texts(m["name"]), _texts(m["description"])
    for name, text, info in zip(names[1:], described[1:], m["dataInfo"][1:]):
        column = abs(int(info[1])) - 1
        d.place[name] = (moving if info[0] == 2 else constants, column, 1 if info[1] > 0 else -1)
        match = UNIT.fullmatch(text)
        d.units[name] = match["unit"] if match else ""
        d.descriptions[name] = match["text"] if match else text
    return d


def _numbers(column: Sequence[str]) -> Optional[np.ndarray]:
    """None for a column of texts, a variable of type String."""
    try:
        return np.array(column, dtype=float)
    except ValueError:
        return None


def _fields(body: str) -> List[Tuple[Any, ...]]:
    """The columns of a file; where it can be told apart, numbers are floats and fields in quotes texts."""
    try:
        return list(zip(*csv.reader(io.StringIO(body, newline=""), quoting=csv.QUOTE_NONNUMERIC)))
    except ValueError:
        return list(zip(*csv.reader(io.StringIO(body, newline=""))))


def _read_csv(path: str) -> _Data:
    d = _Data()
    with open(path, newline="", encoding="utf-8") as f:
        names = next(csv.reader(f))
        body = f.read()
    if '"' in body:
        fields = _fields(body)
        columns = [(n, c) for n, c in zip(names, map(_numbers, fields)) if c is not None]
        d.texts = {n: list(c) for n, c in zip(names, fields) if isinstance(c[0], str)}
        names = [n for n, _ in columns]
        rows = np.column_stack([c for _, c in columns])
    else:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2)
    rows = rows.reshape(-1, len(names))
    d.time = rows[:, 0]
    for k, name in enumerate(names[1:], 1):
        d.place[name] = (rows, k, 1)
        d.units[name] = d.descriptions[name] = ""
    return d


# ---- results ----

class Result(Mapping[str, np.ndarray]):
    """A result: `r["hinge[1].phi"]` is the trajectory of a variable, one number for each of `r.time`.

    An array of the model is found by its name without indices: `r["body.r"]` of Real r[3] has a row
    for each time and a column for each element. Arrays lie in the result file and are read-only, so
    that a large result costs no memory until it is used; `np.array(r["x"])` is a copy.

    Each event has two rows of the same time: before and after it.
    """

    def __init__(self, path: Path, program: Optional[Program] = None,
                 summary: Optional[Mapping[str, Any]] = None, folder: Any = None):
        self.path = os.path.abspath(os.fspath(path))
        self.summary: Dict[str, Any] = dict(summary or {})
        self._program = program
        self._folder = folder  # a temporary directory that lives as long as the result
        self._data = (_read_csv if self.path.endswith(".csv") else _read_mat)(self.path)

    # -- variables --

    @property
    def time(self) -> np.ndarray:
        """The times of the rows."""
        return self._data.time

    @property
    def names(self) -> List[str]:
        """The names of all variables."""
        return list(self._data.place)

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each variable; "" where it has none. CSV files have no units."""
        return self._data.units

    @property
    def texts(self) -> Mapping[str, List[str]]:
        """The values of each variable of type String, one for each of `time`. Files .mat have none:
        they are in results of `simulate(output="result.csv")`."""
        return self._data.texts

    @property
    def descriptions(self) -> Mapping[str, str]:
        """The description of each variable."""
        return self._data.descriptions

    def find(self, pattern: str) -> List[str]:
        """The names that match: * stands for any text, ? for one character."""
        # brackets are those of Modelica's indices
        return [n for n in self.names if fnmatchcase(n, pattern.replace("[", "[[]"))]

    def __getitem__(self, name: str) -> np.ndarray:
        place = self._data.place.get(name)
        if place:
            values = place[0][:, place[1]]
            return values if place[2] > 0 else -values
        if name in ("time", "Time"):
            return self.time
        return self._array(name)

    def _array(self, name: str) -> np.ndarray:
        """The elements of an array, along the axes behind the first one."""
        index = re.compile(re.escape(name) + r"\[([\d,]+)\]")
        found = {tuple(int(i) for i in m[1].split(",")): n
                 for n in self._data.place for m in [index.fullmatch(n)] if m}
        if not found:
            raise KeyError(self._unknown(name))
        shape = tuple(max(axis) for axis in zip(*found))
        if len(found) != np.prod(shape):
            raise KeyError(f"the result does not have all elements of '{name}'")
        out = np.empty((self.time.size, *shape))
        for at, n in found.items():
            out[(slice(None), *(i - 1 for i in at))] = self[n]
        return out

    def _unknown(self, name: str) -> str:
        if name in self.texts:
            return f"'{name}' is a String: its values are texts['{name}']"
        import difflib
        near = difflib.get_close_matches(name, self.names, 1)
        return f"the result has no variable '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")

    def __iter__(self) -> Any:
        return iter(self._data.place)

    def __len__(self) -> int:
        return len(self._data.place)

    def __contains__(self, name: object) -> bool:
        return name in self._data.place

    def final(self, name: str) -> Any:
        """The value of a variable in the last row: a number, or an array if it is one."""
        last = self[name][-1]
        return float(last) if np.ndim(last) == 0 else last

    # -- other forms --

    def to_dataframe(self, names: Optional[Iterable[str]] = None) -> Any:
        """Variables as columns of a pandas.DataFrame, with the time as its index; all by default.
        Units are in its `attrs["units"]`."""
        wanted = list(names) if names is not None else self.names
        frame = to_dataframe({n: self[n] for n in wanted})
        frame.index = self.time
        frame.index.name = "time"
        frame.attrs["units"] = {n: self.units.get(n, "") for n in wanted}
        return frame

    def save(self, path: Path) -> None:
        """Copies the result file, of the same format, and beside it that of the viewer."""
        path = os.fspath(path)
        ending = os.path.splitext(self.path)[1]
        if not path.endswith(ending):
            raise ValueError(f"'{path}': the result is a file {ending}")
        shutil.copyfile(self.path, path)
        geometry = self.path[:-len(ending)] + ".view.json"
        if os.path.exists(geometry):
            shutil.copyfile(geometry, path[:-len(ending)] + ".view.json")

    def _made(self, command: str, ending: str, words: Sequence[str]) -> str:
        """The text of a file that the program makes of the result."""
        self._program = self._program or Program()
        with tempfile.TemporaryDirectory(prefix="rung-") as folder:
            path = os.path.join(folder, "made" + ending)
            self._program.call(command, [self.path, *words, "-o", path], as_json=False, stacklevel=3)
            with open(path, encoding="utf-8") as f:
                return f.read()

    def plot(self, signals: Optional[Names] = None, *, zoom: bool = False) -> Union[Picture, Page]:
        """Curves over time. signals: names or patterns; a semicolon begins a panel below. By default
        the states that change. zoom: a page on which a stretch of time can be drawn over, instead of
        a picture."""
        words = ["--signals", joined(signals)] if signals is not None else []
        if zoom:
            return Page(self._made("plot", ".html", words))
        return Picture(self._made("plot", ".svg", words))

    def view(self, signals: Optional[Names] = None, *, speed: Optional[float] = None,
             play: bool = False) -> Page:
        """The mechanism in motion, with curves of the signals below."""
        words = ["--signals", joined(signals)] if signals is not None else []
        words += ["--speed", repr(float(speed))] if speed is not None else []
        words += ["--play"] if play else []
        return Page(self._made("view", ".html", words))

    def _repr_html_(self) -> str:
        most = 12
        rows = [(n, float(self[n][0]), float(self[n][-1]), self.units[n], self.descriptions[n])
                for n in self.names[:most]] if self.time.size else []
        more = f"<p>{len(self) - most} more variables: names, find(pattern)</p>" if len(self) > most else ""
        return (f"<p>{self!r}</p>".replace("<p><", "<p>&lt;").replace("></p>", "&gt;</p>") +
                table_html(("variable", "at the start", "at the end", "unit", "description"), rows) + more)

    def __repr__(self) -> str:
        span = f", t = {self.time[0]:.6g} to {self.time[-1]:.6g}" if self.time.size else ""
        return f"<a result of {len(self)} variables, {self.time.size} rows{span}>"


def read(path: Path, *, program: Optional[str] = None) -> Result:
    """A result from a file, .mat or .csv. program: the path of rung, for plot() and view()."""
    return Result(path, Program(program) if program else None)
