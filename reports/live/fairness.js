/* Find the fairest clan sets by the page's model, and the swap that makes a set fairest. */

import { predict } from "../rendering/templates/interactions.js";

/** @typedef {import("../rendering/templates/interactions.js").Choice} Choice */

/**
 * The expected standard deviation of the clans' worth in a set, as a winning chance. It includes the
 * uncertainty of the model about every clan.
 * @param {Choice} choice @param {string[]} clans
 */
export function expectedSpread(choice, clans) {
  const known = clans.flatMap((clan) => {
    const model = choice.worth[clan];
    return model
      ? [
          predict(
            model,
            clans.filter((other) => other !== clan),
            choice.leftover,
          ),
        ]
      : [];
  });
  if (known.length < 2) return Number.POSITIVE_INFINITY;
  const mean = known.reduce((sum, [value]) => sum + value, 0) / known.length;
  const squares = known.map(([value]) => (value - mean) ** 2);
  const doubt = known.map(([, half]) => (half / 1.96) ** 2 * (1 - 1 / known.length));
  return Math.sqrt(
    [...squares, ...doubt].reduce((sum, square) => sum + square, 0) / (known.length - 1),
  );
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
