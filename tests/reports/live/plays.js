/* Play a page's cases, alone and by workers, and write the results into the element `told`. */

import { openEngine } from "../../../reports/live/engine.js";
import { openPool } from "../../../reports/live/pool.js";
import { played } from "./played.js";

/** @param {string} id */
const data = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "");
const [live, cases] = [data("live"), data("cases")];

/** The sums of the first case by workers, in one piece and in three; and whether work that is
    stopped is told so. */
async function byWorkers() {
  const pool = openPool(live, 2);
  const { key: rules, players, mode, seed, clans, entries: lineUp } = cases[0];
  const table = { rules, players, mode, seed };
  const task = { last: 2, ...table, cells: [{ clans, lineUp }] };
  const [[whole], ...pieces] = await Promise.all([
    pool.play(0, task, 0, 24),
    ...[0, 8, 16].map((first) => pool.play(1, task, first, 8)),
  ]);
  const joined = whole?.map((_, i) => pieces.reduce((sum, [piece]) => sum + (piece?.[i] ?? 0), 0));
  const stopped = pool.play(0, task, 0, 1e5).catch((error) => error.message === "stopped");
  pool.stop();
  return { games: 24, equal: `${whole}` === `${joined}`, stopped: await stopped };
}

const told = document.getElementById("told");
try {
  const rows = await played(await openEngine(live), cases);
  if (told) told.textContent = JSON.stringify({ rows, workers: await byWorkers() });
} catch (error) {
  if (told) told.textContent = JSON.stringify({ error: String(error) });
}
