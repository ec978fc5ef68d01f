/* The panels that play, tested without a page: claims, sets, commands, rounds. */

import assert from "node:assert/strict";
import test from "node:test";
import { matching } from "../../../reports/live/changes.js";
import { wordsOf, worthClaim } from "../../../reports/live/claims.js";
import { changesOf, endOf } from "../../../reports/live/compared.js";
import { randomSets } from "../../../reports/live/fair_sets.js";
import { nothing, playOn } from "../../../reports/live/playing.js";
import { cellsOf } from "../../../reports/live/study.js";
import { BLOCKS, PLACES } from "../../../reports/live/sums.js";
import { commandLine } from "../../../reports/live/table.js";

const NAMES = ["Bear", "Deer", "Fox", "Koi"];

/** Costs whose pseudo-values scatter around them by `spread`. @param {number[]} value @param {number} spread */
const costs = (value, spread) => ({
  value,
  pseudo: Array.from({ length: BLOCKS }, (_, block) =>
    value.map((one, row) => one + ((block >> row) % 2 ? spread : -spread)),
  ),
  leverage: Array(BLOCKS).fill(BLOCKS - 1),
});

test("what giving up the first and the last clan means is said only if they differ", () => {
  assert.equal(
    worthClaim(NAMES, costs([0.09, -0.12, 0.02, 0.01], 0.01), 4),
    "Give up the Bear and you win 16.0 of 100 games (±\u00a00.5); give up the Deer and you win 37.0.",
  );
  assert.equal(worthClaim(NAMES, costs([0.02, 0.01, 0.015, 0.012], 0.3), 4), "");
});

test("each clan gets the word of the page, and none with too few games", () => {
  const worths = costs([0.09, -0.12, 0.02, 0.03], 0.01);
  assert.deepEqual(wordsOf(worths, 0.03), ["strong", "weak", "average", "near average"]);
  assert.deepEqual(wordsOf(costs([0.09, 0], 0.4), 0.03), ["", ""]);
});

test("a dozen different random sets are drawn, each in the order of the clans", () => {
  const clans = ["bear", "deer", "fox", "koi", "owl", "tiger"];
  const sets = randomSets(clans, 3);
  assert.equal(new Set(sets.map(String)).size, 12);
  for (const set of sets)
    assert.deepEqual(
      set,
      clans.filter((clan) => set.includes(clan)),
    );
  assert.equal(randomSets(["bear", "deer"], 2).length, 1);
});

test("the command plays the same table, or both rule sets at it", () => {
  const table = /** @type {import("../../../reports/live/table.js").Table} */ (
    /** @type {unknown} */ ({
      ...{ key: "second", base: [], players: 3, mode: "standard", who: "learned" },
    })
  );
  const sets = [["bear", "deer"]];
  assert.equal(
    commandLine("table", table, sets, 2100, {}),
    "ethnos-sim table --players 3 --clans bear,deer --games 2100",
  );
  assert.equal(
    commandLine("compare", table, sets, 4200, { "bear.on_take": 2, dragons: 4 }),
    "ethnos-sim compare second+bear.on_take=2+dragons=4 --players 3 --clans bear,deer --games 4200",
  );
  const other = { ...table, key: "first", base: ["hand_limit=9"], who: "greedy" };
  assert.equal(
    commandLine("compare", { ...other, mode: "recruitment" }, [], 0, { "giant.on_take": 1 }),
    "ethnos-sim compare first+recruitment+hand_limit=9 first+recruitment+hand_limit=9+giant.on_take=1 --players 3 --strategies greedy",
  );
});

test("rules are found by their words, and only those that count at the table", () => {
  const value = { meaning: "prestige for taking the token", players: [1, 6], clan: 0 };
  const values = /** @type {import("../../../reports/live/changes.js").RuleValue[]} */ (
    /** @type {unknown} */ ([
      { ...value, name: "bear.on_take" },
      { ...value, name: "bear.age_4_6", players: [4, 6] },
      { ...value, name: "clans_2_3", clan: null },
    ])
  );
  const names = matching(values, "Bear tok", 3, () => true, []).map(({ name }) => name);
  assert.deepEqual(names, ["bear.on_take"]);
  assert.equal(matching(values, "bear", 4, () => true, []).length, 2);
  assert.deepEqual(
    matching(values, "giant glory", 3, () => true, [
      ["giant", "bear"],
      ["prestige", "glory"],
    ]).map(({ name }) => name),
    ["bear.on_take"],
  );
  assert.equal(matching(values, "", 3, ({ clan }) => clan === null, []).length, 0);
});

