/* The script of a worker: it opens its own engine, prepares the cells of tasks, and plays rows of them. */

import { openEngine } from "./engine.js";
import { sumsOf } from "./sums.js";

/** @import { Changes } from "./changes.js" */
/** @import { Engine, Live, Table } from "./engine.js" */
/** @import { Row } from "./study.js" */

/**
 * Rules and line-ups to play. A clan is given by its number among the clans of the rules, and `last` is
 * the number of the last age, from 0.
 * @typedef {{
 *   id: number | string, rules: string, changes?: Changes, players: number, mode: string,
 *   seed: number, last: number,
 *   cells: {clans: number[], lineUp: string[], givesUp?: boolean}[],
 * }} Task
 */
/** @typedef {{ open: Live } | { task: Task, rows: Row[] }} Asked */

/** The most games that are kept as rows before they are summed. */
const AT_ONCE = 2000;

/** A table and a line-up that are ready to play.
    @typedef {{ table: Table, entries: number, clans: number[], givesUp?: boolean }} Prepared */

/** @type {Promise<Engine> | undefined} */
let opening;

/** The cells of each task. @type {Map<Task["id"], Prepared[]>} */
const known = new Map();

/** The cells of a task, prepared once. @param {Engine} engine @param {Task} task */
function prepared(engine, { id, rules, changes, players, mode, cells }) {
  const ready = known.get(id);
  if (ready) return ready;
  const state = engine.state(rules, changes);
  const made = cells.map(({ clans, lineUp, givesUp }) => ({
    ...{ clans, givesUp, entries: engine.lineUp(rules, players, lineUp) },
    table: engine.prepare(state, { players, mode, clans }),
  }));
  known.set(id, made);
  return made;
}

/** Play a row in pieces of AT_ONCE games, one of each deal, and sum them.
    @param {Engine} engine @param {Task} task @param {Row} row */
function playRow(engine, task, { cell, firstDeal, deals }) {
  const of = /** @type {Prepared} */ (prepared(engine, task)[cell]);
  /** @type {Float64Array | undefined} */
  let sums;
  for (let deal = 0; deal < deals; deal += AT_ONCE) {
    const games = Math.min(AT_ONCE, deals - deal);
    const firstGame = firstDeal + deal;
    const played = engine.play({ ...of, seed: task.seed, firstGame, games, rotations: 1 });
    if (played.reason) throw new Error(`game ${firstGame} and on: ${played.sentence}`);
    const more = sumsOf(engine, { ...played, sides: of.table.sides }, of.clans, task.last);
    sums = sums?.map((sum, i) => sum + (more[i] ?? 0)) ?? more;
  }
  return sums ?? new Float64Array();
}

/** @param {MessageEvent<Asked>} event */
self.onmessage = async ({ data: asked }) => {
  if ("open" in asked) {
    opening = openEngine(asked.open);
    return;
  }
  try {
    const engine = /** @type {Engine} */ (await opening);
    self.postMessage({ sums: asked.rows.map((row) => playRow(engine, asked.task, row)) });
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
