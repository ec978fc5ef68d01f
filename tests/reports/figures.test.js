/* Read the page's numbers from its table, and write them. */

import assert from "node:assert/strict";
import test from "node:test";
import { long, readNumbers, short, withGames } from "../../reports/rendering/templates/numbers.js";

const CSV = `name,value,low,high,games,unit
"a, ""b""",0.0345,0.0285,0.0405,1200,share_difference
c,277.25,,,0,count
`;

test("a table is read line by line, quoted names and absent ends too", () => {
  const [first, second] = readNumbers(CSV);
  assert.deepEqual(first, {
    value: 0.0345,
    low: 0.0285,
    high: 0.0405,
    games: 1200,
    unit: "share_difference",
  });
  assert.equal(second?.low, null);
});

test("shares are shown in hundredths, and differences with a sign", () => {
  const [first, second] = readNumbers(CSV);
  assert.ok(first && second);
  assert.equal(short(first), "+3.5");
  assert.equal(long(first), "+3.5 ±\u00a00.6");
  assert.equal(withGames(first), "+3.5 ±\u00a00.6, 1,200 games");
  assert.equal(withGames(second), "277.3");
  assert.equal(short({ ...first, value: -0.0345 }), "\u22123.5");
});
