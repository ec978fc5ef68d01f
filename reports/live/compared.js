/* Compare two rule sets that played the same deals: every number, and which one is more balanced. */

import { fixed } from "../rendering/templates/numbers.js";
import {
  differences,
  mapped,
  reachOf,
  rowsOf,
  spreadChange,
  spreadOf,
  verdicts,
} from "./estimates.js";
import { numbersOf } from "./study.js";

/** @import { Numbers, Row } from "./estimates.js" */
/** The sizes up to which differences do not matter, by number of players (reports/page/play_data.py). @typedef {Record<"clan" | "apart" | "seat" | "leader" | "behind" | "turns", Record<number, number>>} Margins */

/**
 * What a number means: `tell` says a value, `less` and `more` say what a lower and a higher number means,
 * and `told` follows, in which "%" stands for both values. The page shows the number times `factor`.
 * @typedef {{
 *   label: string, margin: number, factor: number, less: string, more: string, told: string,
 *   tell: (value: number) => string,
 * }} Measure
 */

/** A number of both sides, and its change. @typedef {Measure & {values: number[], change: Row}} Line */

/** The numbers of the printed and of the changed rules. @typedef {[Numbers, Numbers]} Both */

/** The number of rounds before each look. */
const LOOKS = [32, 64, 128, 256, 512, 1024, 2048, 4096];
/** Whether a verdict needs more games. @param {string | undefined} word */
export const isOpen = (word) => word === undefined || word === "open" || word === "close";

/**
 * The number of rounds at the first look after `rounds`; infinite after the last look.
 * @param {number} rounds
 */
export const lookAfter = (rounds) =>
  LOOKS.find((look) => look > rounds) ?? Number.POSITIVE_INFINITY;

/** A share in games of 100. @param {number} value */
const inGames = (value) => fixed(100 * value, 0);

/** The line of a number. @param {Measure} measure @param {Both} sides @param {number} row @returns {Line} */
function lineOf(measure, sides, row) {
  const change = /** @type {Row} */ (rowsOf(differences(...sides))[row]);
  return { ...measure, values: sides.map(({ value }) => value[row] ?? 0), change };
}

/**
 * What giving up a clan costs, for each clan whose values changed.
 * @param {import("./table.js").Table} table @param {string[]} clans @param {string[]} changed names of values
 * @param {Both} worths @param {number} margin @returns {Line[]}
 */
const ofChangedClans = (table, clans, changed, worths, margin) =>
  clans.flatMap((clan, row) => {
    if (!changed.some((name) => name.startsWith(`${clan}.`))) return [];
    const name = `The ${table.name(clan)}`;
    const measure = {
      ...{ label: `${name}: giving it up costs`, margin, factor: 100 },
      ...{ less: `${name} gets weaker`, more: `${name} gets stronger` },
      tell: (/** @type {number} */ value) => inGames(1 / table.players - value),
      told: "who gives it up wins % of 100",
    };
    return lineOf(measure, worths, row);
  });

/**
 * How far clans lie apart on both sides.
 * @param {Both} worths @param {number} players @param {number} margin @returns {Line}
 */
const spreadLine = (worths, players, margin) => ({
  ...{ label: "How far clans lie apart", margin, factor: 100 },
  ...{ less: "Clans lie nearer together", more: "Clans lie farther apart" },
  tell: (value) => fixed(100 * players * value, 0),
  told: "one moves your wins by %\u00a0%",
  values: worths.map((numbers) => spreadOf(numbers).apart),
  change: /** @type {Row} */ (rowsOf(spreadChange(...worths))[0]),
});

/**
 * The lines of seats and of a game's course.
 * @param {Both} seats @param {Both} shape @param {number} players @param {Margins} margins @returns {Line[]}
 */
function ofCourse(seats, shape, players, margins) {
  const side = Math.sign(seats[0].value[0] ?? 1);
  const edges = /** @type {Both} */ (
    seats.map((numbers) => mapped(numbers, (values) => values.map((value) => value * side)))
  );
  const margin = (/** @type {keyof Margins} */ name) => margins[name][players] ?? 0;
  const first = {
    ...{ label: "First seat, away from a fair share", margin: margin("seat"), factor: 100 },
    ...{ less: "Seats get fairer", more: "Seats get less fair" },
    tell: (/** @type {number} */ value) => inGames(1 / players + side * value),
    told: "going first wins % of 100",
  };
  const leading = {
    ...{ label: "Whoever leads before the last age wins", margin: margin("leader"), factor: 100 },
    ...{ less: "Leaders win less", more: "Leaders win more" },
    ...{ tell: inGames, told: "leading before the last age wins % of 100" },
  };
  const behind = {
    ...{ label: "Whoever is 6 or more points behind then wins", margin: margin("behind") },
    ...{ less: "Coming back gets harder", more: "Coming back gets easier", factor: 100 },
    tell: (/** @type {number} */ value) => fixed(100 * value, 1),
    told: "6 or more points behind then wins % of 100",
  };
  const turns = {
    ...{ label: "Turns of a game", margin: margin("turns"), factor: 1 },
    ...{ less: "Games get shorter", more: "Games get longer" },
    ...{ tell: (/** @type {number} */ value) => fixed(value, 0), told: "% turns" },
  };
  return [
    lineOf(first, edges, 0),
    lineOf(leading, shape, 1),
    lineOf(behind, shape, 2),
    lineOf(turns, shape, 0),
  ];
}

/**
 * Every number of the card on both sides, the clans whose values changed first.
 * @param {import("./table.js").Table} table @param {import("./study.js").Cell[]} cells
 * @param {string[]} changed names of values @param {import("./study.js").Sums[]} sums of both sides
 * @param {Margins} margins @returns {Line[]}
 */
export function linesOf(table, cells, changed, sums, margins) {
  const { players } = table;
  const sides = sums.map((side) => numbersOf(cells, side, players));
  const both = (/** @type {"worths" | "seats" | "shape"} */ name) =>
    /** @type {Both} */ (sides.map((side) => side[name]));
  const worths = both("worths");
  const clans = sides[0]?.clans ?? [];
  return [
    ...ofChangedClans(table, clans, changed, worths, margins.clan[players] ?? 0),
    spreadLine(worths, players, margins.apart[players] ?? 0),
    ...ofCourse(both("seats"), both("shape"), players, margins),
  ];
}

/**
 * What changed, in sentences; what is open is left out.
 * @param {Line[]} lines @param {string[]} words the verdicts
 */
export function changesOf(lines, words) {
  const said = lines.flatMap(({ less, more, told, tell, values, change }, place) => {
    const little = { matters: "", close: ", a little" }[words[place] ?? ""];
    if (little === undefined) return [];
    const [before, after] = values.map(tell);
    const both = told.replace("%", `${after} instead of ${before}`);
    return [`${change.value < 0 ? less : more}${little}: ${both}.`];
  });
  if (said.length) return said;
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
    LOOKS.length,
  );
  return now.map((word, place) => {
    const known = before[place];
    return isOpen(known) ? word : (known ?? word);
  });
}

/** The cells of a line: both sides, the change and its verdict. @param {Line} line @param {string} word */
export function rowOf({ label, values: both, change, factor }, word) {
  const values = both.map((value) => fixed(factor * value, 1));
  const half = fixed(factor * reachOf(change), 1);
  const moved = `${fixed(factor * change.value, 1, true)} ±\u00a0${half}`;
  return [label, ...values, moved, word];
}
