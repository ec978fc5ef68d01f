/* The page's statistics, compared with published tables and numbers worked out by hand. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  differ,
  quantileOfT,
  rowsOf,
  tailOfT,
  verdictOf,
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

test("numbers within chance of each other do not differ, and others do", () => {
  const some = numbers([0.1, 0.099, 0.2], 0.01);
  assert.ok(!differ(some, 0, 1));
  assert.ok(differ(some, 2, 0) && differ(some, 1, 2));
});

test("the verdict of an interval is Python's (tests/experiments/test_verdict.py)", () => {
  const cases = JSON.parse(readFileSync(new URL("../../verdicts.json", import.meta.url), "utf8"));
  for (const { low, high, limit, verdict } of cases) {
    const ends = [low, high].map((end) => end ?? Number.NaN);
    assert.equal(verdictOf(ends[0] ?? 0, ends[1] ?? 0, limit), verdict);
  }
});

test("what matters must matter among all that is read together, and looks cost", () => {
  /** @param {number} value @param {number} spread @param {number} looks */
  const verdict = (value, spread, looks) =>
    verdicts(rowsOf(numbers([value], spread)), [0.01], looks)[0];
  assert.equal(verdict(0.05, 0.01, 8), "matters");
  assert.equal(verdict(0.0001, 0.01, 8), "alike");
  assert.equal(verdict(0.02, 0.2, 8), "open");
  assert.equal(verdict(0.05, 0.1, 1), "matters");
  assert.equal(verdict(0.05, 0.1, 64), "open");
});
