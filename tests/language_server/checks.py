"""Expectations of sessions, and questions at places of a text."""
failures = []


def expect(truth, *what):
    if not truth:
        failures.append(what)
        print("FAILED:", *what)


def encoded(text, utf8=False):
    """The number of columns of a text."""
    return len(text.encode()) if utf8 else len(text.encode("utf-16-le")) // 2


def at(text, word, inside=0, after=0, utf8=False):
    """The position of a word in a text, in units of UTF-16 or UTF-8."""
    k = text.index(word, after) + inside
    line = text.count("\n", 0, k)
    start = text.rfind("\n", 0, k) + 1
    return {"line": line, "character": encoded(text[start:k], utf8)}


def ask(client, uri, method, position=None, **more):
    return client.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position or {
        "line": 0, "character": 0}, "options": {"tabSize": 4, "insertSpaces": True}, **more})


def ranges(text, marked, word, utf8=False):
    """The ranges of `word` that `marked`, the same text otherwise, has as <<word>>."""
    found, k = [], 0
    for part in marked.split(f"<<{word}>>")[:-1]:
        k += len(part)
        start = at(text, word, after=k, utf8=utf8)
        found.append((start["line"], start["character"], start["character"] + encoded(word, utf8)))
        k += len(word)
    return found
