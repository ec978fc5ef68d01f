/* Makes tables sort and filter, lets the marks of figures tell what they stand for, and opens
   collapsed parts for links and for paper. Without it the page holds the same, only still. */
"use strict";

(() => {
  const ROWS_TO_SORT = 3;
  const ROWS_TO_FILTER = 9;
  const REACH = 22;
  const ABSENT = "\u2013";

  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  const numberOf = (cell) => Number(cell.dataset.sort);

  const isAbsent = (cell) => ["", ABSENT].includes(cell.textContent.trim());

  /* The rows by one column; rows without a value come last, equal ones keep their order. */
  const sorted = (rows, column, direction) => {
    const cells = new Map(rows.map((row) => [row, row.cells[column]]));
    const present = rows.filter((row) => !isAbsent(cells.get(row)));
    const numeric = isNumeric(rows, column);
    const words = new Intl.Collator("en", { numeric: true });
    const compare = (a, b) =>
      numeric
        ? numberOf(cells.get(a)) - numberOf(cells.get(b))
        : words.compare(cells.get(a).textContent, cells.get(b).textContent);
    present.sort((a, b) => direction * compare(a, b));
    return [...present, ...rows.filter((row) => isAbsent(cells.get(row)))];
  };

  const isNumeric = (rows, column) => {
    const present = rows.map((row) => row.cells[column]).filter((cell) => !isAbsent(cell));
    return present.length > 0 && present.every((cell) => !Number.isNaN(numberOf(cell)));
  };

  /* Numbers begin with the largest, words with the first; a third press brings the page's order. */
  const makeSortable = (table) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = make("button", { type: "button", textContent: head.textContent });
      head.replaceChildren(button);
      const first = isNumeric(rows, column) ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const next = now === null ? first : now === first ? second : null;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (next) head.setAttribute("aria-sort", next);
        const direction = next === "ascending" ? 1 : -1;
        body.append(...(next ? sorted(rows, column, direction) : rows));
      });
    });
  };

  /* A box above the table; a row stays while it holds every word of it. */
  const makeFilterable = (table) => {
    const rows = [...table.tBodies[0].rows];
    const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" "));
    const box = make("input", { type: "search", autocomplete: "off", spellcheck: false });
    const count = make("output", { textContent: `${rows.length} rows` });
    const label = make("label", { textContent: "Filter " });
    const line = make("p", { className: "filter" });
    label.append(box);
    line.append(label, " ", count);
    table.closest(".scroll").before(line);
    box.addEventListener("input", () => {
      const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      rows.forEach((row, i) => {
        const text = texts[i].toLowerCase();
        row.hidden = !wanted.every((word) => text.includes(word));
      });
      const shown = rows.filter((row) => !row.hidden).length;
      count.textContent =
        shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
    });
  };

  /* The words of a mark in a box beside the pointer; the nearest mark within a finger's reach. */
  const tip = make("div", { className: "tip", hidden: true });
  tip.setAttribute("aria-hidden", "true");
  let told = null;

  const tell = (mark, event) => {
    if (mark !== told) {
      told?.classList.remove("told");
      mark?.classList.add("told");
      told = mark;
      tip.hidden = !mark;
      tip.textContent = mark ? mark.dataset.tip : "";
    }
    if (!mark) return;
    const width = document.documentElement.clientWidth;
    const left = Math.min(event.clientX + 12, width - tip.offsetWidth - 6);
    const below = event.clientY + 18;
    const fits = below + tip.offsetHeight < window.innerHeight;
    const top = fits ? below : event.clientY - tip.offsetHeight - 12;
    tip.style.left = `${Math.max(6, left) + window.scrollX}px`;
    tip.style.top = `${top + window.scrollY}px`;
  };

  const nearest = (marks, event) => {
    let found = null;
    let best = [REACH, Infinity];
    for (const mark of marks) {
      const box = mark.getBoundingClientRect();
      const x = event.clientX;
      const y = event.clientY;
      const outside = Math.hypot(
        Math.max(box.left - x, 0, x - box.right),
        Math.max(box.top - y, 0, y - box.bottom),
      );
      const center = Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y);
      if (outside < best[0] || (outside === best[0] && center < best[1])) {
        found = mark;
        best = [outside, center];
      }
    }
    return found;
  };

  const makeTelling = (plot) => {
    const marks = [...plot.querySelectorAll(".mark > title")].map((title) => {
      const mark = title.parentNode;
      mark.dataset.tip = title.textContent;
      title.remove();
      return mark;
    });
    if (!marks.length) return;
    for (const kind of ["pointermove", "pointerdown"]) {
      plot.addEventListener(kind, (event) => tell(nearest(marks, event), event));
    }
    plot.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") tell(null, event);
    });
  };

  /* Opens every collapsed part around the element that the address names. */
  const openTarget = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let part = target; part; part = part.parentElement) {
      if (part.localName === "details") part.open = true;
    }
    target?.scrollIntoView();
  };

  for (const table of document.querySelectorAll(".scroll > table")) {
    const rows = table.tBodies[0].rows.length;
    if (rows >= ROWS_TO_SORT) makeSortable(table);
    if (rows >= ROWS_TO_FILTER) makeFilterable(table);
  }
  document.body.append(tip);
  document.querySelectorAll(".plot").forEach(makeTelling);
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".plot")) tell(null, event);
  });

  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((part) => { part.open = true; });
  });
  window.addEventListener("afterprint", () => opened.forEach((part) => { part.open = false; }));
  window.addEventListener("hashchange", openTarget);
  openTarget();
})();
