/* The scripts of a game's page, tested without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import { readAnswers, readTurn, writeAnswers } from "../../../reports/viewer/address.js";
import { sortedCards } from "../../../reports/viewer/board.js";
import { turnAt } from "../../../reports/viewer/chances.js";

test("an address says a turn, and leads to one that is there", () => {
  const said = ["#turn=117", "", "#turn=-3", "#turn=x", "#turn=900", "#turn=1.5"];
  assert.deepEqual(
    said.map((hash) => readTurn(hash, 200)),
    [117, 0, 0, 0, 200, 0],
  );
});

test("answers are read as they are written", () => {
  for (const written of ["2.0.1f_1_3.4.0.11", "4.0.-1_5.a.b.c.d"])
    assert.equal(writeAnswers(readAnswers(written)), written);
  assert.deepEqual(readAnswers("<b>_x.1"), []);
});

test("the ends of the curves are the first deal and the last turn", () => {
  assert.equal(turnAt(0, 1000, 300), 0);
  assert.equal(turnAt(1000, 1000, 300), 300);
  assert.ok(Math.abs(turnAt(516, 1000, 300) - 150) <= 2);
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
