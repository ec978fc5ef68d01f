/* The cells that the page plays at a table, as in `table` and `compare`, and their numbers. */

import { jackknife } from "./estimates.js";
import {
  BEHIND,
  BEHIND_WON,
  BLOCKS,
  GAMES,
  GAVE_UP,
  LEADERS,
  LEADERS_WON,
  PLACES,
  TURN_WON,
  TURNS,
} from "./sums.js";

/**
 * Games of one clan set. In games with `givesUp` every seat gives up one of the clans in `leading`,
 * which can lead.
 * @typedef {{clans: string[], leading: string[], givesUp: boolean}} Cell
 */

/** The sums of each cell (`sumsOf`). @typedef {Float64Array[]} Sums */

const SIXTIETHS = 60;

/**
 * The cells of some clan sets: ordinary games of each, and games in which every seat gives up a clan
 * (`plan_of` in reports/comparison/comparison_study.py). Clans stand in the order of their powers, by
 * which cards are numbered.
 * @param {string[][]} sets @param {(clan: string) => boolean} leads @returns {Cell[]}
 */
export const cellsOf = (sets, leads) =>
  [false, true].flatMap((givesUp) =>
    sets.map((clans) => ({ clans, leading: clans.filter(leads), givesUp })),
  );

/** The games of one round: a game of as many deals as players, in each cell. @param {Cell[]} cells @param {number} players */
export const gamesOfRound = (cells, players) => players * cells.length;

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
 * Every number of some games. `worths` are the worths of the clans (reports/estimators/worth.py), and
 * `seats` the edges of the seats, both as winning chances. `shape` holds the turns of a game, and the win
 * shares of players who lead before the last age and of players who are far behind then.
 * @param {Cell[]} cells @param {Sums} sums @param {number} players
 */
export function numbersOf(cells, sums, players) {
  const clans = [...new Set(cells.flatMap(({ givesUp, leading }) => (givesUp ? leading : [])))];
  /** A sum of a block over cells. @param {number} block @param {(cell: Cell) => number} placeOf -1 for none */
  const sumOf = (block, placeOf) =>
    cells.reduce((sum, cell, number) => {
      const place = placeOf(cell);
      return place < 0 ? sum : sum + (sums[number]?.[block * PLACES + place] ?? 0);
    }, 0);
  const blocks = Array.from({ length: BLOCKS }, (_, block) => block);
  /** The place of a clan's seats, or of their wins. @param {string} clan @param {number} part */
  const gaveUp =
    (clan, part) =>
    (/** @type {Cell} */ { clans: inPlay, givesUp }) =>
      givesUp && inPlay.includes(clan) ? GAVE_UP + 2 * inPlay.indexOf(clan) + part : -1;
  const given = blocks.map((block) =>
    Float64Array.from(
      clans.flatMap((clan) => [sumOf(block, gaveUp(clan, 0)), sumOf(block, gaveUp(clan, 1))]),
    ),
  );
  const free = blocks.map((block) =>
    Float64Array.from({ length: PLACES }, (_, place) =>
      sumOf(block, ({ givesUp }) => (givesUp ? -1 : place)),
    ),
  );
  const fair = 1 / players;
  /** @param {Float64Array} all @param {number} part @param {number} whole */
  const ratio = (all, part, whole) => (all[part] ?? 0) / (all[whole] ?? 0);
  /** @param {Float64Array} all @param {number} won @param {number} seats */
  const share = (all, won, seats) => ratio(all, won, seats) / SIXTIETHS;
  const games = free.map((block) => block[GAMES] ?? 0);
  return {
    clans,
    worths: jackknife(
      (all) => clans.map((_, clan) => fair - share(all, 2 * clan + 1, 2 * clan)),
      given,
      blocks.map((block) => sumOf(block, ({ givesUp }) => (givesUp ? GAMES : -1))),
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
