/* The panel "Your table": how strong each of the reader's clans is, and an even set of clans. */

import { make, makeButton } from "../rendering/templates/elements.js";
import { drawn, tableOf } from "../rendering/templates/figures.js";
import { fixed, joinedByAnd } from "../rendering/templates/numbers.js";
import { lengthClaim, seatClaim, widest, wordsOf, worthClaim } from "./claims.js";
import { halves, spreadOf } from "./estimates.js";
import { evenest, randomSets, TRIAL_SECONDS, TRIAL_SEED } from "./fair_sets.js";
import { makePanel } from "./panel.js";
import { taskOf } from "./playing.js";
import { cellsOf, numbersOf } from "./study.js";
import { commandLine } from "./table.js";

/** @import { Margins } from "./compared.js" */
/** @import { Pool, Progress } from "./playing.js" */
/** @import { Table } from "./table.js" */

/** Play stops when every interval has this half-width, in fair shares. */
const GOAL = 0.07;

/**
 * Make the panel; `show` sets the table.
 * @param {() => Pool} opened
 * @param {(change: {clans: string[]}) => void} choose
 * @param {Margins} margins
 */
export function yourTable(opened, choose, margins) {
  const panel = makePanel("your-table", "Your table", "Play these", opened);
  const deal = makeButton(["Deal us a fair set"], dealFairSet, { "data-key": "deal" });
  let shown = "";
  /** @type {Table | null} */
  let now = null;
  /** How the present set was found; "" if the reader chose it. */
  let found = "";

  /** Play random sets side by side for a while, then choose the most even one and play it anew. */
  function dealFairSet() {
    const table = now;
    if (!table) return;
    const sets = randomSets(Object.keys(table.labels), table.size);
    const cells = cellsOf(sets, table.leads).filter(({ givesUp }) => givesUp);
    panel.hold({
      ...{ cells, sides: [taskOf(cells, table, {}, TRIAL_SEED)] },
      enough: ({ seconds }) => seconds >= TRIAL_SECONDS,
      part: ({ seconds }) => Math.min(1, seconds / TRIAL_SECONDS),
      known: () => `${sets.length} sets side by side`,
      ended: () => "The set is found.",
      after: ({ sums }) => {
        const [best] = evenest(cells, sums[0] ?? [], table.players);
        found = `The most even of ${sets.length} random sets. On fresh deals:`;
        shown = "";
        choose({ clans: best?.clans ?? [] });
      },
    });
    panel.result.replaceChildren();
    panel.start();
  }

  /** The check boxes of the clans. @param {Table} table */
  function boxes({ labels, size, clans }) {
    const chips = Object.entries(labels).map(([clan, label]) => {
      const box = make("input", {
        type: "checkbox",
        checked: clans.includes(clan),
        "data-key": `clan-${clan}`,
      });
      box.addEventListener("change", () => {
        found = "";
        choose({
          clans: clans.includes(clan) ? clans.filter((one) => one !== clan) : [...clans, clan],
        });
      });
      return make("label", { class: "chip" }, box, ` ${label}`);
    });
    const legend = make("legend", {}, `My clans: ${clans.length} of ${size}`);
    return make("fieldset", {}, legend, ...chips);
  }

  /**
   * The figure of the clans, the strongest first, with the word for each.
   * @param {Table} table @param {{clan: string, word: string, value: number, half: number}[]} rows
   */
  function figure(table, rows) {
    const title = "What your clans are worth";
    const marks = rows.map(({ clan, word, value, half }) => ({
      ...{ label: word ? `${table.name(clan)}: ${word}` : table.name(clan) },
      ...{ series: "", hollow: !word },
      number: { value, low: value - half, high: value + half, games: 0, unit: "share_difference" },
    }));
    /** @type {import("../rendering/templates/figures.js").Figure} */
    const drawing = {
      ...{ title, marks, middle: 0, band: margins.clan[table.players] ?? 0 },
      axis: "games of 100 that giving it up costs",
    };
    const width = Math.min(620, document.documentElement.clientWidth - 48);
    return make(
      "figure",
      {},
      make("figcaption", {}, make("h3", {}, title)),
      make("div", { class: "plot" }, drawn(drawing, width)),
      make("details", {}, make("summary", {}, "Numbers"), tableOf(drawing)),
    );
  }

  /** Show the results of the games. @param {Table} table @param {import("./study.js").Cell[]} cells @param {Progress} progress */
  function showResults(table, cells, progress) {
    const { players } = table;
    const { clans, worths, seats, shape } = numbersOf(cells, progress.sums[0] ?? [], players);
    const half = halves(worths, clans.length);
    if (!half.every(Number.isFinite)) return;
    const words = wordsOf(worths, margins.clan[players] ?? 0);
    const rows = clans
      .map((clan, place) => ({
        ...{ clan, word: words[place] ?? "" },
        ...{ value: worths.value[place] ?? 0, half: half[place] ?? 0 },
      }))
      .sort((a, b) => b.value - a.value);
    const claim = worthClaim(clans.map(table.name), worths, players);
    const wild = table.clans.filter((clan) => !table.leads(clan)).map(table.name);
    const apart = fixed(100 * players * spreadOf(worths).apart, 0);
    const lines = [
      ...(claim ? [`A clan moves your wins by ${apart}\u00a0% here.`] : []),
      `${seatClaim(seats, players)} ${lengthClaim(shape)}`,
      ...(wild.length ? [`${joinedByAnd(wild)} never leads a party.`] : []),
    ];
    const says = [
      ...(found ? [make("p", {}, found)] : []),
      make("p", { class: "lead" }, claim || "Too early to tell: play goes on."),
      ...lines.map((line) => make("p", {}, line)),
    ];
    const command = commandLine("table", table, [table.clans], progress.games, {});
    panel.tell(
      figure(table, rows),
      says,
      "Thin lines are 95 % intervals for all clans together.",
      command,
    );
  }

  /** Hold the study of the reader's table. @param {Table} table */
  function hold(table) {
    const cells = cellsOf([table.clans], table.leads);
    /** @param {Progress} progress */
    const worths = ({ sums }) => numbersOf(cells, sums[0] ?? [], table.players).worths;
    let goal = GOAL / table.players;
    let reached = Number.POSITIVE_INFINITY;
    panel.hold({
      ...{ cells, sides: [taskOf(cells, table, {})] },
      begin: () => {
        while (reached <= goal) goal /= 2;
      },
      enough: (progress) => {
        reached = widest(worths(progress));
        return reached <= goal;
      },
      part: () => Math.min(1, (goal / reached) ** 2),
      known: () =>
        Number.isFinite(reached)
          ? `known to ±\u00a0${fixed(100 * reached, 1)} of 100 games`
          : "no intervals yet",
      ended: () => "That is enough.",
      show: (progress) => showResults(table, cells, progress),
    });
  }

  return {
    element: panel.element,
    /** @param {Table} table @param {boolean} open */
    show(table, open) {
      now = table;
      const key = JSON.stringify([table.key, table.mode, table.players, table.who, table.clans]);
      if (key === shown || !open) return;
      shown = key;
      panel.controls.replaceChildren(boxes(table));
      const more = table.size - table.clans.length;
      panel.beside.replaceChildren(" ", deal);
      panel.result.replaceChildren();
      if (more) panel.hold(null);
      else hold(table);
      const what = `${Math.abs(more)} ${more > 0 ? "more" : "fewer"}`;
      const choice = `Choose ${what}: ${table.players} players play with ${table.size} clans.`;
      if (more) panel.line.textContent = choice;
      else panel.start();
    },
  };
}
