/* Words about games that the page played; a sentence is right in 95 of 100 cases. */

import { fixed } from "../rendering/templates/numbers.js";
import { differ, halves, verdictOf } from "./estimates.js";

/** @import { Numbers } from "./estimates.js" */

/** "25 of 100 games (± 1)" @param {number} share @param {number} half */
export function of100(share, half) {
  const [value, reach] = [share, half].map((one) => fixed(100 * one, half < 0.0095 ? 1 : 0));
  return `${value} of 100 games (±\u00a0${reach})`;
}

/**
 * The word for each clan (`clan_word` in reports/estimators/catalog.py); "" with too few games.
 * @param {Numbers} worths @param {number} margin
 */
export function wordsOf(worths, margin) {
  const half = halves(worths, worths.value.length);
  return worths.value.map((value, clan) => {
    const reach = half[clan] ?? Number.POSITIVE_INFINITY;
    const verdict = verdictOf(value - reach, value + reach, margin);
    if (verdict === "matters") return value > 0 ? "strong" : "weak";
    return { alike: "average", close: "near average", open: "" }[verdict];
  });
}

/**
 * A sentence on what those win who give up the strongest clan, and those who give up the weakest; "" if
 * these two do not differ significantly.
 * @param {string[]} names @param {Numbers} worths @param {number} players
 */
export function worthClaim(names, worths, players) {
  const order = worths.value
    .map((_, clan) => clan)
    .sort((a, b) => (worths.value[b] ?? 0) - (worths.value[a] ?? 0));
  const [first = 0, last = 0] = [order[0], order.at(-1)];
  if (!differ(worths, first, last)) return "";
  const half = halves(worths, worths.value.length);
  /** @param {number} clan */
  const won = (clan) => 1 / players - (worths.value[clan] ?? 0);
  const least = fixed(100 * won(last), (half[last] ?? 1) < 0.0095 ? 1 : 0);
  return `Give up the ${names[first]} and you win ${of100(won(first), half[first] ?? 0)}; give up the ${names[last]} and you win ${least}.`;
}

/** @param {Numbers} seats @param {number} players */
export function seatClaim(seats, players) {
  const share = of100((seats.value[0] ?? 0) + 1 / players, halves(seats)[0] ?? 0);
  return `Going first wins ${share}; a fair share is ${Number((100 / players).toFixed(1))}.`;
}

/** @param {Numbers} shape */
export const lengthClaim = (shape) => `A game takes ${fixed(shape.value[0] ?? 0, 0)} turns.`;

/** The half-width of the widest interval of a clan. @param {Numbers} worths */
export const widest = (worths) => Math.max(...halves(worths, worths.value.length));
