"""A model as a C library, called through ctypes: derivatives, outputs, Jacobians at any state."""
from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
import threading
import warnings
import weakref
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .program import FileError, Message, ModelError, Program, RungWarning, RunError, message_of

__all__ = ["Library", "Values"]

Values = Union[None, Mapping[str, Any], Sequence[float], np.ndarray]

MOST_KEPT = 64  # compiled libraries in the cache

RULE = """\
module.so: rung_batch.c $(OBJECTS)
\t$(CC) $(FLAGS) $(CFLAGS) -shared -DMODEL={id}{defined} '-DMODEL_HEADER="{id}.h"' $(INCLUDE) -o $@ $^ $(LIBRARIES) -lm
"""


def _cache() -> Optional[str]:
    """The folder of compiled libraries; None if there cannot be one."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(home, "rung-python")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return None
    return folder


def _processor() -> str:
    """What -march=native depends on."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
            return next((line for line in f if line.startswith("flags")), "")
    except OSError:
        return ""


def _failed(text: str) -> FileError:
    return FileError([Message("error", text)], 4)


def _compiled(folder: str, id: str, defined: Sequence[str]) -> str:
    """The path of the shared object of the library in a folder; compiled unless the cache has it."""
    shutil.copyfile(os.path.join(os.path.dirname(__file__), "batch.c"), os.path.join(folder, "rung_batch.c"))
    with open(os.path.join(folder, "module.mk"), "w", encoding="utf-8") as f:
        f.write(RULE.format(id=id, defined="".join(f" -D{name}" for name in defined)))
    compiler = os.environ.get("CC", "cc")
    flags = os.environ.get("CFLAGS", "-O2 -march=native") + " -fPIC"
    digest = hashlib.sha256(f"{flags}\0{_processor()}\0".encode())
    try:
        digest.update(subprocess.run([*shlex.split(compiler), "--version"], capture_output=True).stdout)
    except OSError as e:
        raise _failed(f"the C compiler '{compiler}' cannot be run: {e.strerror}") from e
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as source:
            digest.update(f"\0{name}\0".encode() + source.read())
    cache = _cache()
    kept = os.path.join(cache, digest.hexdigest()[:32] + ".so") if cache else None
    if kept and os.path.exists(kept):
        os.utime(kept)
        return kept
    try:
        done = subprocess.run(["make", "-s", "-C", folder, "-f", "Makefile", "-f", "module.mk",
                               f"-j{os.cpu_count() or 1}", f"CC={compiler}", f"CFLAGS={flags}", "module.so"],
                              capture_output=True, text=True, errors="replace",
                              env={k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")})
    except OSError as e:
        raise _failed("the library is built by make, which is not installed") from e
    made = os.path.join(folder, "module.so")
    if done.returncode:
        raise _failed("the C compiler ends with an error:\n" + done.stderr.strip())
    if not kept or not cache:
        return made
    # whole or not at all, whoever else writes it
    part = f"{kept}.{os.getpid()}"
    try:
        shutil.copyfile(made, part)
        os.replace(part, kept)
    except OSError:
        return made
    every = [os.path.join(cache, n) for n in os.listdir(cache) if n.endswith(".so")]
    for old in sorted(every, key=os.path.getmtime)[:-MOST_KEPT]:
        os.remove(old)
    return kept


class Library:
    """A model as compiled C. `Model.xdot` and the like use one that has the model's values.

    `width` is the number of states that `batch` evaluates at once, in vectors: 8, or 1 for models with
    events, functions or equations that are solved at run time.
    `states`, `inputs`, `outputs` and `parameters` are names in the order of x, u, y and p; `rows` and
    `columns` those of the Jacobian. Arrays of 64-bit floats in C order are read and written where they
    lie; others are converted first.

    u: values of the inputs in order, or by name; those that are not given have their start values.
    p: values of parameters, likewise. Relations (x > 1) are those at t and x; discrete variables have the
    values of the start of a run, and of an event at t and x if a relation has changed.
    """

    def __init__(self, program: Program, words: Sequence[str], given: Mapping[str, str]):
        self._folder = tempfile.TemporaryDirectory(prefix="rung-")
        source = os.path.join(self._folder.name, "library")
        words = [*words, "--kind", "library", "--output", source]
        self.width = 8
        try:
            answer = program.call("compile", [*words, "--lanes", "8"], stacklevel=4)
        except ModelError as e:
            if e.code != "G07":  # no code for several instances at once
                raise
            answer = program.call("compile", words, stacklevel=4)
            self.width = 1
        about = answer.output
        defined = ["HAS_LANES"] if self.width > 1 else []
        defined += ["HAS_EVENTS"] if about["events"] else []
        self.id: str = about["id"]
        self._code = ctypes.CDLL(_compiled(source, self.id, defined))
        sorts = {sort: about.get(sort, []) for sort in ("states", "inputs", "outputs", "parameters")}
        self.states, self.inputs, self.outputs, self.parameters = (
            [v["name"] for v in each] for each in sorts.values())
        self.units: Dict[str, str] = {v["name"]: v.get("unit", "") for each in sorts.values() for v in each}
        self.rows: List[str] = about.get("jacobian", {}).get("rows", [])
        self.columns: List[str] = about.get("jacobian", {}).get("columns", [])
        self._place = {v["name"]: int(v["place"]) for v in sorts["parameters"]}
        self._sizes = len(self.states), len(self.outputs)
        self._lock = threading.Lock()
        self._declare()
        self._instance = ctypes.create_string_buffer(self._code.rung_instance_size())
        self._start = ctypes.create_string_buffer(len(self._instance))  # as it is at the start of a run
        # eight instances at once, aligned for vectors
        self._lanes_memory = ctypes.create_string_buffer(self._code.rung_lanes_size() + 64)
        self._lanes = -(-ctypes.addressof(self._lanes_memory) // 64) * 64
        at = self._code.rung_instance_inputs(self._instance)
        n = len(self.inputs)
        self._u = np.ctypeslib.as_array(at, (n,)) if n else np.zeros(0)
        self._model_values = {self._number(n): float(_value(n, t)) for n, t in given.items()}
        self._now: Optional[Tuple[Tuple[int, float], ...]] = None
        if "free" in self._call:
            weakref.finalize(self, self._call["free"], self._instance)
        self._set(None)

    def _declare(self) -> None:
        """The functions of M.h, and those of batch.c."""
        c, pointer, number = self._code, ctypes.c_void_p, ctypes.c_double
        c.rung_instance_size.restype = ctypes.c_size_t
        c.rung_instance_inputs.restype = ctypes.POINTER(number)
        c.rung_batch.restype = ctypes.c_size_t
        c.rung_evaluate_at.argtypes = [pointer, pointer, pointer, number, pointer, pointer]
        c.rung_lanes_size.restype = ctypes.c_size_t
        c.rung_batch.argtypes = [pointer, pointer, pointer, ctypes.c_size_t, number, pointer, pointer, pointer]
        at = [pointer, number, pointer, pointer]
        kinds = {"defaults": [pointer], "set": [pointer, ctypes.c_uint, number], "why": [pointer],
                 "init": [pointer, number, pointer], "xdot": at, "outputs": at, "jacobian": at, "free": [pointer]}
        self._call: Dict[str, Any] = {}
        for name, arguments in kinds.items():
            function = getattr(c, f"{self.id}_{name}", None)  # not all models have all of them
            if function:
                function.argtypes = arguments
                function.restype = {"why": ctypes.c_char_p, "init": ctypes.c_int}.get(
                    name, ctypes.c_int if arguments is at else None)
                self._call[name] = function

    # -- values --

    def _number(self, name: str) -> int:
        if name not in self._place:
            raise ModelError([Message("error", f"the compiled model has no parameter '{name}' that can be set: "
                                      "structural ones are given to Model(...)")])
        return self._place[name]

    def _why(self) -> str:
        """Of the last function that failed."""
        said: bytes = self._call["why"](self._instance) or b""
        return said.decode("utf-8", "replace") or "the model cannot be evaluated"

    def _check(self, status: int) -> None:
        if status:
            raise RunError([message_of(self._why(), "error")], 3)

    def _set(self, p: Values) -> None:
        """Gives the instance these values of parameters, unless it has them."""
        values = dict(self._model_values)
        if isinstance(p, Mapping):
            for name, value in p.items():
                array = np.asarray(value, float)
                for at in np.ndindex(array.shape):
                    whole = f"{name}[{','.join(str(i + 1) for i in at)}]" if at else name
                    values[self._number(whole)] = float(array[at])
        elif p is not None:
            numbers = np.asarray(p, float)
            if numbers.shape != (len(self.parameters),):
                raise ValueError(f"p has shape {numbers.shape}, not ({len(self.parameters)},)")
            values.update(zip(self._place.values(), map(float, numbers)))
        wanted = tuple(sorted(values.items()))
        if wanted == self._now:
            return
        self._now = None
        if "free" in self._call:
            self._call["free"](self._instance)
        self._call["defaults"](self._instance)
        for place, value in wanted:
            self._call["set"](self._instance, place, value)
        self._x0 = np.zeros(self._sizes[0])
        self._check(self._call["init"](self._instance, 0.0, self._x0.ctypes.data))
        self._u0 = self._u.copy()
        ctypes.memmove(self._start, self._instance, len(self._start))
        self._now = wanted

    def _inputs(self, u: Values) -> None:
        if u is None:
            self._u[:] = self._u0
        elif isinstance(u, Mapping):
            self._u[:] = self._u0
            for name, value in u.items():
                if name not in self.inputs:
                    raise ModelError([Message("error", f"the model has no input '{name}'")])
                self._u[self.inputs.index(name)] = value
        else:
            numbers = np.asarray(u, float)
            if numbers.shape != self._u.shape:
                raise ValueError(f"u has shape {numbers.shape}, not {self._u.shape}")
            self._u[:] = numbers

    def _state(self, x: Any) -> np.ndarray:
        x = np.ascontiguousarray(x, np.float64)
        if x.shape != (self._sizes[0],):
            raise ValueError(f"x has shape {x.shape}, not ({self._sizes[0]},)")
        return x

    # -- evaluations --

    def start(self, p: Values = None) -> np.ndarray:
        """The states at the start of a run, where the initial equations hold."""
        with self._lock:
            self._set(p)
            return self._x0.copy()

    def _evaluate(self, name: str, t: float, x: Any, u: Values, p: Values, out: np.ndarray) -> np.ndarray:
        x = self._state(x)
        with self._lock:
            self._set(p)
            self._inputs(u)
            self._check(self._code.rung_evaluate_at(self._call[name], self._instance, self._start, t, x.ctypes.data,
                                                    out.ctypes.data))
        return out

    def xdot(self, t: float, x: Any, u: Values = None, p: Values = None, *,
             out: Optional[np.ndarray] = None) -> np.ndarray:
        """The derivatives of the states, into `out` if it is given."""
        out = _room(out, (self._sizes[0],))
        return self._evaluate("xdot", t, x, u, p, out)

    def y(self, t: float, x: Any, u: Values = None, p: Values = None, *,
          out: Optional[np.ndarray] = None) -> np.ndarray:
        """The outputs."""
        out = _room(out, (self._sizes[1],))
        return self._evaluate("outputs", t, x, u, p, out)

    def jacobian(self, t: float, x: Any, u: Values = None, p: Values = None) -> np.ndarray:
        """Derivatives of (states' derivatives, outputs) by (states, inputs): (A B; C D), symbolic ones.
        The order is that of `rows` and `columns`; columns of parameters, if there are any, come last."""
        if not self.rows:
            raise ModelError([Message("error", "the library has no Jacobian: something in the model has no "
                                      "derivative, or its equations are too many")])
        out = np.empty((len(self.rows), len(self.columns)), order="F")
        return self._evaluate("jacobian", t, x, u, p, out)

    def batch(self, X: Any, u: Values = None, p: Values = None, *, t: float = 0.0,
              out: Optional[np.ndarray] = None) -> np.ndarray:
        """The derivatives at many states, the rows of X. u: as in `xdot`, or a row for each row of X.
        Rows that cannot be evaluated are NaN, with a warning."""
        X = np.ascontiguousarray(X, np.float64)
        n = self._sizes[0]
        if X.ndim != 2 or X.shape[1] != n:
            raise ValueError(f"X has shape {X.shape}, not (any, {n})")
        out = _room(out, X.shape)
        each = None
        if u is not None and not isinstance(u, Mapping) and np.ndim(u) == 2:
            each = np.ascontiguousarray(u, np.float64)
            if each.shape != (X.shape[0], self._u.size):
                raise ValueError(f"u has shape {each.shape}, not ({X.shape[0]}, {self._u.size})")
        with self._lock:
            self._set(p)
            self._inputs(None if each is not None else u)
            failed = self._code.rung_batch(self._instance, self._start, self._lanes, X.shape[0], t, X.ctypes.data,
                                           None if each is None else each.ctypes.data, out.ctypes.data)
            why = self._why() if failed else ""
        if failed:
            warnings.warn(f"{failed} of {X.shape[0]} states cannot be evaluated: {why}", RungWarning, stacklevel=3)
        return out

    def __repr__(self) -> str:
        return (f"<a library of {self.id}: {len(self.states)} states, {len(self.inputs)} inputs, "
                f"{len(self.outputs)} outputs, {len(self.parameters)} parameters>")


def _value(name: str, text: str) -> float:
    if text in ("true", "false"):
        return float(text == "true")
    try:
        return float(text)
    except ValueError:
        raise ModelError([Message("error", f"parameter '{name}' cannot be set to '{text}'")]) from None


def _room(out: Optional[np.ndarray], shape: Tuple[int, ...]) -> np.ndarray:
    if out is None:
        return np.empty(shape)
    if out.shape != shape or out.dtype != np.float64 or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"out must be a writeable array of float64 in C order, of shape {shape}")
    return out
