/* The page's model of clans and its bar of choices, tested without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  choiceOf,
  notPlayed,
  readChoice,
  writeChoice,
} from "../../reports/rendering/templates/choices.js";
import {
  bestOf,
  predict,
  strongest,
  sureEffects,
  worths,
} from "../../reports/rendering/templates/interactions.js";

const MODEL = {
  others: ["owl", "koi"],
  mean: [0.1, 0.03, -0.001],
  covariance: [1e4, 0, 4e4, 0, 0, 1e4],
};
const CHOICE = /** @type {import("../../reports/rendering/templates/interactions.js").Choice} */ (
  /** @type {unknown} */ ({
    leftover: 0,
    worth: {
      fox: { ...MODEL, covariance: [1e4, 0, 1e4, 0, 0, 1e4] },
      owl: { others: ["fox", "koi"], mean: [0.2, 0, 0], covariance: [1e4, 0, 0, 0, 0, 0] },
    },
    played: { "fox,koi,owl": { fox: [0.12, 0.03] } },
  })
);

test("a worth is that of the clan and what the others add, with the spread of both", () => {
  const [value, half] = predict(MODEL, ["owl"], 0.01);
  assert.ok(Math.abs(value - 0.13) < 1e-12);
  assert.ok(Math.abs(half - 1.96 * Math.sqrt(1e-4 + 4e-4 + 1e-4)) < 1e-12);
});

test("clans stand from strong to weak, against their own average", () => {
  const sorted = worths(CHOICE, ["koi", "fox", "owl"]);
  assert.deepEqual(
    sorted.map(({ clan }) => clan),
    ["owl", "fox"],
  );
  assert.ok(Math.abs((sorted[0]?.worth[0] ?? 0) + (sorted[1]?.worth[0] ?? 0)) < 1e-12);
  assert.ok(Math.abs((sorted[0]?.worth[0] ?? 0) - (0.2 - 0.129) / 2) < 1e-12);
});

test("a clan is the strongest only where no other one's interval reaches its own", () => {
  /** @param {[number, number][]} worth */
  const said = (...worth) => {
    const values = worth.map((each, place) => ({ clan: "ABC"[place] ?? "", worth: each }));
    const best = strongest(values).map(({ clan }) => clan);
    return bestOf(best, values.length);
  };
  assert.equal(said([0.05, 0.01], [0.02, 0.01], [0, 0.03]), "A is the strongest of these.");
  const close = "A or B is the strongest: too close to tell.";
  assert.equal(said([0.05, 0.01], [0.03, 0.02], [0, 0.02]), close);
  assert.match(said([0.05, 0.04], [0.03, 0.02], [0, 0.02]), /^No clan stands out/);
});

test("only interactions beyond chance are listed", () => {
  const sure = sureEffects(CHOICE, ["koi", "fox", "owl"]);
  assert.deepEqual(
    sure.map(({ clan, other }) => [clan, other]),
    [["fox", "owl"]],
  );
  assert.deepEqual(sureEffects(CHOICE, ["koi", "fox"]), []);
});

test("an address tells a choice and comes back from it", () => {
  const chosen = {
    edition: "2nd edition",
    mode: "standard",
    players: 3,
    who: "a;b",
    clans: ["fox"],
    changes: ["bear.on_take=2", "koi.symbols=3,7"],
  };
  assert.deepEqual(readChoice(writeChoice(chosen)), chosen);
});

test("an address of a section is no choice", () => {
  assert.equal(readChoice("#card"), null);
  assert.equal(readChoice(""), null);
});

test("a table that was not played is said to be notPlayed, and the nearest one is named", () => {
  const table = { edition: "2nd edition", mode: "standard", players: 4, who: "learned" };
  const all = /** @type {import("../../reports/rendering/templates/interactions.js").Choice[]} */ (
    /** @type {unknown} */ ([
      { ...table, players: 3, who: "champion" },
      { ...table, who: "champion" },
    ])
  );
  assert.equal(choiceOf(all, table), undefined);
  const said = notPlayed(all, table);
  assert.equal(said.text, "learned did not play the 2nd edition with 4 players.");
  assert.equal(said.nearest, all[1]);
});
