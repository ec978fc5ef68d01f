/* Sentences about games that the page played; a sentence is right in 95 of 100 cases. */

import { fixed } from "../rendering/templates/numbers.js";
import { differing, halves } from "./estimates.js";

/** @typedef {import("./estimates.js").Numbers} Numbers */

/** @param {string[]} names @param {string} word */
export const joinedBy = (names, word) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;

/** "25 of 100 games (± 1)" @param {number} share @param {number} half */
function of100(share, half) {
  const [value, reach] = [share, half].map((one) => fixed(100 * one, half < 0.01 ? 1 : 0));
  return `${value} of 100 games (±\u00a0${reach})`;
}

/** The places of numbers, from the largest number to the smallest. @param {Numbers} numbers */
const ordered = ({ value }) =>
  value.map((_, place) => place).sort((a, b) => (value[b] ?? 0) - (value[a] ?? 0));

/**
 * A sentence on the strongest and the weakest clan. Every clan that does not differ significantly from
 * the first (Holm over all pairs) may be the strongest.
 * @param {string[]} names @param {Numbers} worth
 * @param {boolean} open whether more games follow
 */
export function strongestClaim(names, worth, open) {
  const apart = differing(worth);
  const order = ordered(worth);
  /** The clans that do not differ significantly from one clan. @param {number | undefined} end */
  const like = (end) => order.filter((clan) => clan === end || !apart[end ?? 0]?.[clan]);
  const [top, last] = [like(order[0]), like(order.at(-1))];
  /** @param {number[]} clans */
  const named = (clans) => clans.map((clan) => names[clan] ?? "");
  const yet = open ? " yet" : "";
  if (top.length === names.length) return `These clans cannot be told apart${yet}.`;
  const [second = 0] = order.slice(1);
  const then = like(second).length === 1 ? `, then ${names[second]}` : "";
  const strong =
    top.length === 1
      ? `${named(top)[0]} is the strongest here${then}`
      : `${joinedBy(named(top), "or")} is the strongest here: they cannot be told apart${yet}`;
  return `${strong}. ${joinedBy(named(last), "or")} is the weakest.`;
}

/**
 * A sentence: what giving up the strongest clan costs, and what giving up the weakest.
 * @param {string[]} names @param {Numbers} worth @param {number} players
 */
export function worthClaim(names, worth, players) {
  const half = halves(worth);
  const order = ordered(worth);
  const [first = 0, last = 0] = [order[0], order.at(-1)];
  /** @param {number} clan */
  const won = (clan) => of100(1 / players - (worth.value[clan] ?? 0), half[clan] ?? 0);
  return `Who gives up the ${names[first]} wins ${won(first)}, who gives up the ${names[last]} ${won(last)}.`;
}

/** @param {Numbers} seats @param {number} players */
export function seatClaim(seats, players) {
  const share = of100((seats.value[0] ?? 0) + 1 / players, halves(seats)[0] ?? 0);
  return `Whoever goes first wins ${share}; a fair share is ${Number((100 / players).toFixed(1))}.`;
}

/** @param {Numbers} shape @param {number} players */
export const lengthClaim = (shape, players) =>
  `A game takes ${fixed(shape.value[0] ?? 0, 0)} turns, ${fixed((shape.value[0] ?? 0) / players, 0)} for each player.`;

/** The half-width of the widest interval of a clan's worth. @param {Numbers} worth */
export const widest = (worth) => Math.max(...halves(worth));
