"""Tables: columns by name."""
from __future__ import annotations

import csv
import html
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

__all__ = ["Table", "column_of", "to_dataframe", "table_html"]


def column_of(texts: Sequence[Any]) -> np.ndarray:
    """An array of numbers if the values are numbers, some of them empty (then NaN); else of texts."""
    if all(t in ("", None) for t in texts):
        return np.array(["" for _ in texts])
    try:
        return np.array([float(t) if t not in ("", None) else np.nan for t in texts])
    except (TypeError, ValueError):
        return np.array([str(t) for t in texts])


def to_dataframe(columns: Mapping[str, Any], index: Optional[Any] = None) -> Any:
    """A pandas.DataFrame; pandas is imported here and nowhere else."""
    try:
        import pandas
    except ImportError as e:
        raise ImportError("to_dataframe() needs pandas (on Debian: python3-pandas)") from e
    return pandas.DataFrame(dict(columns), index=index)


def table_html(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table for a notebook."""
    def row(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(show(c))}</{tag}>" for c in cells) + "</tr>"

    def show(cell: Any) -> str:
        return f"{cell:.6g}" if isinstance(cell, float) else str(cell)

    return ("<table><thead>" + row(head, "th") + "</thead><tbody>" +
            "".join(row(r, "td") for r in rows) + "</tbody></table>")


class Table(Mapping[str, np.ndarray]):
    """Columns by name, all of one length; `t[k]` is row number k as a dict."""

    def __init__(self, columns: Mapping[str, Sequence[Any]]):
        self._columns: Dict[str, np.ndarray] = {n: column_of(c) for n, c in columns.items()}

    @classmethod
    def read(cls, path: str) -> "Table":
        """A table from a CSV file with names in its first row."""
        with open(path, newline="", encoding="utf-8") as f:
            head, *rows = list(csv.reader(f))
        return cls({name: [r[k] for r in rows] for k, name in enumerate(head)})

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()), ()))

    @property
    def names(self) -> List[str]:
        """The names of the columns."""
        return list(self._columns)

    def row(self, k: int) -> Dict[str, Any]:
        """Row number k, from 0."""
        return {n: c[k].item() for n, c in self._columns.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_dataframe(self) -> Any:
        """The table as a pandas.DataFrame."""
        return to_dataframe(self._columns)

    def _repr_html_(self) -> str:
        most = 20
        rows = [list(self.row(k).values()) for k in range(min(self.n_rows, most))]
        more = f"<p>{self.n_rows - most} more rows</p>" if self.n_rows > most else ""
        return table_html(self.names, rows) + more

    def __repr__(self) -> str:
        return f"<a table of {self.n_rows} rows: {', '.join(self.names)}>"
