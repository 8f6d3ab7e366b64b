"""Checks a folder of pages that `rung doc` wrote, by the parser of Python's library: every link of every page
leads to a file and, with #place, to an id on it; elements are closed in order; nothing runs but search.js and nothing
is loaded from elsewhere; every page can be reached from index.html; the search index names every page.

usage: check_pages.py DIR
"""

import html.parser
import json
import pathlib
import sys
import urllib.parse

VOID = {"meta", "link", "input", "img", "br", "hr", "col", "wbr"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.loaded, self.faults, self.open = set(), [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.start(tag, attributes)

    def start(self, tag, attributes):
        for name, value in attributes:
            value = value or ""
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"two elements have the id {value}")
                self.ids.add(value)
            elif name == "href":
                (self.loaded if tag in ("link", "image") else self.links).append(value)
            elif name == "src":
                self.loaded.append(value)
            elif name.startswith("on") or name == "style":
                self.faults.append(f"attribute {name}")
        if tag == "script" and not dict(attributes).get("src", "").endswith("search.js"):
            self.faults.append("a script")
        if tag in ("iframe", "object", "embed", "form", "base"):
            self.faults.append(f"<{tag}>")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


def main(folder):
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    pages = {n: Page((folder / n).read_text(encoding="utf-8")) for n in sorted(files) if n.endswith(".html")}
    faults, n_links, next_pages = [], 0, {n: set() for n in pages}
    for name, page in pages.items():
        faults += [f"{name}: {f}" for f in page.faults]
        for link in page.links + page.loaded:
            n_links += 1
            url = urllib.parse.urlsplit(link)
            if link in page.loaded and url.scheme == "data":
                continue
            if url.scheme in ("http", "https", "mailto") and link not in page.loaded:
                continue
            if url.scheme or url.netloc:
                faults.append(f"{name}: {link}")
                continue
            here = pathlib.PurePosixPath(name).parent
            target = name
            if url.path:
                target = (folder / here / urllib.parse.unquote(url.path)).resolve()
                target = target.relative_to(folder).as_posix() if target.is_relative_to(folder) else ".."
            if target not in files:
                faults.append(f"{name}: {link} leads to no file")
            elif target in pages:
                next_pages[name].add(target)
                if url.fragment and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                    faults.append(f"{name}: {link} names no place there")
    reached, todo = {"index.html"}, ["index.html"]
    while todo:
        new = next_pages[todo.pop()] - reached
        reached |= new
        todo += new
    faults += [f"{n} is not reached from index.html" for n in sorted(set(pages) - reached)]
    index = (folder / "search_index.js").read_text(encoding="utf-8").strip()
    rows = json.loads(index[len("rung_search_index(") : -len(");")])
    listed = [row[3] for row in rows]
    if sorted(listed) != sorted(n for n in pages if n != "index.html"):
        faults.append("the search index lists other pages than there are")
    faults += [f"search index: {row[4]}" for row in rows if row[4] and row[4] not in files]
    lower = {}
    for n in files:
        if lower.setdefault(n.lower(), n) != n:
            faults.append(f"{n} and {lower[n.lower()]} differ by case only")
    listed = set((folder / "rung-doc.txt").read_text(encoding="utf-8").splitlines()[1:]) | {"rung-doc.txt"}
    if listed != files:
        faults.append(f"rung-doc.txt: {sorted(listed ^ files)[:5]}")
    for fault in faults[:30]:
        print(fault)
    print(f"{len(pages)} pages, {n_links} links, {len(faults)} faults")
    return bool(faults) or len(pages) < 2


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
