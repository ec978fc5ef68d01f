/* Play rounds of one rule set, or of two on the same deals, until enough are played. */

import { addSums, gamesOfRound, noSums } from "./study.js";

/** @import { Changes } from "./changes.js" */
/** @import { Cell, Sums } from "./study.js" */
/** @import { Task } from "./worker.js" */

/**
 * The workers (pool.js).
 * @typedef {{
 *   size: number, stop: () => void,
 *   play: (worker: number, task: Task, first: number, deals: number) => Promise<Sums>,
 * }} Pool
 */

/** The games so far, in whole rounds without gaps. @typedef {{rounds: number, games: number, seconds: number, sums: Sums[]}} Progress */

/** The time in which a worker answers; one question is ahead, so that it is never idle. */
const SECONDS_AT_A_TIME = 0.3;
const QUESTIONS = 2;
const FIRST_ROUNDS = 2;
/** A worker has room for the rows of all games that it plays at once. */
const MOST_ROUNDS = 500;

/**
 * Play further rounds, equally many of each side, until `enough` is true.
 * @param {Pool} pool @param {Task[]} sides @param {Cell[]} cells @param {Progress} before
 * @param {(progress: Progress) => boolean} enough called after every step, in the order of the rounds
 * @param {(rounds: number) => number} [border] the next round at which a step must end
 */
export async function playOn(pool, sides, cells, before, enough, border = () => Infinity) {
  const [players, began] = [sides[0]?.players ?? 0, performance.now()];
  const progress = { ...before };
  let [given, pace, over] = [before.rounds, FIRST_ROUNDS, false];
  /** @type {Map<number, {rounds: number, sums: Sums[]}>} */
  const waiting = new Map();
  const hand = async (/** @type {number} */ worker) => {
    while (!over) {
      const [first, asked] = [given, performance.now()];
      const rounds = Math.max(1, Math.min(pace, border(first) - first));
      given += rounds;
      const sums = await Promise.all(
        sides.map((side) => pool.play(worker, side, first * players, rounds * players)),
      ).catch((fault) => {
        over = true;
        throw fault;
      });
      const took = (performance.now() - asked) / 1000;
      const fitting = Math.round((rounds * SECONDS_AT_A_TIME) / took);
      pace = Math.max(1, Math.min(4 * rounds, fitting, MOST_ROUNDS));
      waiting.set(first, { rounds, sums });
      let next = waiting.get(progress.rounds);
      while (next && !over) {
        waiting.delete(progress.rounds);
        next.sums.forEach((more, side) => {
          addSums(progress.sums[side] ?? [], more);
        });
        progress.rounds += next.rounds;
        progress.games += sides.length * next.rounds * gamesOfRound(cells, players);
        progress.seconds = before.seconds + (performance.now() - began) / 1000;
        over = enough(progress);
        next = waiting.get(progress.rounds);
      }
    }
  };
  await Promise.all(
    Array.from({ length: QUESTIONS * pool.size }, (_, number) => hand(number % pool.size)),
  );
  return progress;
}

/** The progress before the first game. @param {Cell[]} cells @param {number} sides @returns {Progress} */
export const nothing = (cells, sides) => ({
  rounds: 0,
  games: 0,
  seconds: 0,
  sums: Array.from({ length: sides }, () => noSums(cells)),
});

/**
 * The task that the workers play for one side of a study.
 * @param {Cell[]} cells
 * @param {{key: string, players: number, mode: string, who: string, last: number, numberOf: (clan: string) => number}} table
 * @param {Changes} changes @param {number} [seed] of the deals
 * @returns {Task}
 */
export function taskOf(cells, { key, players, mode, who, last, numberOf }, changes, seed = 1) {
  return {
    ...{ rules: key, changes, players, mode, seed, last },
    cells: cells.map(({ clans, givesUp }) => ({
      ...{ clans: clans.map(numberOf), givesUp, lineUp: [who] },
    })),
  };
}
