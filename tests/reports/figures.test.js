/* Read the page's numbers, and write them. */

import assert from "node:assert/strict";
import test from "node:test";
import { long, readNumbers, withGames } from "../../reports/rendering/templates/numbers.js";

const [first, second] = readNumbers([
  [0.0345, 0.0285, 0.0405, 1200, "share_difference"],
  [277.25, null, null, 0, "count"],
]);

test("shares are shown in hundredths, and differences with a sign", () => {
  assert.ok(first && second);
  assert.equal(long(first), "+3.5 ±\u00a00.6");
  assert.equal(withGames(first), "+3.5 ±\u00a00.6, 1,200 games");
  assert.equal(withGames(second), "277.3");
  assert.equal(long({ ...first, value: -0.0345, low: null }), "\u22123.5");
});
