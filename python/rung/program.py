"""The program `rung`: where it is, how it is called, and how its messages become exceptions."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import warnings
from dataclasses import dataclass, field
from typing import Any, List, Optional, Sequence, Tuple

__all__ = ["Edit", "Message", "Error", "ModelError", "UsageError", "RunError", "FileError", "RungWarning",
           "Answer", "Program", "find_program"]


@dataclass(frozen=True)
class Edit:
    """The change that a message proposes: `text` in place of the characters from `line`, `column` to
    `end_line`, `end_column`, which is behind the last one."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Message:
    """A message about a model, with the place in the file that it is about.

    `code` has a letter for the stage: P parse, N names, T types, F flatten, S structure, E eliminate,
    G generate, R values. It is "" in notes and in messages of a run. `line` and `column` count from 1;
    both are 0, and `file` is "", where there is no place. `edit` is the change that the message
    proposes ("did you mean 'sin'?"), if it does.
    """

    severity: str
    text: str
    code: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    edit: Optional[Edit] = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        code = f" {self.code}" if self.code else ""
        return f"{place}{self.severity}{code}: {self.text}"


class RungWarning(UserWarning):
    """A warning of the program: about the model, or about a run."""


class Error(Exception):
    """The program ended with an error. The first message of severity "error" gives `code`, `file`,
    `line`, `column` and `text`; `messages` has all of them, warnings and notes too."""

    def __init__(self, messages: Sequence[Message], status: int = 1):
        self.messages: Tuple[Message, ...] = tuple(messages)
        self.status = status
        first = next((m for m in self.messages if m.severity == "error"), None)
        first = first or Message("error", f"rung ended with status {status}")
        self.code, self.text = first.code, first.text
        self.file, self.line, self.column = first.file, first.line, first.column
        super().__init__("\n".join(str(m) for m in self.messages) or first.text)

    def __reduce__(self) -> Any:
        return type(self), (self.messages, self.status)


class ModelError(Error):
    """The model has errors, or cannot be translated."""


class UsageError(Error):
    """Options that contradict each other, or have wrong values."""


class RunError(Error):
    """A run stopped early. `result` has the rows up to there; None if there are none."""

    result: Any = None


class FileError(Error):
    """A file or a tool is missing, or cannot be written."""


ERRORS = {1: ModelError, 2: UsageError, 3: RunError, 4: FileError}

# rope.mo:5:3: assertion violated ...
PLACE = re.compile(r"(?:rung: )?(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)", re.S)


def message_of(text: str, severity: str) -> Message:
    """A message from a line of text; the place, if it begins with one."""
    match = PLACE.fullmatch(text)
    if match:
        return Message(severity, match["text"], file=match["file"], line=int(match["line"]),
                       column=int(match["column"]))
    return Message(severity, text[6:] if text.startswith("rung: ") else text)


def place_of(object: Any) -> Tuple[int, int, int, int]:
    return object["line"], object["column"], object["endLine"], object["endColumn"]


def read_messages(stderr: str) -> Tuple[List[Message], List[str]]:
    """Messages about the model, from the JSON arrays of `--diagnostics json`, and the other lines."""
    found: List[Message] = []
    rest: List[str] = []
    array: Optional[List[str]] = None
    for line in stderr.splitlines():
        if array is not None:
            array.append(line)
            if line == "]":
                for m in json.loads("\n".join(array)):
                    e = m.get("edit")
                    edit = e and Edit(*place_of(e), e["newText"])
                    found.append(Message(m["severity"], m["message"], m["code"], m["file"], *place_of(m),
                                         edit=edit))
                array = None
        elif line == "[":
            array = [line]
        elif line and line != "[]":
            rest.append(line)
    return found, rest + (array or [])


def find_program(program: Optional[str] = None) -> str:
    """The path of the program: the argument, else the environment variable RUNG, else `rung` in PATH."""
    wanted = program or os.environ.get("RUNG") or "rung"
    path = shutil.which(os.path.expanduser(wanted))
    if path:
        return os.path.abspath(path)
    said = ("the argument program" if program else
            "the environment variable RUNG" if os.environ.get("RUNG") else None)
    text = (f"there is no program '{wanted}', which {said} names" if said else
            "the program rung is not in PATH; name it by the argument program or by the environment "
            "variable RUNG")
    raise FileError([Message("error", text)], 4)


@dataclass
class Answer:
    """The output of one call of the program."""

    status: int
    output: Any  # the JSON of standard output; None if there is none
    messages: List[Message] = field(default_factory=list)
    lines: List[str] = field(default_factory=list)  # of standard error, without the messages

    def error(self, text: str = "") -> Error:
        """The exception for this answer; text: why a run failed."""
        said = [m for m in self.messages]
        lines = [line for line in self.lines if line != f"rung: {text}"]
        if text:
            said.append(message_of(text, "error"))
        elif not any(m.severity == "error" for m in said) and lines:
            # of several lines the first is the message, the others explain it
            said.append(message_of(lines.pop(0), "error"))
        said += [message_of(line, "note") for line in lines]
        return ERRORS.get(self.status, Error)(said, self.status)

    def warn(self, stacklevel: int) -> None:
        """Passes on the warnings of a call that succeeded."""
        for m in self.messages:
            if m.severity == "warning":
                warnings.warn(str(m), RungWarning, stacklevel=stacklevel + 1)
        for line in self.lines:
            # the model is compiled again for a structural parameter: what was asked for
            if not line.startswith("rung: fixed when"):
                warnings.warn(line[6:] if line.startswith("rung: ") else line, RungWarning,
                              stacklevel=stacklevel + 1)


class Program:
    """The program at a path; each call is one process."""

    def __init__(self, program: Optional[str] = None):
        self.path = find_program(program)

    def call(self, command: str, words: Sequence[str], *, as_json: bool = True,
             allowed: Sequence[int] = (0,), stacklevel: int = 2) -> Answer:
        """Runs a command. Raises an `Error` if its status is none of `allowed`."""
        line = [self.path, command, *words, "--diagnostics", "json", "--progress", "none"]
        line += ["--format", "json"] if as_json else ["-q"]
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                              errors="replace")
        messages, lines = read_messages(done.stderr)
        output = None
        if as_json and done.stdout.strip():
            output = json.loads(done.stdout)
        if done.returncode < 0:
            lines.insert(0, f"rung: the program was ended by signal {-done.returncode}")
        answer = Answer(done.returncode, output, messages, lines)
        if done.returncode == 130:
            raise KeyboardInterrupt
        if done.returncode not in allowed:
            raise answer.error()
        if done.returncode == 0:
            answer.warn(stacklevel + 1)
        return answer
