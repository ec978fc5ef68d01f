/* The cells that the page plays at a table, as in `table` and `compare`, and their numbers. */

import { jackknife } from "./estimates.js";
import {
  BEHIND,
  BEHIND_WON,
  BLOCKS,
  GAMES,
  LEADERS,
  LEADERS_WON,
  PLACES,
  TURN_WON,
  TURNS,
  WITHHELD_WON,
} from "./sums.js";

/**
 * Games of one clan set, without restrictions or with one seat that may not lead a clan (`withheld`).
 * @typedef {{clans: string[], withheld: string | null, weight: number}} Cell
 */

/** Some deals of a cell, each played in one seating. @typedef {{cell: number, firstDeal: number, deals: number}} Row */

/** The sums of each cell (`sumsOf`). @typedef {Float64Array[]} Sums */

const SIXTIETHS = 60;
/** About how many games have one restricted seat for each game that has none
    (reports/comparison/two_rule_sets.py). */
const POWER_GAMES = 3;

/**
 * The cells of some clan sets. Each set has a cell without restrictions and, for every clan that can
 * lead, a cell in which one seat may not lead this clan. Clans stand in the order of their powers, by
 * which cards are numbered.
 * @param {string[][]} sets @param {(clan: string) => boolean} leads @returns {Cell[]}
 */
export function cellsOf(sets, leads) {
  const withheld = sets.flatMap((clans) =>
    clans.filter(leads).map((clan) => ({ clans, withheld: clan, weight: 1 })),
  );
  const weight = Math.max(1, Math.round(withheld.length / sets.length / POWER_GAMES));
  return [...sets.map((clans) => ({ clans, withheld: null, weight })), ...withheld];
}

/** The games of one round of all cells. @param {Cell[]} cells @param {number} players */
export const gamesOfRound = (cells, players) =>
  players * cells.reduce((sum, { weight }) => sum + weight, 0);

/**
 * The rows of some rounds of every cell.
 * @param {Cell[]} cells @param {number} players @param {number} first @param {number} rounds
 * @returns {Row[]}
 */
export const rowsOfRounds = (cells, players, first, rounds) =>
  cells.map(({ weight }, cell) => ({
    ...{ cell, firstDeal: first * weight * players, deals: rounds * weight * players },
  }));

/** The sums before the first game. @param {Cell[]} cells @returns {Sums} */
export const noSums = (cells) => cells.map(() => new Float64Array(BLOCKS * PLACES));

/** Add the sums of further games of the same cells. @param {Sums} sums @param {Sums} more */
export function addSums(sums, more) {
  for (const [cell, added] of more.entries()) {
    const own = sums[cell];
    added.forEach((value, place) => {
      if (own) own[place] = (own[place] ?? 0) + value;
    });
  }
}

/**
 * Every number of some games. `costs` are the costs of never leading each clan, and `seats` the edges of
 * the seats, both as winning chances. `shape` holds the turns of a game, and the win shares of players
 * who lead before the last age and of players who are far behind then.
 * @param {Cell[]} cells @param {Sums} sums @param {number} players
 */
export function numbersOf(cells, sums, players) {
  const clans = [
    ...new Set(cells.flatMap(({ withheld }) => (withheld === null ? [] : [withheld]))),
  ];
  /** A sum of a block, over the cells of a clan. @param {number} block @param {string | null} clan @param {number} place */
  const sumOf = (block, clan, place) =>
    cells.reduce(
      (sum, { withheld }, cell) =>
        withheld === clan ? sum + (sums[cell]?.[block * PLACES + place] ?? 0) : sum,
      0,
    );
  const blocks = Array.from({ length: BLOCKS }, (_, block) => block);
  const withheld = blocks.map((block) =>
    Float64Array.from(
      clans.flatMap((clan) => [sumOf(block, clan, GAMES), sumOf(block, clan, WITHHELD_WON)]),
    ),
  );
  const free = blocks.map((block) =>
    Float64Array.from({ length: PLACES }, (_, place) => sumOf(block, null, place)),
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
      withheld,
      withheld.map((block) => clans.reduce((sum, _, clan) => sum + (block[2 * clan] ?? 0), 0)),
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
