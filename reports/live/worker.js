/* The script of a worker: it opens its own engine, prepares the cells of tasks, and plays rows. */

import { openEngine } from "./engine.js";
import { sumsOf } from "./sums.js";

/** @typedef {{ id: number | string, rules: string, changes?: import("./changes.js").Changes,
     players: number, mode: string, seed: number | bigint, last: number,
     cells: { clans: number[], lineUp: import("./engine.js").LiveEntry[],
     rotations?: number, givesUp?: boolean }[] }} Task */
/** @typedef {{ cell: number, firstDeal: number, deals: number }} Row */
/** @typedef {{ open: import("./engine.js").Live } | { task: Task } |
     { id: number | string, rows: Row[] }} Asked */

/** The most games that are kept as rows before they are summed. */
const AT_ONCE = 2000;

/** @type {Promise<import("./engine.js").Engine> | undefined} */
let opening;

/** The error that occurred before the first rows arrived; "" if there was none. */
let broken = "";

/** @type {Map<number | string, { task: Task,
     cells: { table: import("./engine.js").Table, lineUp: import("./engine.js").LineUp,
     clans: number[], rotations: number, givesUp: boolean }[] }>} */
const prepared = new Map();

/** @param {import("./engine.js").Engine} engine @param {Task} task */
function prepareTask(engine, task) {
  const state = engine.state(task.rules, task.changes);
  const cells = task.cells.map(({ clans, lineUp, rotations, givesUp }) => {
    const { players, mode, rules } = task;
    const line = engine.lineUp(rules, players, lineUp);
    const table = engine.prepare(state, { players, mode, clans });
    const turns = rotations ?? line.rotations;
    return { table, clans, lineUp: line, rotations: turns, givesUp: givesUp ?? false };
  });
  prepared.set(task.id, { task, cells });
}

/** Play a row in pieces of AT_ONCE games, and sum them.
    @param {import("./engine.js").Engine} engine @param {number | string} id @param {Row} row */
function playRow(engine, id, { cell, firstDeal, deals }) {
  const known = prepared.get(id);
  const { table, clans = [], lineUp, rotations, givesUp } = known?.cells[cell] ?? {};
  if (!known || !table || !lineUp || !rotations) throw new Error(`no cell ${cell} of task ${id}`);
  const { seed } = known.task;
  const most = Math.max(1, Math.floor(AT_ONCE / rotations));
  /** @type {Float64Array | undefined} */
  let sums;
  for (let deal = 0; deal < deals; deal += most) {
    const games = Math.min(most, deals - deal) * rotations;
    const firstGame = (firstDeal + deal) * rotations;
    const played = engine.play({ table, lineUp, seed, firstGame, games, rotations, givesUp });
    if (played.reason) throw new Error(`game ${firstGame} and on: ${played.sentence}`);
    const more = sumsOf({
      bytes: engine.view,
      layouts: engine.layouts,
      ...{ games: played.games, seats: played.seats, count: games, sides: table.sides, clans },
      task: known.task,
    });
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
