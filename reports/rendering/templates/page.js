/* The page comes alive: figures are drawn from its numbers, and all follows what is chosen.
   Without it the page holds the card, its numbers, and what it was made from. */

import { bar, found, missing, readChoice, writeChoice } from "./choices.js";
import { make } from "./elements.js";
import { drawn, legend, tableOf } from "./figures.js";
import { readNumbers } from "./numbers.js";
import { unpackedText } from "./packed.js";

/** @typedef {import("./figures.js").Figure} Figure */
/** @typedef {import("./choices.js").Chosen} Chosen */

/** @param {string} id */
const data = (id) => JSON.parse(document.getElementById(id)?.textContent || "null");

/** @type {import("./interactions.js").Choice[]} */
const choices = data("choices") ?? [];
/** @type {string} */
const csv = await unpackedText(data("numbers") ?? "");
const numbers = readNumbers(csv);
const view = document.getElementById("view");
let open = false;

/** @type {Chosen | undefined} */
let chosen = choices[0] && { ...choices[0], clans: [] };

/**
 * A figure with its numbers in place of their lines in the table.
 * @param {HTMLElement} element
 * @returns {Figure}
 */
function figureOf(element) {
  const held = JSON.parse(element.dataset.figure ?? "{}");
  /** @type {[string, number, string, number | null, boolean][]} */
  const marks = held.marks;
  return {
    ...held,
    marks: marks.map(([label, line, series, across, hollow]) => ({
      label,
      number: numbers[line],
      series,
      across: across === null ? null : numbers[across],
      hollow,
    })),
  };
}

/** Draw every figure that stands on the page, as wide as it may be. */
function drawFigures() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("figure[data-figure]")
  )) {
    const figure = figureOf(element);
    const place = element.querySelector(".plot");
    const table = element.querySelector("details");
    if (!place || !table) continue;
    place.replaceChildren(...legend(figure), drawn(figure, Math.max(260, place.clientWidth)));
    if (!table.querySelector("table")) {
      table.addEventListener("toggle", () => {
        if (!table.querySelector("table"))
          table.append(make("div", { class: "scroll" }, tableOf(figure)));
      });
    }
  }
}

/** Show what is chosen, or say that it was not played. */
async function show() {
  if (!chosen || !view) return;
  const wanted = chosen;
  const choice = found(choices, wanted);
  const place = document.getElementById("choose");
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
  place?.replaceChildren(...bar(choices, wanted, open, choose));
  if (focused)
    /** @type {HTMLElement | null} */ (
      place?.querySelector(`[data-key="${CSS.escape(focused)}"]`)
    )?.focus();
  if (!choice) {
    const { text, nearest } = missing(choices, wanted);
    const go = make(
      "button",
      { type: "button" },
      `Show ${nearest?.who}, ${nearest?.players} players`,
    );
    go.addEventListener("click", () => nearest && choose({ ...nearest, clans: wanted.clans }));
    view.replaceChildren(make("div", { class: "lacks", role: "alert" }, make("p", {}, text), go));
    return;
  }
  const html = await unpackedText(choice.sections);
  if (wanted !== chosen) return;
  view.innerHTML = html;
  drawFigures();
}

/** @param {Partial<Chosen>} change @param {boolean} [opened] */
function choose(change, opened = open) {
  if (!chosen) return;
  const { edition, mode, players, who, clans } = { ...chosen, ...change };
  chosen = { edition, mode, players, who, clans };
  open = opened;
  history.replaceState(null, "", writeChoice(chosen));
  show();
}

/** Take the choice that the address names. */
function read() {
  const said = readChoice(location.hash);
  if (!said) return;
  chosen = said;
  open ||= said.clans.length > 0;
}

/** Tell the number under the pointer or in focus. */
function offerTips() {
  const tip = make("div", { id: "tip", hidden: true });
  document.body.append(tip);
  /** @param {Event} event */
  const tell = ({ target }) => {
    const mark = target instanceof Element ? target.closest(".mark") : null;
    tip.hidden = !mark;
    if (!mark) return;
    tip.textContent = mark.getAttribute("aria-label");
    const { left, bottom, width } = mark.getBoundingClientRect();
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(room, left + width / 2)) + scrollX}px`;
    tip.style.top = `${bottom + 6 + scrollY}px`;
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, tell);
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tip.hidden = true;
  });
}

/** Let the link to all numbers save them. */
function offerNumbers() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-carried]"));
  link?.addEventListener("click", () => {
    link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
    link.download = "numbers.csv";
  });
}

window.addEventListener("hashchange", () => {
  read();
  show();
});
let width = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  if (width === document.documentElement.clientWidth) return;
  width = document.documentElement.clientWidth;
  drawFigures();
});
read();
offerTips();
offerNumbers();
document.body.classList.add("alive");
if (chosen) await show();
else drawFigures();
