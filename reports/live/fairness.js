/* Find the fairest clan sets by the page's model, and the swap that makes a set fairest. */

import { worths, Z } from "../rendering/templates/interactions.js";

/** @typedef {import("../rendering/templates/interactions.js").Choice} Choice */

/**
 * The expected standard deviation of the clans' worth in a set, as a winning chance. It includes the
 * uncertainty of the model about every clan.
 * @param {Choice} choice @param {string[]} clans
 */
export function expectedSpread(choice, clans) {
  const known = worths(choice, clans);
  if (known.length < 2) return Number.POSITIVE_INFINITY;
  const squares = known.map(
    ({ worth: [value, half] }) => value ** 2 + (half / Z) ** 2 * (1 - 1 / known.length),
  );
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (known.length - 1));
}

/**
 * All sets of `size` clans.
 * @param {string[]} clans @param {number} size @returns {string[][]}
 */
function setsOf(clans, size) {
  const [first, ...rest] = clans;
  if (size === 0) return [[]];
  if (first === undefined || clans.length < size) return [];
  return [...setsOf(rest, size - 1).map((set) => [first, ...set]), ...setsOf(rest, size)];
}

/**
 * All sets of clans that the model knows, the fairest first.
 * @param {Choice} choice
 */
export const fairest = (choice) =>
  setsOf(Object.keys(choice.worth), choice.size)
    .map((clans) => ({ clans, spread: expectedSpread(choice, clans) }))
    .sort((a, b) => a.spread - b.spread);

/**
 * The swap of one clan that makes the clans most even; null if no swap makes them more even.
 * @param {Choice} choice @param {string[]} clans
 */
export function evenerSwap(choice, clans) {
  const others = Object.keys(choice.worth).filter((clan) => !clans.includes(clan));
  const swaps = clans.flatMap((out) =>
    others.map((into) => {
      const set = clans.map((clan) => (clan === out ? into : clan));
      return { out, into, clans: set, spread: expectedSpread(choice, set) };
    }),
  );
  const best = swaps.sort((a, b) => a.spread - b.spread)[0];
  return best && best.spread < expectedSpread(choice, clans) ? best : null;
}
