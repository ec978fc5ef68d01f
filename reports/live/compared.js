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

/** @import { Numbers, Row } from "./estimates.js" */
/** The sizes up to which differences do not matter, by number of players (reports/page/playable.py). @typedef {Record<"clan" | "apart" | "seat" | "leader" | "behind" | "turns", Record<number, number>>} Margins */

/**
 * A number on both sides and its change. The page shows it times `factor`. `less` and `more` say what a
 * lower and a higher number means, and `told` follows with both values.
 * @typedef {{
 *   label: string, values: number[], change: Row, half: number,
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

const NOTHING = { value: 0, error: Number.NaN, degrees: 0 };

/** A share in games of 100. @param {number} value */
const inGames = (value) => fixed(100 * value, 0);

/**
 * A number of both rule sets, with what it means: `of` has the numbers of each side, `tell` says a value,
 * and "%" in `told` stands for both values.
 * @typedef {Omit<Line, "values" | "change" | "half" | "factor"> & {
 *   of: Numbers[], row: number, factor?: number, tell: (value: number) => string,
 * }} Measure
 */

/** The line of a measure. @param {Measure} measure @returns {Line} */
function lineOf({ of: [one, two], row, tell, factor = 100, told, ...words }) {
  if (!one || !two) return { ...words, factor, told, values: [], change: NOTHING, half: Infinity };
  const change = differences(one, two);
  const values = [one, two].map(({ value }) => value[row] ?? 0);
  const [before, after] = values.map(tell);
  return {
    ...{ ...words, factor, values, told: told.replace("%", `${after} instead of ${before}`) },
    change: rowsOf(change)[row] ?? NOTHING,
    half: halves(change)[row] ?? Number.POSITIVE_INFINITY,
  };
}

/**
 * What giving up a clan costs, for each clan whose values changed.
 * @param {import("./table.js").Table} table @param {string[]} changed names of values
 * @param {{clans: string[], worths: Numbers}[]} sides @param {number} margin @returns {Measure[]}
 */
const ofChangedClans = (table, changed, sides, margin) =>
  (sides[0]?.clans ?? []).flatMap((clan, row) => {
    if (!changed.some((name) => name.startsWith(`${clan}.`))) return [];
    const name = `The ${table.name(clan)}`;
    return {
      ...{
        label: `${name}: giving it up costs`,
        of: sides.map(({ worths }) => worths),
        row,
        margin,
      },
      ...{ less: `${name} gets weaker`, more: `${name} gets stronger` },
      tell: (value) => inGames(1 / table.players - value),
      told: "who gives it up wins % of 100",
    };
  });

/**
 * How far clans lie apart on both sides.
 * @param {{worths: Numbers}[]} sides @param {number} players @param {number} margin @returns {Line}
 */
function spreadLine(sides, players, margin) {
  const [one, two] = sides.map(({ worths }) => worths);
  const change = one && two ? spreadChange(one, two) : { value: [], pseudo: [], leverage: [] };
  const values = sides.map(({ worths }) => spreadOf(worths).apart);
  const [before, after] = values.map((spread) => fixed(100 * players * spread, 0));
  return {
    ...{ label: "How far clans lie apart", margin, factor: 100, values },
    ...{ less: "Clans lie nearer together", more: "Clans lie farther apart" },
    told: `one moves your wins by ${after} instead of ${before}\u00a0%`,
    change: rowsOf(change)[0] ?? NOTHING,
    half: halves(change)[0] ?? Number.POSITIVE_INFINITY,
  };
}

/**
 * The measures of seats and of a game's course on both sides.
 * @param {{seats: Numbers, shape: Numbers}[]} sides @param {number} players @param {Margins} margins
 * @returns {Measure[]}
 */
function ofCourse(sides, players, margins) {
  const side = Math.sign(sides[0]?.seats.value[0] ?? 1);
  const edges = sides.map(({ seats }) =>
    mapped(seats, (values) => values.map((value) => value * side)),
  );
  const shape = sides.map((one) => one.shape);
  const margin = (/** @type {keyof Margins} */ name) => margins[name][players] ?? 0;
  return [
    {
      ...{ label: "First seat, away from a fair share", of: edges, row: 0, margin: margin("seat") },
      ...{ less: "Seats get fairer", more: "Seats get less fair" },
      tell: (value) => inGames(1 / players + side * value),
      told: "going first wins % of 100",
    },
    {
      ...{ label: "Whoever leads before the last age wins", of: shape, row: 1 },
      ...{ margin: margin("leader"), less: "Leaders win less", more: "Leaders win more" },
      ...{ tell: inGames, told: "leading before the last age wins % of 100" },
    },
    {
      ...{ label: "Whoever is 6 or more points behind then wins", of: shape, row: 2 },
      ...{ margin: margin("behind"), less: "Coming back gets harder" },
      ...{ more: "Coming back gets easier", tell: (value) => fixed(100 * value, 1) },
      told: "6 or more points behind then wins % of 100",
    },
    {
      ...{ label: "Turns of a game", of: shape, row: 0, margin: margin("turns"), factor: 1 },
      ...{ less: "Games get shorter", more: "Games get longer" },
      ...{ tell: (value) => fixed(value, 0), told: "% turns" },
    },
  ];
}

/**
 * Every number of the card on both sides, the clans whose values changed first.
 * @param {import("./table.js").Table} table @param {import("./study.js").Cell[]} cells
 * @param {string[]} changed names of values @param {import("./study.js").Sums[]} sums
 * @param {Margins} margins @returns {Line[]}
 */
export function linesOf(table, cells, changed, sums, margins) {
  const { players } = table;
  const sides = sums.map((side) => numbersOf(cells, side, players));
  return [
    ...ofChangedClans(table, changed, sides, margins.clan[players] ?? 0).map(lineOf),
    spreadLine(sides, players, margins.apart[players] ?? 0),
    ...ofCourse(sides, players, margins).map(lineOf),
  ];
}

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
  if (!words.length || words.some(isOpen)) return ["No change is settled yet."];
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
