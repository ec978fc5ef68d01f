/* Find an even set of clans by playing several sets side by side. */

import { spreadOf } from "./estimates.js";
import { numbersOf } from "./study.js";

/** @import { Cell, Sums } from "./study.js" */

/** How many random sets are tried, and for how many seconds. */
const SETS = 12;
export const TRIAL_SECONDS = 10;
/** The deals on which sets are tried have another seed than the deals on which a set is then measured. */
export const TRIAL_SEED = 2;

/**
 * Different random sets of clans. @param {string[]} clans @param {number} size
 * @param {() => number} [random]
 */
export function randomSets(clans, size, random = Math.random) {
  /** @type {Map<string, string[]>} */
  const sets = new Map();
  for (let tries = 0; sets.size < SETS && tries < 20 * SETS; tries += 1) {
    const left = [...clans];
    const drawn = Array.from({ length: size }, () =>
      left.splice(Math.floor(random() * left.length), 1),
    ).flat();
    const set = clans.filter((clan) => drawn.includes(clan));
    sets.set(set.join(), set);
  }
  return [...sets.values()];
}

/**
 * Sets, the most even first, with how far the clans of each lie apart.
 * @param {Cell[]} cells a cell for each set @param {Sums} sums
 * @param {number} players
 */
export const evenest = (cells, sums, players) =>
  cells
    .map((cell, place) => {
      const { worths } = numbersOf([cell], [sums[place] ?? new Float64Array()], players);
      return { clans: cell.clans, apart: spreadOf(worths).apart };
    })
    .sort((a, b) => a.apart - b.apart);
