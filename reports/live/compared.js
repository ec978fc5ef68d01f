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

/** The sizes up to which differences do not matter, by number of players (reports/page/playable.py). @typedef {Record<"clan" | "apart" | "seat" | "leader" | "behind" | "turns", Record<number, number>>} Margins */

/**
 * A number on both sides and its change. The page shows it times `factor`. `less` and `more` say what a
 * lower and a higher number means, and `told` follows with both values.
 * @typedef {{
 *   label: string, values: number[], change: import("./estimates.js").Row, half: number,
 *   margin: number, factor: number, less: string, more: string, told: string,
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

/**
 * Every number of the card on both sides, the clans whose values changed first.
 * @param {import("./table.js").Table} table @param {import("./study.js").Cell[]} cells
 * @param {string[]} changed names of values @param {import("./study.js").Sums[]} sums
 * @param {Margins} margins @returns {Line[]}
 */
export function linesOf(table, cells, changed, sums, margins) {
  const { players } = table;
  const [first, second] = sums.map((side) => numbersOf(cells, side, players));
  if (!first || !second) return [];
  /**
   * @param {import("./estimates.js").Numbers[]} sides @param {number} row
   * @param {Omit<Line, "values" | "change" | "half" | "factor" | "told"> & {factor?: number}} words
   * @param {(value: number) => string} tell a value @param {string} told with a place for both values
   */
  const line = ([one = first.seats, two = second.seats], row, words, tell, told) => {
    const change = differences(one, two);
    const values = [one, two].map(({ value }) => value[row] ?? 0);
    const [before = "", after = ""] = values.map(tell);
    return {
      ...{
        factor: 100,
        values,
        told: told.replace("%", `${after} instead of ${before}`),
        ...words,
      },
      change: rowsOf(change)[row] ?? NOTHING,
      half: halves(change)[row] ?? Number.POSITIVE_INFINITY,
    };
  };
  /** A share in games of 100. @param {number} value */
  const games = (value) => fixed(100 * value, 0);
  const apart = spreadChange(first.worths, second.worths);
  const spreads = [first, second].map(({ worths }) => spreadOf(worths).apart);
  const [narrow, wide] = spreads.map((spread) => fixed(100 * players * spread, 0));
  const side = Math.sign(first.seats.value[0] ?? 1);
  const seats = [first.seats, second.seats].map((edges) =>
    mapped(edges, (values) => values.map((value) => value * side)),
  );
  const shape = [first.shape, second.shape];
  const worths = [first.worths, second.worths];
  const own = first.clans.flatMap((clan, row) => {
    if (!changed.some((name) => name.startsWith(`${clan}.`))) return [];
    const name = `The ${table.name(clan)}`;
    const words = { less: `${name} gets weaker`, more: `${name} gets stronger` };
    return [
      line(
        worths,
        row,
        { label: `${name}: giving it up costs`, margin: margins.clan[players] ?? 0, ...words },
        (value) => games(1 / players - value),
        "who gives it up wins % of 100",
      ),
    ];
  });
  return [
    ...own,
    {
      ...{ label: "How far clans lie apart", margin: margins.apart[players] ?? 0, factor: 100 },
      ...{ less: "Clans lie nearer together", more: "Clans lie farther apart", values: spreads },
      told: `one moves your wins by ${wide} instead of ${narrow} %`,
      change: rowsOf(apart)[0] ?? NOTHING,
      half: halves(apart)[0] ?? Number.POSITIVE_INFINITY,
    },
    line(
      seats,
      0,
      {
        ...{ label: "First seat, away from a fair share", margin: margins.seat[players] ?? 0 },
        ...{ less: "Seats get fairer", more: "Seats get less fair" },
      },
      (value) => games(1 / players + side * value),
      "going first wins % of 100",
    ),
    line(
      shape,
      1,
      {
        ...{
          label: "Whoever leads before the last age wins",
          margin: margins.leader[players] ?? 0,
        },
        ...{ less: "Leaders win less", more: "Leaders win more" },
      },
      games,
      "leading before the last age wins % of 100",
    ),
    line(
      shape,
      2,
      {
        ...{
          label: "Whoever is 6 or more points behind then wins",
          margin: margins.behind[players] ?? 0,
        },
        ...{ less: "Coming back gets harder", more: "Coming back gets easier" },
      },
      (value) => fixed(100 * value, 1),
      "6 or more points behind then wins % of 100",
    ),
    line(
      shape,
      0,
      {
        ...{ label: "Turns of a game", margin: margins.turns[players] ?? 0, factor: 1 },
        ...{ less: "Games get shorter", more: "Games get longer" },
      },
      (value) => fixed(value, 0),
      "% turns",
    ),
  ];
}

const NOTHING = { value: 0, error: Number.NaN, degrees: 0 };

/**
 * What changed, in sentences; what is open is left out.
 * @param {Line[]} lines @param {string[]} words the verdicts
 */
export function changesOf(lines, words) {
  const told = lines.flatMap(({ less, more, told, change }, place) => {
    const little = { matters: "", close: "a little: " }[words[place] ?? ""];
    if (little === undefined) return [];
    return [`${change.value < 0 ? less : more}${little ? `, ${little}` : ": "}${told}.`];
  });
  if (told.length) return told;
  if (!words.length || words.some(isOpen)) return ["Nothing is settled yet."];
  return ["Nothing changes that matters."];
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
export function verdictsAfter(lines, before) {
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

/** The cells of a line: both sides, the change and its verdict. @param {Line} line @param {string} word */
export function rowOf({ label, values: both, change, half, factor }, word) {
  const values = both.map((value) => fixed(factor * value, 1));
  const moved = `${fixed(factor * change.value, 1, true)} ±\u00a0${fixed(factor * half, 1)}`;
  return [label, ...values, moved, word];
}
