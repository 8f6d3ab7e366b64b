"""Pages and pictures that the program writes; a notebook shows them."""
from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from typing import Union

__all__ = ["Page", "Picture"]

Path = Union[str, "os.PathLike[str]"]


class Page:
    """A page that holds everything it needs. The last expression of a notebook's cell shows it."""

    def __init__(self, text: str, height: int = 480):
        self.text = text
        self.height = height

    def save(self, path: Path) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.text)

    def open(self) -> None:
        """Opens the page in the browser, from a file in the temporary directory."""
        handle, path = tempfile.mkstemp(".html", "rung-")
        os.close(handle)
        self.save(path)
        webbrowser.open("file://" + path)

    def _repr_html_(self) -> str:
        # a frame of its own, so that styles and scripts of page and notebook do not meet
        return (f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="{self.height}" '
                'style="border: 0" sandbox="allow-scripts allow-downloads"></iframe>')

    def __repr__(self) -> str:
        return f"<a page of {len(self.text)} characters: save(path), open()>"


class Picture:
    """A picture as SVG."""

    def __init__(self, svg: str):
        self.svg = svg

    def save(self, path: Path) -> None:
        """Writes the picture to a file, as SVG."""
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.svg)

    def _repr_html_(self) -> str:
        # without the XML declaration, which HTML does not know
        return self.svg[self.svg.index("<svg"):]

    def __repr__(self) -> str:
        return f"<a picture of {len(self.svg)} characters of SVG: save(path)>"
