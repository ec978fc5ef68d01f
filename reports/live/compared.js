/* Compare two rule sets that played the same deals: every number, and which one is more balanced. */

import { fixed } from "../rendering/templates/numbers.js";
import {
  differences,
  halves,
  mapped,
  rowsOf,
  spreadChange,
  spreadOf,
  verdicts,
} from "./estimates.js";
import { numbersOf } from "./study.js";

/** The sizes up to which differences do not matter by number of players (reports/page/playable.py). @typedef {Record<"clan" | "apart" | "seat" | "leader" | "behind" | "turns", Record<string, number>>} Margins */

/**
 * A number on both sides and its change. The page shows it times `factor`. If the number is a measure
 * of balance, which is better nearer to 0, `measure` is its name; otherwise `measure` is "".
 * @typedef {{
 *   label: string, both: (number | undefined)[], change: import("./estimates.js").Row,
 *   half: number, margin: number, factor: number, measure: string,
 * }} Line
 */

/** The number of rounds before the first look; it doubles from look to look. */
const FIRST_LOOK = 32;
const LOOKS = 8;
/** Whether a verdict needs more games. @param {string | undefined} word */
export const isOpen = (word) => word === undefined || word === "open" || word === "close";

/**
 * The number of rounds at the first look after `rounds`; infinite after the last look.
 * @param {number} rounds
 */
export function lookAfter(rounds) {
  for (let look = 0; look < LOOKS; look += 1) {
    if (FIRST_LOOK * 2 ** look > rounds) return FIRST_LOOK * 2 ** look;
  }
  return Number.POSITIVE_INFINITY;
}

/** The margins at tables of so many players. @param {Margins} margins @param {number} players */
export const marginsAt = (margins, players) =>
  /** @type {Record<keyof Margins, number>} */ (
    Object.fromEntries(Object.entries(margins).map(([name, of]) => [name, of[players] ?? 0]))
  );

/**
 * Every number of the card on both sides, and the worth of a clan whose values changed.
 * @param {import("./table.js").Table} table @param {import("./study.js").Cell[]} cells
 * @param {string[]} changed names of values @param {import("./study.js").Sums[]} sums
 * @param {Margins} margins @returns {Line[]}
 */
export function linesOf(table, cells, changed, sums, margins) {
  const [first, second] = sums.map((side) => numbersOf(cells, side, table.players));
  if (!first || !second) return [];
  /** The margins at this table. @type {Record<keyof Margins, number>} */
  const limits = marginsAt(margins, table.players);
  /**
   * @param {string} label @param {import("./estimates.js").Numbers[]} sides @param {number} row
   * @param {number} margin @param {string} [measure] @param {number} [factor]
   */
  const line = (
    label,
    [one = first.seats, two = second.seats],
    row,
    margin,
    measure = "",
    factor = 100,
  ) => {
    const change = differences(one, two);
    return {
      ...{ label, margin, measure, factor, both: [one.value[row], two.value[row]] },
      change: rowsOf(change)[row] ?? { value: 0, error: Number.NaN, degrees: 0 },
      half: halves(change)[row] ?? Number.POSITIVE_INFINITY,
    };
  };
  const apart = spreadChange(first.worth, second.worth);
  const seats = [first.seats, second.seats].map((edges) =>
    mapped(edges, (values) => values.map((value) => value * Math.sign(edges.value[0] ?? 1))),
  );
  const shape = [first.shape, second.shape];
  const worths = [first.worth, second.worth];
  const own = first.clans.flatMap((clan, row) =>
    changed.some((name) => name.startsWith(`${clan}.`))
      ? [line(`Giving up the ${table.name(clan)} costs`, worths, row, limits.clan)]
      : [],
  );
  return [
    {
      ...{
        label: "How far clans lie apart",
        margin: limits.apart,
        measure: "how far clans lie apart",
        factor: 100,
      },
      both: worths.map((side) => spreadOf(side).apart),
      change: rowsOf(apart)[0] ?? { value: 0, error: Number.NaN, degrees: 0 },
      half: halves(apart)[0] ?? Number.POSITIVE_INFINITY,
    },
    ...own,
    line("First seat, away from a fair share", seats, 0, limits.seat, "the first seat"),
    line("Whoever leads before the last age wins", shape, 1, limits.leader, "what leaders win"),
    line("Whoever is 6 or more points behind then wins", shape, 2, limits.behind),
    line("Turns of a game", shape, 0, limits.turns, "", 1),
  ];
}

/**
 * A sentence on why play ended; "" if the time ran out.
 * @param {string[]} words of the last look, if there was one @param {number} rounds
 */
export function endOf(words, rounds) {
  if (words.length && !words.some(isOpen)) return "All is settled.";
  return Number.isFinite(lookAfter(rounds))
    ? ""
    : "That was the last look: what is open stays open.";
}

/** The verdicts after a look; a settled verdict never changes. @param {Line[]} lines @param {string[]} before */
export function wordsOf(lines, before) {
  const now = verdicts(
    lines.map(({ change }) => change),
    lines.map(({ margin }) => margin),
    LOOKS,
  );
  return now.map((word, place) => {
    const known = before[place];
    return isOpen(known) ? word : (known ?? word);
  });
}

/** A sentence on whether the changed rules are more balanced, and by which measures. @param {Line[]} lines @param {string[]} words */
export function balanceOf(lines, words) {
  const about = lines.flatMap(({ measure, change }, place) =>
    measure ? [{ measure, word: words[place], less: change.value < 0 }] : [],
  );
  /** @param {boolean} nearer */
  const by = (nearer) =>
    about
      .filter(({ word, less }) => word === "matters" && less === nearer)
      .map(({ measure }) => measure)
      .join(" and by ");
  const [more, less] = [by(true), by(false)];
  if (more && less) return `More balanced by ${more}, less by ${less}.`;
  if (more || less) return `${more ? "More" : "Less"} balanced, by ${more || less}.`;
  if (about.every(({ word }) => word === "alike")) return "As balanced as before.";
  return "Not settled yet whether it is more balanced.";
}

/** The cells of a line: both sides, the change and its verdict. @param {Line} line @param {string} word */
export function rowOf({ label, both, change, half, factor }, word) {
  const values = both.map((value = 0) => fixed(factor * value, 1));
  const moved = `${fixed(factor * change.value, 1, true)} ±\u00a0${fixed(factor * half, 1)}`;
  return [label, ...values, moved, word];
}
