/* The script of a report: it draws the figures and shows what the reader chooses. Without scripts the
   page still shows one card, its numbers and its sources. */

import { changeRule } from "../../live/change_rule.js";
import { NEEDS, supported } from "../../live/engine.js";
import { stopPlaying } from "../../live/panel.js";
import { openPool } from "../../live/pool.js";
import { openSeat, seatAsked, showSeat } from "../../live/sit_down.js";
import { kindOf } from "../../live/table.js";
import { yourTable } from "../../live/your_table.js";
import { bar, isSame, nearest, readChoice, writeChoice } from "./choices.js";
import { focusOn, make, makeButton } from "./elements.js";
import { drawn, legend, tableOf } from "./figures.js";
import { readNumbers } from "./numbers.js";
import { unpackedData } from "./packed.js";

/** @import { Choice, Chosen } from "./choices.js" */
/** @import { Figure } from "./figures.js" */
/** @import { Table } from "../../live/table.js" */

/** @type {Choice[]} */
const choices = (await unpackedData("choices")) ?? [];
/** The sections of each choice, as HTML. @type {string[]} */
const sections = (await unpackedData("sections")) ?? [];
const numbers = readNumbers((await unpackedData("numbers")) ?? []);
const view = document.getElementById("view");
/** @type {(import("../../live/table.js").Live & {engine: import("../../live/engine.js").Live, seat: import("../../live/sit_down.js").Seat}) | null} */
const carried = await unpackedData("live");
/** The engine and its data; null if the page cannot play. */
const live = supported() ? carried : null;

/** @type {Chosen | undefined} */
let chosen = choices[0] && { ...choices[0], clans: [], changes: [] };

/** The panels that play games, by title; null if the page cannot play. */
const panels = live && {
  "Your table": yourTable(() => openPool(live.engine), choose, live.margins),
  "Change a rule": changeRule(() => openPool(live.engine), choose, live.margins),
};
/** What each panel is for, by its title. @type {Record<string, string>} */
const HINTS = { "Your table": "How fair are your clans?", "Change a rule": "See who gains." };
const doors = make("nav", { id: "doors", "aria-label": "Play" });
const play = make("div", {}, ...Object.values(panels ?? {}).map(({ element }) => element));
/** The titles of the panels that are open. @type {Set<string>} */
const opened = new Set();

/**
 * Read a figure from its element, and look up its numbers in the table.
 * @param {HTMLElement} element @returns {Figure}
 */
function figureOf(element) {
  const figure = JSON.parse(element.dataset.figure ?? "{}");
  /** @type {[string, number, string, boolean][]} */
  const marks = figure.marks;
  return {
    ...figure,
    marks: marks.map(([label, line, series, hollow]) => ({
      ...{ label, number: numbers[line], series, hollow },
    })),
  };
}

/** Draw every figure on the page. */
function drawFigures() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("figure[data-figure]")
  )) {
    const figure = figureOf(element);
    const place = element.querySelector(".plot");
    const table = element.querySelector("details");
    if (!place || !table) continue;
    place.replaceChildren(...legend(figure), drawn(figure, Math.max(260, place.clientWidth)));
    if (!table.querySelector("table"))
      table.append(make("div", { class: "scroll" }, tableOf(figure)));
  }
}

/** Show the chosen table. */
function show() {
  if (!chosen || !view) return;
  const wanted = chosen;
  const place = document.getElementById("choose");
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
  place?.replaceChildren(...bar(choices, wanted, choose));
  if (live) showDoors(kindOf(live, choices, wanted));
  else doors.replaceChildren(carried ? NEEDS : "This page carries no engine.");
  if (focused) focusOn(document, `:is(header, nav) [data-key="${CSS.escape(focused)}"]`);
  view.innerHTML = sections[choices.findIndex((choice) => isSame(choice, wanted))] ?? "";
  view.querySelector("#card")?.after(doors, play);
  drawFigures();
}

/** Show the panels at a table, and the buttons that open them or a seat. @param {Table} table */
function showDoors(table) {
  const toggles = Object.entries(panels ?? {}).map(([title, panel]) => {
    panel.show(table, opened.has(title));
    panel.element.hidden = !opened.has(title);
    return toggleOf(title, panel.element.id);
  });
  const rivals = table.players - 1;
  const hint = `Play ${rivals} ${rivals > 1 ? "rivals" : "rival"}.`;
  const takeSeat = () => chosen && openSeat(writeChoice(chosen));
  doors.replaceChildren(...toggles, door("Sit down", hint, takeSeat, "sit-down"));
}

/** Show the seat that the address asks for, if it asks for one. */
function sit() {
  if (!seatAsked(location.hash) || !chosen || !live || !panels) return;
  const table = kindOf(live, choices, chosen);
  showSeat(live.seat, live.engine, table, panels["Change a rule"].changes());
}

/**
 * A large button with a hint.
 * @param {string} title @param {string} hint @param {() => void} act @param {string} key
 * @param {Record<string, string>} [about]
 */
const door = (title, hint, act, key, about = {}) =>
  makeButton([make("b", {}, title), make("span", {}, hint)], act, { ...about, "data-key": key });

/** The button that opens and closes a panel. @param {string} title @param {string} id of the panel */
function toggleOf(title, id) {
  const toggle = () => {
    if (!opened.delete(title)) opened.add(title);
    else stopPlaying();
    show();
  };
  const about = { "aria-controls": id, "aria-expanded": String(opened.has(title)) };
  return door(title, HINTS[title] ?? "", toggle, id, about);
}

/** @param {Partial<Chosen>} change */
function choose(change) {
  if (!chosen) return;
  chosen = nearest(choices, { ...chosen, ...change }, change);
  history.replaceState(null, "", writeChoice(chosen));
  show();
}

/** Read the choice from the address, and open the panels that it uses. */
function read() {
  const said = readChoice(location.hash);
  if (!said || !choices.length) return;
  chosen = nearest(choices, said);
  if (said.clans.length) opened.add("Your table");
  if (said.changes.length) opened.add("Change a rule");
}

/** Escape stops play and hides what a clan tells, until the reader points at another one. */
function offerEscape() {
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    view?.classList.add("quiet");
    stopPlaying();
  });
  for (const kind of ["pointerover", "focusin"])
    view?.addEventListener(kind, () => view.classList.remove("quiet"));
}

window.addEventListener("hashchange", () => {
  read();
  show();
});
window.addEventListener("pagehide", stopPlaying);
let width = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  // Phones change the height while one scrolls.
  if (width !== document.documentElement.clientWidth) drawFigures();
  width = document.documentElement.clientWidth;
});
read();
offerEscape();
document.body.classList.add("alive");
if (chosen) show();
else drawFigures();
sit();
