"""rung: Modelica models as fast C, from Python.

    import rung
    m = rung.Model("rope.mo")
    r = m.simulate(stop=3, n=16)
    r.time, r["hinge[1].phi"], r.units["hinge[1].phi"]

The package calls the program `rung`, which it finds by the argument `program` of `Model`, by the
environment variable RUNG, or in PATH. docs/python.md of rung has a page of examples.
"""
from .library import Library
from .model import Gradient, Linear, Model, Sweep, Variable
from .pages import Page, Picture
from .program import Edit, Error, FileError, Message, ModelError, RungWarning, RunError, UsageError
from .result import Result, read
from .table import Table

__all__ = ["Model", "Library", "Result", "Sweep", "Linear", "Gradient", "Variable", "Table", "Page", "Picture",
           "Message", "Edit", "Error", "ModelError", "UsageError", "RunError", "FileError", "RungWarning", "read"]
__version__ = "0.2"
