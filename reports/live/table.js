/* A kind of table that the page can play, made from its data and the reader's choice. */

import { isSame } from "../rendering/templates/choices.js";
import { written } from "./changes.js";

/** @import { Choice, Chosen } from "../rendering/templates/choices.js" */
/** @import { Changes, RuleValue } from "./changes.js" */

/**
 * The data with which the page plays (reports/page/play_data.py): the parts of the engine that panels
 * use, the margins, and the tables by the key of their rules. A table has the changes to its edition
 * (`base`), the clans in the order of their powers, the clans that can lead, the ages by number of
 * players, samples of clan sets by size, and words that mean the same (`alike`).
 * @typedef {{
 *   engine: {strategies: string[], rules: Record<string, {clans: string[], fields: RuleValue[]}>},
 *   margins: import("./compared.js").Margins,
 *   tables: Record<string, {
 *     base: string[], order: string[], leads: string[], ages: Record<string, number>,
 *     alike: string[][],
 *     samples: Record<string, string[][]>,
 *   }>,
 * }} Live
 */

/** The strategy that plays if the chosen strategy cannot play in a page. */
const STRONGEST = "learned";

/** A value that a record has. @template T @param {Record<string, T>} record @param {string | number} key */
const entryOf = (record, key) => /** @type {T} */ (record[key]);

/**
 * The chosen table; the page has it (`nearest` of choices.js sees to it).
 * @param {Live} live @param {Choice[]} all @param {Chosen} chosen
 */
export function kindOf(live, all, chosen) {
  const kind = /** @type {Choice} */ (all.find((choice) => isSame(choice, chosen)));
  const { key, size, players, mode } = kind;
  const { clans, fields } = entryOf(live.engine.rules, key);
  const { order, leads, base, alike, ages, samples } = entryOf(live.tables, key);
  return {
    ...{ key, size, players, mode, fields, base, alike, labels: kind.clans },
    changes: chosen.changes,
    clans: order.filter((clan) => chosen.clans.includes(clan)),
    last: entryOf(ages, players) - 1,
    samples: entryOf(samples, size),
    who: live.engine.strategies.includes(chosen.who) ? chosen.who : STRONGEST,
    /** @param {string} clan */
    numberOf: (clan) => clans.indexOf(clan),
    /** @param {string} clan */
    name: (clan) => kind.clans[clan] ?? clan,
    /** @param {string} clan */
    leads: (clan) => leads.includes(clan),
  };
}

/** @typedef {ReturnType<typeof kindOf>} Table */

/**
 * The command that plays the same games: `table`, or `compare` for two rule sets at the table.
 * @param {"table" | "compare"} command @param {Table} table
 * @param {string[][]} sets the clan sets, if the reader chose them @param {number} games
 * @param {Changes} changes
 */
export function commandLine(
  command,
  { key, base: changed, players, mode, who },
  sets,
  games,
  changes,
) {
  const set = Object.entries(changes).map(([name, value]) => `${name}=${written(value)}`);
  const base = [key, ...(mode === "standard" ? [] : [mode]), ...changed].join("+");
  const rules = [base, ...set].join("+");
  const sides = changed.length > 0 ? [base, rules] : [rules];
  const named = command === "compare" ? sides : [`--edition ${rules}`];
  const words = [
    `ethnos-sim ${command}`,
    ...(rules === "second" && command !== "compare" ? [] : named),
    `--players ${players}`,
    ...(who === STRONGEST ? [] : [`--strategies ${who}`]),
    ...(sets[0] ? [`--clans ${sets[0].join(",")}`] : []),
    ...(games ? [`--games ${games}`] : []),
  ];
  return words.join(" ");
}
