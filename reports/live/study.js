/* What the page plays of a table, and every number of its games: the cells of `table` and `compare`. */

import { jackknife } from "./estimates.js";
import {
  BEHIND,
  BEHIND_WON,
  BLOCKS,
  GAMES,
  LEADERS,
  LEADERS_WON,
  PLACES,
  TOLD_WON,
  TURN_WON,
  TURNS,
} from "./sums.js";

/**
 * Games of one clan set: of free players, or with one seat that may not lead a clan.
 * @typedef {{clans: string[], told: string | null, weight: number}} Cell
 */

/** Deals of a cell, each in one seating. @typedef {{cell: number, firstDeal: number, deals: number}} Row */

/** The sums of each cell, as `sumsOf` gives them. @typedef {Float64Array[]} Sums */

const SIXTIETHS = 60;
/** Games with one restricted seat, about, for each with none (reports/comparison/two_rule_sets.py). */
const POWER_GAMES = 3;

/**
 * The cells of some clan sets, each in the order of powers, by which cards are numbered: each clan
 * that can lead is withheld from a seat in turn.
 * @param {string[][]} sets @param {(clan: string) => boolean} leads @returns {Cell[]}
 */
export function cellsOf(sets, leads) {
  const told = sets.flatMap((clans) =>
    clans.filter(leads).map((clan) => ({ clans, told: clan, weight: 1 })),
  );
  const weight = Math.max(1, Math.round(told.length / sets.length / POWER_GAMES));
  return [...sets.map((clans) => ({ clans, told: null, weight })), ...told];
}

/** Games of a round of all cells. @param {Cell[]} cells @param {number} players */
export const gamesOfRound = (cells, players) =>
  players * cells.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Some rounds of every cell.
 * @param {Cell[]} cells @param {number} players @param {number} first @param {number} rounds
 * @returns {Row[]}
 */
export const rowsOfRounds = (cells, players, first, rounds) =>
  cells.map(({ weight }, cell) => ({
    ...{ cell, firstDeal: first * weight * players, deals: rounds * weight * players },
  }));

/** Nothing played yet. @param {Cell[]} cells @returns {Sums} */
export const noSums = (cells) => cells.map(() => new Float64Array(BLOCKS * PLACES));

/** Add sums of more games of the same cells. @param {Sums} sums @param {Sums} more */
export function addSums(sums, more) {
  for (const [cell, added] of more.entries()) {
    const own = sums[cell];
    added.forEach((value, place) => {
      if (own) own[place] = (own[place] ?? 0) + value;
    });
  }
}

/**
 * Every number of some games: what never leading each clan costs a player, and each seat's edge, as
 * winning chances; turns a game; what those win who lead before the last age, and who are far behind.
 * @param {Cell[]} cells @param {Sums} sums @param {number} players
 */
export function numbersOf(cells, sums, players) {
  const clans = [...new Set(cells.flatMap(({ told }) => (told === null ? [] : [told])))];
  /** Sums of cells by clan, of a block. @param {number} block @param {string | null} clan @param {number} place */
  const of = (block, clan, place) =>
    cells.reduce(
      (sum, { told }, cell) =>
        told === clan ? sum + (sums[cell]?.[block * PLACES + place] ?? 0) : sum,
      0,
    );
  const blocks = Array.from({ length: BLOCKS }, (_, block) => block);
  const told = blocks.map((block) =>
    Float64Array.from(clans.flatMap((clan) => [of(block, clan, GAMES), of(block, clan, TOLD_WON)])),
  );
  const free = blocks.map((block) =>
    Float64Array.from({ length: PLACES }, (_, place) => of(block, null, place)),
  );
  const fair = 1 / players;
  /** @param {Float64Array} all @param {number} part @param {number} whole */
  const ratio = (all, part, whole) => (all[part] ?? 0) / (all[whole] ?? 0);
  /** @param {Float64Array} all @param {number} won @param {number} seats */
  const share = (all, won, seats) => ratio(all, won, seats) / SIXTIETHS;
  const games = free.map((block) => block[GAMES] ?? 0);
  return {
    clans,
    costs: jackknife(
      (all) => clans.map((_, clan) => fair - share(all, 2 * clan + 1, 2 * clan)),
      told,
      told.map((block) => clans.reduce((sum, _, clan) => sum + (block[2 * clan] ?? 0), 0)),
    ),
    seats: jackknife(
      (all) =>
        Array.from({ length: players }, (_, seat) => share(all, TURN_WON + seat, GAMES) - fair),
      free,
      games,
    ),
    shape: jackknife(
      (all) => [
        ratio(all, TURNS, GAMES),
        share(all, LEADERS_WON, LEADERS),
        share(all, BEHIND_WON, BEHIND),
      ],
      free,
      games,
    ),
  };
}
