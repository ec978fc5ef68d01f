/* Makes tables sort and filter. */

import { make } from "./elements.js";

const ROWS_TO_SORT = 3;
const ROWS_TO_FILTER = 9;
const ABSENT = "\u2013";
const LONG = 40;

/**
 * What a cell shows, and the number behind it where it has one.
 * @typedef {{text: string, sort: string | undefined}} Content
 */

/** @param {Content} cell */
const isAbsent = (cell) => ["", ABSENT].includes(cell.text.trim());

/**
 * Whether a column holds numbers, gaps apart.
 * @param {Content[]} column
 */
export function isNumeric(column) {
  const present = column.filter((cell) => !isAbsent(cell));
  return present.length > 0 && present.every((cell) => !Number.isNaN(Number(cell.sort)));
}

/**
 * The places of a column's cells in order; gaps come last, equal ones keep their order.
 * @param {Content[]} column
 * @param {1 | -1} direction
 */
export function sortedPlaces(column, direction) {
  const places = column.map((cell, place) => ({ cell, place }));
  const words = new Intl.Collator("en", { numeric: true });
  const numeric = isNumeric(column);
  const present = places
    .filter(({ cell }) => !isAbsent(cell))
    .sort(({ cell: a }, { cell: b }) => {
      const order = numeric ? Number(a.sort) - Number(b.sort) : words.compare(a.text, b.text);
      return direction * order;
    });
  const absent = places.filter(({ cell }) => isAbsent(cell));
  return [...present, ...absent].map(({ place }) => place);
}

/**
 * Whether a row holds every word that is looked for.
 * @param {string} row
 * @param {string} wanted
 */
export function holds(row, wanted) {
  const text = row.toLowerCase();
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}

/**
 * The contents of a column.
 * @param {HTMLTableRowElement[]} rows
 * @param {number} place
 * @returns {Content[]}
 */
const columnOf = (rows, place) =>
  rows.map((row) => {
    const cell = row.cells[place];
    return { text: cell?.textContent ?? "", sort: cell?.dataset.sort };
  });

/**
 * Numbers begin with the largest, words with the first; a third press brings the page's order.
 * @param {HTMLTableElement} table
 * @param {HTMLTableSectionElement} body
 */
function makeSortable(table, body) {
  const rows = [...body.rows];
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, place) => {
    const button = make("button", { type: "button" }, head.textContent ?? "");
    const column = columnOf(rows, place);
    head.replaceChildren(button);
    const first = isNumeric(column) ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const next = now === null ? first : now === first ? second : null;
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next) head.setAttribute("aria-sort", next);
      const places = sortedPlaces(column, next === "ascending" ? 1 : -1);
      const ordered = next ? places.map((at) => /** @type {Node} */ (rows[at])) : rows;
      body.append(...ordered);
    });
  });
}

/**
 * A box above the table; a row stays while it holds every word of it.
 * @param {HTMLTableElement} table
 * @param {HTMLTableSectionElement} body
 */
function makeFilterable(table, body) {
  const rows = [...body.rows];
  const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" "));
  const box = /** @type {HTMLInputElement} */ (
    make("input", { type: "search", autocomplete: "off", spellcheck: "false" })
  );
  const count = make("output", {}, `${rows.length} rows`);
  const line = make("p", { class: "filter" }, make("label", {}, "Filter ", box), " ", count);
  table.closest(".scroll")?.before(line);
  box.addEventListener("input", () => {
    rows.forEach((row, i) => {
      row.hidden = !holds(texts[i] ?? "", box.value);
    });
    const shown = rows.filter((row) => !row.hidden).length;
    const all = shown === rows.length ? "" : `${shown} of `;
    count.textContent = `${all}${rows.length} rows`;
  });
}

/**
 * Show tables that are wider than their place as cards, a line each, so that nothing is cut off.
 * @param {HTMLTableElement[]} tables
 */
function fit(tables) {
  for (const table of tables) table.classList.remove("cards");
  const wide = tables.filter((table) => {
    const place = table.parentElement;
    return place !== null && place.scrollWidth > place.clientWidth + 1;
  });
  for (const table of wide) {
    nameCells(table);
    table.classList.add("cards");
  }
}

/**
 * Let each cell know its column's heading, whether it is empty, and whether it needs a line.
 * @param {HTMLTableElement} table
 */
function nameCells(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent ?? "");
  for (const row of table.tBodies[0]?.rows ?? []) {
    [...row.cells].forEach((cell, place) => {
      cell.dataset.column ??= heads[place] ?? "";
      const text = cell.textContent ?? "";
      cell.classList.toggle("long", text.length > LONG);
      cell.classList.toggle("gap", text.trim() === ABSENT);
    });
  }
}

/** The tables of a part of the page. @param {ParentNode} part */
const tablesIn = (part) =>
  /** @type {HTMLTableElement[]} */ ([...part.querySelectorAll(".scroll > table")]);

/** Keep every table inside its place. */
export const fitTables = () => fit(tablesIn(document));

/** The same where a part is opened or the window changes. */
export function keepTablesFit() {
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (width !== window.innerWidth) fitTables();
    width = window.innerWidth;
  });
  document.addEventListener(
    "toggle",
    (event) => fit(tablesIn(/** @type {Element} */ (event.target))),
    true,
  );
}

/** Every table of a part of the page that is long enough. @param {ParentNode} part */
export function helpTables(part) {
  for (const table of tablesIn(part)) {
    const body = table.tBodies[0];
    if (!body) continue;
    if (body.rows.length >= ROWS_TO_SORT) makeSortable(table, body);
    if (body.rows.length >= ROWS_TO_FILTER) makeFilterable(table, body);
  }
}
