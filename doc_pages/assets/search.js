"use strict";
/* Search in names, descriptions and members. The index is a script that calls rung_search_index, since
   pages from the file system may not read other files; it is loaded when the field is entered. */
(() => {
  const root = document.currentScript.dataset.root;
  const box = document.getElementById("search");
  const field = box.querySelector("input"), list = box.querySelector("ol");
  const SHOWN = 60;
  let rows = null, wanted = false, at = -1;

  window.rung_search_index = (index) => {
    rows = index.map(([name, text, kind, page, icon, members]) => {
      const lower = name.toLowerCase();
      return { name, text, kind, page, icon, lower, last: lower.slice(lower.lastIndexOf(".") + 1),
               about: text.toLowerCase(), members: members.toLowerCase().split(" ") };
    });
    show();
  };

  function load() {
    if (wanted) return;
    wanted = true;
    const script = document.createElement("script");
    script.src = root + "search_index.js";
    document.head.append(script);
  }

  /* How well a row fits a word; 0: not at all. */
  function worth(row, word) {
    if (row.last === word) return 100;
    if (row.last.startsWith(word)) return 60;
    if (row.last.includes(word)) return 40;
    if (row.members.includes(word)) return 25;
    if (row.lower.includes(word)) return 20;
    if (row.about.includes(word)) return 15;
    return row.members.some((m) => m.includes(word)) ? 5 : 0;
  }

  function found(words) {
    const hits = [];
    rows.forEach((row, k) => {
      let sum = 0;
      for (const word of words) {
        const w = worth(row, word);
        if (!w) return;
        sum += w;
      }
      hits.push({ row, k, sum });
    });
    return hits.sort((a, b) => b.sum - a.sum || a.row.name.length - b.row.name.length || a.k - b.k);
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    at = -1;
    if (!rows || !words.length) return;
    const hits = found(words);
    for (const { row } of hits.slice(0, SHOWN)) {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = root + row.page;
      const picture = document.createElement(row.icon ? "img" : "span");
      if (row.icon) { picture.src = root + row.icon; picture.alt = ""; }
      const name = document.createElement("b"), text = document.createElement("small");
      name.textContent = row.name;
      text.textContent = row.kind + (row.text ? ": " + row.text : "");
      link.append(picture, name, text);
      item.append(link);
      list.append(item);
    }
    if (!hits.length) {
      const item = document.createElement("li");
      item.textContent = "no class found";
      item.style.padding = "8px 12px";
      list.append(item);
    }
  }

  function move(step) {
    const items = list.querySelectorAll("li");
    if (!items.length) return;
    if (at >= 0) items[at].classList.remove("at");
    at = (at + step + items.length) % items.length;
    items[at].classList.add("at");
    items[at].scrollIntoView({ block: "nearest" });
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", () => { load(); show(); });
  field.addEventListener("keydown", (e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      move(e.key === "ArrowDown" ? 1 : -1);
    } else if (e.key === "Enter") {
      const link = list.querySelector("li.at a") || list.querySelector("a");
      if (link) location.href = link.href;
    } else if (e.key === "Escape") {
      field.value = "";
      show();
      field.blur();
    }
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && document.activeElement !== field) { e.preventDefault(); field.focus(); }
  });
  document.addEventListener("click", (e) => { if (!box.contains(e.target)) list.textContent = ""; });
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) { field.value = asked; load(); }
})();