test("the changed clan leads, what is open is left out, and nothing is said too early", () => {
  /** @param {number[]} values @param {string} less @param {string} more @param {string} told */
  const line = (values, less, more, told) =>
    /** @type {import("../../../reports/live/compared.js").Line} */ (
      /** @type {unknown} */ ({
        ...{ less, more, told, values, tell: String },
        change: { value: (values[1] ?? 0) - (values[0] ?? 0) },
      })
    );
  const lines = [
    line([22, 19], "The Bear gets weaker", "stronger", "who gives it up wins % of 100"),
    line([30, 31], "nearer", "Clans lie farther apart", "one moves your wins by % %"),
    line([274, 265], "Games get shorter", "longer", "% turns"),
  ];
  assert.deepEqual(changesOf(lines, []), ["No change is settled yet."]);
  assert.deepEqual(changesOf(lines, ["open", "alike", "open"]), ["No change is settled yet."]);
  assert.deepEqual(changesOf(lines, ["alike", "alike", "alike"]), [
    "Nothing changes that matters.",
  ]);
  assert.deepEqual(changesOf(lines, ["matters", "open", "close"]), [
    "The Bear gets weaker: who gives it up wins 19 instead of 22 of 100.",
    "Games get shorter, a little: 265 instead of 274 turns.",
  ]);
});

test("nothing is called settled before the first look, nor timed out after the last", () => {
  assert.equal(endOf([], 20), "");
  assert.equal(endOf(["matters", "open"], 64), "");
  assert.equal(endOf(["matters", "alike"], 64), "All is settled.");
  assert.match(endOf(["matters", "open"], 4096), /^That was the last look/);
});

/** Workers that answer late and out of order. @param {number} size */
function pool(size) {
  let asked = 0;
  return {
    ...{ size, stop: () => {} },
    /** @param {number} _ @param {import("../../../reports/live/worker.js").Task} task @param {number} _first @param {number} deals */
    async play(_, { cells }, _first, deals) {
      asked += 1;
      await new Promise((done) => setTimeout(done, asked % 3 ? 1 : 8));
      return cells.map(() => {
        const sums = new Float64Array(BLOCKS * PLACES);
        sums[0] = deals;
        return sums;
      });
    },
  };
}

test("rounds count in their order, up to each border, and both sides as many", async () => {
  const cells = cellsOf([["bear", "deer"]], () => true);
  const workers = pool(3);
  /** @type {number[]} */
  const seen = [];
  const side = /** @type {import("../../../reports/live/worker.js").Task} */ (
    /** @type {unknown} */ ({ players: 3, cells })
  );
  const done = await playOn(
    workers,
    [side, side],
    cells,
    nothing(cells, 2),
    ({ rounds, sums }) => {
      seen.push(rounds);
      for (const of of sums) assert.equal(of[0]?.[0], 3 * rounds);
      return rounds >= 96;
    },
    (rounds) => 32 * (Math.floor(rounds / 32) + 1),
  );
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  for (const border of [32, 64, 96]) assert.ok(seen.includes(border));
  assert.equal(done.rounds, 96);
  assert.equal(done.games, 2 * 96 * 3 * 2);
});

test("a fault of a worker ends the play", async () => {
  const cells = cellsOf([["bear", "deer"]], () => true);
  const workers = { ...pool(2), play: () => Promise.reject(new Error("illegal move")) };
  const side = /** @type {import("../../../reports/live/worker.js").Task} */ (
    /** @type {unknown} */ ({ players: 3, cells })
  );
  await assert.rejects(
    playOn(
      workers,
      [side],
      cells,
      nothing(cells, 1),
      () => false,
      () => 1e9,
    ),
    /illegal move/,
  );
});
