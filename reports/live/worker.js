/* The script of a worker: it opens its own engine, prepares the cells of tasks, and plays their deals. */

import { openEngine } from "./engine.js";
import { sumsOf } from "./sums.js";

/** @import { Changes } from "./changes.js" */
/** @import { Engine, Live, Table } from "./engine.js" */

/**
 * Rules and line-ups to play. A clan is given by its number among the clans of the rules, and `last` is
 * the number of the last age, from 0.
 * @typedef {{
 *   rules: string, changes?: Changes, players: number, mode: string, seed: number, last: number,
 *   cells: {clans: number[], lineUp: string[], givesUp?: boolean}[],
 * }} Task
 */
/** @typedef {{ open: Live } | { task: Task, first: number, deals: number }} Asked */

/** A table and a line-up that are ready to play.
    @typedef {{ table: Table, entries: number, clans: number[], givesUp?: boolean }} Prepared */

/** @type {Promise<Engine> | undefined} */
let opening;

/** The cells of each task. @type {Map<string, Prepared[]>} */
const known = new Map();

/** The cells of a task, prepared once. @param {Engine} engine @param {Task} task */
function prepared(engine, task) {
  const { rules, changes, players, mode, cells } = task;
  const key = JSON.stringify(task);
  const ready = known.get(key);
  if (ready) return ready;
  const state = engine.state(rules, changes);
  const made = cells.map(({ clans, lineUp, givesUp }) => ({
    ...{ clans, givesUp, entries: engine.lineUp(rules, players, lineUp) },
    table: engine.prepare(state, { players, mode, clans }),
  }));
  known.set(key, made);
  return made;
}

/** Play a game of each deal in every cell, and sum each cell's games.
    @param {Engine} engine @param {Task} task @param {number} firstGame @param {number} games */
const sumsByCell = (engine, task, firstGame, games) =>
  prepared(engine, task).map((cell) => {
    const rows = engine.play({ ...cell, seed: task.seed, firstGame, games, rotations: 1 });
    if (rows.reason) throw new Error(`game ${firstGame} and on: ${rows.sentence}`);
    return sumsOf(engine, rows, cell.clans, task.last);
  });

/** @param {MessageEvent<Asked>} event */
self.onmessage = async ({ data: asked, ports: [answer] }) => {
  if ("open" in asked) {
    opening = openEngine(asked.open);
    return;
  }
  try {
    const engine = /** @type {Engine} */ (await opening);
    answer?.postMessage({ sums: sumsByCell(engine, asked.task, asked.first, asked.deals) });
  } catch (error) {
    answer?.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
