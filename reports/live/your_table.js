/* The panel "Your table": the worth of the reader's clans, and fairer sets of clans. */

import { make, makeButton } from "../rendering/templates/elements.js";
import { drawn, tableOf } from "../rendering/templates/figures.js";
import { bestOf, strongest, sureEffects, worths } from "../rendering/templates/interactions.js";
import { fixed } from "../rendering/templates/numbers.js";
import { costsClaim, lengthClaim, seatClaim, strongestClaim, widest } from "./claims.js";
import { contrasts, halves } from "./estimates.js";
import { evenerSwap, expectedSpread, fairest } from "./fairness.js";
import { makePanel } from "./panel.js";
import { taskOf } from "./playing.js";
import { cellsOf, numbersOf } from "./study.js";
import { commandLine } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./playing.js").Progress} Progress */

/** Play stops when every interval has this half-width, as a winning chance. */
const GOAL = 0.01;
const MOST_EFFECTS = 4;

/**
 * Make the panel; `show` sets the table.
 * @param {() => import("./playing.js").Pool} opened
 * @param {(change: {clans: string[]}) => void} choose
 * @param {number} margin the difference from average up to which a clan counts as middle
 */
export function yourTable(opened, choose, margin) {
  const panel = makePanel("your-table", "Your table", opened);
  const deal = makeButton(["Deal us a fair set"], dealFairSet, { "data-key": "deal" });
  let shown = "";
  /** @type {Table | null} */
  let now = null;
  /** The place of the last dealt set among all sets, the fairest first. */
  let dealt = -1;
  /** @type {string} */
  let dealtKey = "";

  /** Choose the fairest set, or the next one after it, and play it. */
  function dealFairSet() {
    if (!now?.model) return;
    const sets = fairest(now.model);
    const key = JSON.stringify([now.key, now.mode, now.players]);
    dealt = key === dealtKey ? (dealt + 1) % sets.length : 0;
    dealtKey = key;
    const set = sets[dealt];
    if (!set) return;
    choose({ clans: set.clans });
    panel.start();
  }

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
   * The figure of the clans' intervals against their average, the strongest clan first.
   * @param {Table} table @param {{clan: string, value: number, half: number}[]} rows
   * @param {string} title
   */
  function figure(table, rows, title) {
    const marks = rows.map(({ clan, value, half }) => ({
      ...{ label: table.name(clan), series: "", across: null },
      hollow: Math.abs(value) < half && Math.abs(value) + half > margin,
      number: { value, low: value - half, high: value + half, games: 0, unit: "share_difference" },
    }));
    /** @type {import("../rendering/templates/figures.js").Figure} */
    const drawing = {
      ...{ kind: "intervals", title, marks, across: "", middle: 0, band: margin },
      axis: "games of 100, against the average here",
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

  /**
   * The sentence on the swap that makes the clans most even by the model; nothing if no swap helps.
   * @param {Table} table
   */
  function swap(table) {
    const { model, clans } = table;
    const best = model && evenerSwap(model, clans);
    if (!model || !best) return [];
    const [before, after] = [expectedSpread(model, clans), best.spread].map((spread) =>
      fixed(100 * spread, 1),
    );
    const show = makeButton(["Play that"], () => {
      choose({ clans: best.clans });
      panel.start();
      panel.button.focus();
    });
    const text = `put the ${table.name(best.into)} in the ${table.name(best.out)}'s place: the model guesses that clans then lie ${after} instead of ${before} of 100 games apart. `;
    return [make("p", {}, make("b", {}, "To even it out, "), text, show)];
  }

  /** Show the model's prediction for a set that was not played. @param {Table} table */
  function guess(table) {
    const { model, clans } = table;
    if (!model) {
      const none = "Too few clan sets were played here for a guess: play these to know.";
      return [make("p", {}, none)];
    }
    const values = worths(model, clans);
    const best = bestOf(
      strongest(values).map(({ clan }) => table.name(clan)),
      values.length,
    );
    const rows = values.map(({ clan, worth: [value, half] }) => ({
      ...{ clan, value, half },
    }));
    const silent = clans.filter((clan) => table.leads(clan) && !model.worth[clan]);
    const effects = sureEffects(model, clans)
      .slice(0, MOST_EFFECTS)
      .map(({ clan, other, effect: [value, half] }) => {
        const size = `${fixed(100 * Math.abs(value), 1)} of 100 games (±\u00a0${fixed(100 * half, 1)})`;
        return `${table.name(other)} at the table makes ${table.name(clan)} ${value > 0 ? "stronger" : "weaker"}: by ${size}.`;
      });
    if (silent.length)
      effects.push(`Too few games for a guess on ${silent.map(table.name).join(", ")}.`);
    const from = ` From a model of ${model.sets} clan sets that ${model.who} played; each line is a separate 95 % interval. Play these to know.`;
    return [
      figure(table, rows, "What your clans are worth: a guess"),
      make(
        "div",
        { class: "says" },
        make("p", {}, make("b", {}, `A guess: ${best}`), from),
        ...effects.map((text) => make("p", {}, text)),
        ...swap(table),
      ),
    ];
  }

  /** Show the results of the games. @param {Table} table @param {import("./study.js").Cell[]} cells @param {Progress} progress */
  function showResults(table, cells, progress) {
    const { clans, costs, seats, shape } = numbersOf(cells, progress.sums[0] ?? [], table.players);
    const power = contrasts(costs);
    const half = halves(power);
    if (!half.every(Number.isFinite)) return;
    const names = clans.map(table.name);
    const rows = clans
      .map((clan, place) => ({ clan, value: power.value[place] ?? 0, half: half[place] ?? 0 }))
      .sort((a, b) => b.value - a.value);
    const wild = table.clans.filter((clan) => !table.leads(clan)).map(table.name);
    const command = commandLine("table", table, [table.clans], progress.games, {});
    const about = `Played by ${table.who} in every seat. Each line is a separate 95 % interval; the words on the strongest clan hold in 95 of 100 such tables.`;
    const says = [
      make("p", { class: "lead" }, strongestClaim(names, costs, widest(costs) > GOAL)),
      make("p", {}, costsClaim(names, costs)),
      make("p", {}, `${seatClaim(seats, table.players)} ${lengthClaim(shape, table.players)}`),
      ...(wild.length ? [make("p", {}, `${wild.join(", ")} never leads a party.`)] : []),
      ...swap(table),
    ];
    panel.tell(figure(table, rows, "What your clans are worth"), says, about, command);
  }

  /** @param {Table} table */
  function hold(table) {
    const cells = cellsOf([table.clans], table.leads);
    /** @param {Progress} progress */
    const costs = ({ sums }) => numbersOf(cells, sums[0] ?? [], table.players).costs;
    let goal = GOAL;
    let known = Number.POSITIVE_INFINITY;
    panel.hold(
      {
        ...{ cells, sides: [taskOf(cells, table, {})], border: () => Number.POSITIVE_INFINITY },
        begin: () => {
          while (known <= goal) goal /= 2;
        },
        enough: (progress) => {
          known = widest(costs(progress));
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
            cells.flatMap(({ withheld }) => (withheld ? [table.name(withheld)] : [])),
            costs(progress),
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
      now = table;
      const key = JSON.stringify([table.key, table.mode, table.players, table.who, table.clans]);
      if (key === shown) return;
      shown = key;
      panel.controls.replaceChildren(boxes(table));
      const more = table.size - table.clans.length;
      if (more || lacks) panel.hold(null, "Play these", () => {});
      else hold(table);
      panel.beside.replaceChildren(...(table.model && !lacks ? [" ", deal] : []));
      const what = `${Math.abs(more)} ${more > 0 ? "more" : "fewer"}`;
      const choice = `Choose ${what}: ${table.players} players play with ${table.size} clans.`;
      panel.line.textContent = [more ? choice : "", lacks].join(" ").trim();
      panel.result.replaceChildren(...(more ? [] : guess(table)));
    },
  };
}
