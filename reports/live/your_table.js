/* The panel "Your table": the worth of the reader's clans. */

import { make } from "../rendering/templates/elements.js";
import { drawn, tableOf } from "../rendering/templates/figures.js";
import { fixed } from "../rendering/templates/numbers.js";
import { lengthClaim, seatClaim, strongestClaim, widest, worthClaim } from "./claims.js";
import { marginsAt } from "./compared.js";
import { halves } from "./estimates.js";
import { makePanel } from "./panel.js";
import { taskOf } from "./playing.js";
import { cellsOf, numbersOf } from "./study.js";
import { commandLine } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./playing.js").Progress} Progress */

/** Play stops when every interval has this half-width, as a winning chance. */
const GOAL = 0.01;

/**
 * Make the panel; `show` sets the table.
 * @param {() => import("./playing.js").Pool} opened
 * @param {(change: {clans: string[]}) => void} choose
 * @param {import("./compared.js").Margins} margins
 */
export function yourTable(opened, choose, margins) {
  const panel = makePanel("your-table", "Your table", opened);
  let shown = "";

  /** The check boxes of the clans. @param {Table} table */
  function boxes(table) {
    const { labels, size, clans } = table;
    const chips = Object.entries(labels).map(([clan, label]) => {
      const box = make("input", {
        type: "checkbox",
        checked: clans.includes(clan),
        "data-key": `clan-${clan}`,
      });
      box.addEventListener("change", () =>
        choose({
          clans: clans.includes(clan) ? clans.filter((one) => one !== clan) : [...clans, clan],
        }),
      );
      return make("label", { class: "chip" }, box, ` ${label}`);
    });
    const legend = make("legend", {}, `My clans: ${clans.length} of ${size}`);
    return make("fieldset", {}, legend, ...chips);
  }

  /**
   * The figure of the clans' worth with its intervals, the strongest clan first.
   * @param {Table} table @param {{clan: string, value: number, half: number}[]} rows
   * @param {string} title
   */
  function figure(table, rows, title) {
    const { clan: margin } = marginsAt(margins, table.players);
    const marks = rows.map(({ clan, value, half }) => ({
      ...{ label: table.name(clan), series: "", across: null },
      hollow: Math.abs(value) < half && Math.abs(value) + half > margin,
      number: { value, low: value - half, high: value + half, games: 0, unit: "share_difference" },
    }));
    /** @type {import("../rendering/templates/figures.js").Figure} */
    const drawing = {
      ...{ kind: "intervals", title, marks, across: "", middle: 0, band: margin },
      axis: "games of 100 that giving up the clan costs",
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
    const { clans, worth, seats, shape } = numbersOf(cells, progress.sums[0] ?? [], table.players);
    const half = halves(worth);
    if (!half.every(Number.isFinite)) return;
    const names = clans.map(table.name);
    const rows = clans
      .map((clan, place) => ({ clan, value: worth.value[place] ?? 0, half: half[place] ?? 0 }))
      .sort((a, b) => b.value - a.value);
    const wild = table.clans.filter((clan) => !table.leads(clan)).map(table.name);
    const command = commandLine("table", table, [table.clans], progress.games, {});
    const about = `Played by ${table.who} in every seat. Each line is a separate 95 % interval; the words on the strongest clan hold in 95 of 100 such tables.`;
    const says = [
      make("p", { class: "lead" }, strongestClaim(names, worth, widest(worth) > GOAL)),
      make("p", {}, worthClaim(names, worth, table.players)),
      make("p", {}, `${seatClaim(seats, table.players)} ${lengthClaim(shape, table.players)}`),
      ...(wild.length ? [make("p", {}, `${wild.join(", ")} never leads a party.`)] : []),
    ];
    panel.tell(figure(table, rows, "What your clans are worth"), says, about, command);
  }

  /** @param {Table} table */
  function hold(table) {
    const cells = cellsOf([table.clans], table.leads);
    /** @param {Progress} progress */
    const worth = ({ sums }) => numbersOf(cells, sums[0] ?? [], table.players).worth;
    let goal = GOAL;
    let known = Number.POSITIVE_INFINITY;
    panel.hold(
      {
        ...{ cells, sides: [taskOf(cells, table, {})], border: () => Number.POSITIVE_INFINITY },
        begin: () => {
          while (known <= goal) goal /= 2;
        },
        enough: (progress) => {
          known = widest(worth(progress));
          return known <= goal;
        },
        part: () => Math.min(1, (goal / known) ** 2),
        known: () =>
          Number.isFinite(known)
            ? `known to ±\u00a0${fixed(100 * known, 1)} of 100 games`
            : "no intervals yet",
        ended: () => "That is enough.",
        spoken: (progress) =>
          strongestClaim(
            cells.flatMap(({ givesUp }) => givesUp.map(table.name)),
            worth(progress),
            false,
          ),
      },
      "Play these",
      (progress) => showResults(table, cells, progress),
    );
  }

  return {
    element: panel.element,
    /** @param {Table} table @param {string} lacks why the page cannot play, if it cannot */
    show(table, lacks) {
      const key = JSON.stringify([table.key, table.mode, table.players, table.who, table.clans]);
      if (key === shown) return;
      shown = key;
      panel.controls.replaceChildren(boxes(table));
      const more = table.size - table.clans.length;
      if (more || lacks) panel.hold(null, "Play these", () => {});
      else hold(table);
      const what = `${Math.abs(more)} ${more > 0 ? "more" : "fewer"}`;
      const choice = `Choose ${what}: ${table.players} players play with ${table.size} clans.`;
      panel.line.textContent = [more ? choice : "", lacks].join(" ").trim();
      panel.result.replaceChildren();
    },
  };
}
