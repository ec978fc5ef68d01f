/* The script of a worker: it opens its own engine, prepares the cells of tasks, and plays rows. */

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
/** @typedef {{ open: Live } | { task: Task } | { id: Task["id"], rows: Row[] }} Asked */

/** The most games that are kept as rows before they are summed. */
const AT_ONCE = 2000;

/** @type {Promise<Engine> | undefined} */
let opening;

/** The error that occurred before the first rows arrived; "" if there was none. */
let broken = "";

/** @type {Map<Task["id"], { task: Task,
     cells: { table: Table, entries: number, clans: number[], givesUp?: boolean }[] }>} */
const prepared = new Map();

/** @param {Engine} engine @param {Task} task */
function prepareTask(engine, task) {
  const { players, mode, rules } = task;
  const state = engine.state(rules, task.changes);
  const cells = task.cells.map(({ clans, lineUp, givesUp }) => ({
    ...{ clans, givesUp, entries: engine.lineUp(rules, players, lineUp) },
    table: engine.prepare(state, { players, mode, clans }),
  }));
  prepared.set(task.id, { task, cells });
}

/** Play a row in pieces of AT_ONCE games, one of each deal, and sum them.
    @param {Engine} engine @param {Task["id"]} id @param {Row} row */
function playRow(engine, id, { cell, firstDeal, deals }) {
  const known = prepared.get(id);
  const of = known?.cells[cell];
  if (!known || !of) throw new Error(`no cell ${cell} of task ${id}`);
  const { seed, last } = known.task;
  /** @type {Float64Array | undefined} */
  let sums;
  for (let deal = 0; deal < deals; deal += AT_ONCE) {
    const games = Math.min(AT_ONCE, deals - deal);
    const firstGame = firstDeal + deal;
    const played = engine.play({ ...of, seed, firstGame, games, rotations: 1 });
    if (played.reason) throw new Error(`game ${firstGame} and on: ${played.sentence}`);
    const more = sumsOf(engine, { ...played, sides: of.table.sides }, of.clans, last);
    sums = sums?.map((sum, i) => sum + (more[i] ?? 0)) ?? more;
  }
  return sums ?? new Float64Array();
}

/** @param {Asked} asked @returns {Promise<Float64Array[]>} */
async function answered(asked) {
  if (broken) throw new Error(broken);
  if ("open" in asked) opening = openEngine(asked.open);
  const engine = await opening;
  if (!engine) throw new Error("no engine was opened");
  if ("task" in asked) prepareTask(engine, asked.task);
  return "rows" in asked ? asked.rows.map((row) => playRow(engine, asked.id, row)) : [];
}

/** @param {MessageEvent<Asked>} event */
self.onmessage = async ({ data: asked }) => {
  try {
    const sums = await answered(asked);
    if ("rows" in asked) self.postMessage({ sums });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if ("rows" in asked) self.postMessage({ error: said });
    else broken = said;
  }
};
