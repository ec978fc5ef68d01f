/* The page's statistics, compared with published tables and numbers worked out by hand. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  differing,
  holm,
  quantileOfT,
  rowsOf,
  tailOfT,
  timesToSettle,
  verdicts,
} from "../../../reports/live/estimates.js";

const BLOCKS = 32;

/** Numbers whose pseudo-values scatter around them by `spread`. @param {number[]} value @param {number} spread */
function numbers(value, spread) {
  const pseudo = Array.from({ length: BLOCKS }, (_, block) =>
    value.map((one, row) => one + (block % 2 ? spread : -spread) * (row % 2 ? 1 : -1)),
  );
  return { value, pseudo, leverage: Array(BLOCKS).fill(BLOCKS - 1) };
}

test("Student's t has the quantiles of Student's table", () => {
  for (const [probability, degrees, t] of [
    [0.975, 31, 2.0395],
    [0.975, 10, 2.2281],
    [0.95, 1, 6.3138],
    [0.99, 2, 6.9646],
  ]) {
    assert.ok(Math.abs(quantileOfT(probability ?? 0, degrees ?? 1) - (t ?? 0)) < 5e-5);
  }
  assert.equal(tailOfT(0, 31), 0.5);
});

test("Holm multiplies the smallest by all, and never falls", () => {
  assert.deepEqual(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
});

test("clans within chance of each other do not differ, and others do", () => {
  const apart = differing(numbers([0.1, 0.099, 0.2], 0.01));
  assert.deepEqual(apart, [
    [false, false, true],
    [false, false, true],
    [true, true, false],
  ]);
});

test("a difference is changed, as before or not settled, and looks cost", () => {
  /** @param {number} value @param {number} spread @param {number} looks */
  const verdict = (value, spread, looks) =>
    verdicts(rowsOf(numbers([value], spread)), [0.01], looks)[0];
  assert.equal(verdict(0.05, 0.01, 8), "changed");
  assert.equal(verdict(0.0001, 0.01, 8), "as before");
  assert.equal(verdict(0.02, 0.2, 8), "not settled");
  assert.equal(verdict(0.05, 0.12, 1), "changed");
  assert.equal(verdict(0.05, 0.12, 8), "not settled");
});

test("what is nearly settled takes a few more games, what is far away more", () => {
  const near = timesToSettle(0.05, 0.015, 0.01, 0.05 / 8);
  const far = timesToSettle(0.02, 0.015, 0.01, 0.05 / 8);
  assert.ok(near > 1 && near < far);
  assert.equal(timesToSettle(0, 1, 1e-4, 1e-9), Number.POSITIVE_INFINITY);
});
