/* Plays in node what it is told to, and tells what came of it: run by test_same_games.py. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openEngine } from "../../../reports/live/engine.js";

const { live, cases } = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
const engine = await openEngine(live);

/** @param {number} at @param {number} size */
const digest = (at, size) => createHash("sha256").update(engine.bytes(at, size)).digest("hex");

const told = [];
for (const { key, changes, players, mode, clans, entries, seed, games } of cases) {
  const table = engine.prepare(engine.state(key, changes), { players, mode, clans });
  const lineUp = engine.lineUp(key, players, entries);
  const view = digest(table.view, engine.sizeOf("VIEW_DTYPE"));
  const played = engine.play([{ table, lineUp, seed, firstGame: 0, games }]);
  told.push({
    view,
    rotations: lineUp.rotations,
    sentence: played.sentence,
    games: digest(played.games, engine.sizeOf("GAME_DTYPE") * played.count),
    seats: digest(played.seats, engine.sizeOf("SEAT_DTYPE") * played.sides),
  });
}
console.log(JSON.stringify(told));
