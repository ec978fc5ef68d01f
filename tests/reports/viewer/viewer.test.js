/* The scripts of a game's page, tested without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import { readAddress, writeAddress } from "../../../reports/viewer/address.js";
import { sortedCards } from "../../../reports/viewer/board.js";
import { chancesAt, costliest, resultOf, stepAt, turnAt } from "../../../reports/viewer/chances.js";

/** @param {Partial<import("../../../reports/viewer/chances.js").TurnChance>} known */
const turn = (known) => ({
  step: 1,
  turn: 1,
  player: 0,
  chance: 0.5,
  error: 0.05,
  cost: 0,
  cost_error: 0.01,
  best: "draws",
  best_chance: 0.5,
  ...known,
});

test("an address says a step and a seat, and comes back from what it says", () => {
  for (const place of [
    { step: 117, seat: 2 },
    { step: 3, seat: null },
  ]) {
    assert.deepEqual(readAddress(writeAddress(place.step, place.seat), 200, 4), place);
  }
});

test("an address that says what is not there leads to something that is", () => {
  assert.deepEqual(readAddress("", 9, 4), { step: 1, seat: null });
  assert.deepEqual(readAddress("#step=12&seat=7", 9, 4), { step: 9, seat: null });
  assert.deepEqual(readAddress("#step=-3&seat=1.5", 9, 4), { step: 1, seat: null });
  assert.deepEqual(readAddress("#step=x&seat=", 9, 4), { step: 1, seat: 0 });
});

test("the ends of the curve are the first and the last step", () => {
  assert.equal(stepAt(0, 1000, 300), 1);
  assert.equal(stepAt(1000, 1000, 300), 300);
  assert.ok(Math.abs(stepAt(516, 1000, 300) - 150) <= 2);
});

test("a turn costs most where that is sure", () => {
  const unsure = turn({ turn: 1, cost: 0.3, cost_error: 0.4 });
  const small = turn({ turn: 2, cost: 0.1 });
  const large = turn({ turn: 3, cost: 0.2 });
  assert.deepEqual(costliest([unsure, small, large], 5), [large, small]);
  assert.deepEqual(costliest([unsure, small, large], 1), [large]);
});

test("a step tells the last chance known by then, of each player", () => {
  const known = [turn({ step: 2 }), turn({ step: 5, player: 1, chance: 0.04, error: 0.01 })];
  assert.equal(turnAt(known, 1), undefined);
  assert.equal(turnAt(known, 4)?.step, 2);
  assert.deepEqual(chancesAt(known, 2, 9), [93, 7]);
  assert.deepEqual(chancesAt(known, 2, 1), [50, 50]);
  assert.deepEqual(chancesAt([turn({ chance: 0.3 })], 1, 9), [30, 70]);
});

test("shown chances are whole and sum to 100, and in the end they are the result", () => {
  const known = [0, 1, 2].map((player) => turn({ player, chance: 0.21 }));
  assert.deepEqual(chancesAt(known, 3, 9), [34, 33, 33]);
  const ended = [...known, ...resultOf([2], 3, 10, 4)];
  assert.deepEqual(chancesAt(ended, 3, 9), [34, 33, 33]);
  assert.deepEqual(chancesAt(ended, 3, 10), [0, 0, 100]);
  assert.deepEqual(chancesAt(resultOf([0, 1], 3, 10, 4), 3, 10), [50, 50, 0]);
});

test("hands are sorted by clan, then in the order of the regions", () => {
  const names = /** @type {any} */ ({ colors: ["red", "blue"] });
  assert.deepEqual(sortedCards(["dog:blue", "bear:blue", "dog:red", "bear:red"], names), [
    "bear:red",
    "bear:blue",
    "dog:red",
    "dog:blue",
  ]);
});
