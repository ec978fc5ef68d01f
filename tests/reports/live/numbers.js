/* Compute the page's numbers from rows: reads {players, last, layouts, sets, leads, sides}. */

import { readFileSync } from "node:fs";
import { Engine } from "../../../reports/live/engine.js";
import {
  differences,
  halves,
  rowsOf,
  spreadChange,
  spreadOf,
  verdicts,
} from "../../../reports/live/estimates.js";
import { cellsOf, gamesOfRound, numbersOf } from "../../../reports/live/study.js";
import { sumsOf } from "../../../reports/live/sums.js";

/** @type {any} */
const asked = JSON.parse(readFileSync(0, "utf8"));
const { players, last, layouts, sides, sets, leads, rounds, numbered } = asked;
const cells = cellsOf(sets, (clan) => leads.includes(clan));

/** @param {{games: string, seats: string, count: number}[]} rows */
function numbers(rows) {
  const sums = rows.map(({ games, seats, count }) => {
    const one = Buffer.from(games, "base64");
    const bytes = new Uint8Array(Buffer.concat([one, Buffer.from(seats, "base64")]));
    const engine = Object.assign(Object.create(Engine.prototype), {
      ...{ layouts, places: new Map(), view: new DataView(bytes.buffer, bytes.byteOffset) },
    });
    const at = { games: 0, seats: one.length, count, sides: players };
    return sumsOf(engine, at, numbered, last);
  });
  return numbersOf(cells, sums, players);
}

/** @param {import("../../../reports/live/estimates.js").Numbers} of */
const told = (of) => ({ value: of.value, half: halves(of) });

const [first, second] = [numbers(sides[0]), numbers(sides[1])];
const change = differences(first.worths, second.worths);
console.log(
  JSON.stringify({
    cells: cells.map(({ clans, givesUp }) => [clans, givesUp]),
    games: gamesOfRound(cells, players) * rounds,
    clans: first.clans,
    worths: told(first.worths),
    seats: told(first.seats),
    shape: told(first.shape),
    apart: spreadOf(first.worths).apart,
    change: told(change),
    spread: told(spreadChange(first.worths, second.worths)),
    words: verdicts(
      rowsOf(change),
      change.value.map(() => 0.005),
      1,
    ),
  }),
);
