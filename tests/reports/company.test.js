/* What the bar of the page answers, without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  points,
  predict,
  readChoice,
  sureEffects,
  worths,
  writeChoice,
} from "../../reports/rendering/templates/company.js";

const MODEL = {
  others: ["owl", "koi"],
  mean: [0.1, 0.03, -0.001],
  covariance: [1e4, 0, 4e4, 0, 0, 1e4],
};
const CHOICE = /** @type {import("../../reports/rendering/templates/company.js").Choice} */ (
  /** @type {unknown} */ ({
    leftover: 0,
    worth: {
      fox: { ...MODEL, covariance: [1e4, 0, 1e4, 0, 0, 1e4] },
      owl: { others: ["fox", "koi"], mean: [0.2, 0, 0], covariance: [1e4, 0, 0, 0, 0, 0] },
    },
    played: { "fox,koi,owl": { fox: [0.12, 0.03] } },
  })
);

test("a worth is that of the clan and what its company adds, with the spread of both", () => {
  const [value, half] = predict(MODEL, ["owl"], 0.01);
  assert.ok(Math.abs(value - 0.13) < 1e-12);
  assert.ok(Math.abs(half - 1.96 * Math.sqrt(1e-4 + 4e-4 + 1e-4)) < 1e-12);
});

test("clans stand from strong to weak, with what was played beside the model", () => {
  const found = worths(CHOICE, ["koi", "fox", "owl"]);
  assert.deepEqual(
    found.map(({ clan }) => clan),
    ["owl", "fox"],
  );
  assert.deepEqual(found[1]?.played, [0.12, 0.03]);
  assert.equal(worths(CHOICE, ["fox", "owl"])[1]?.played, undefined);
});

test("only sure effects of company are told", () => {
  const found = sureEffects(CHOICE, ["koi", "fox", "owl"]);
  assert.deepEqual(
    found.map(({ clan, other }) => [clan, other]),
    [["fox", "owl"]],
  );
  assert.deepEqual(sureEffects(CHOICE, ["koi", "fox"]), []);
});

test("points have signs and real minus signs", () => {
  assert.equal(points([0.0213, 0.004]), "+2.1 ± 0.4");
  assert.equal(points([-0.05, 0.011]), "\u22125.0 ± 1.1");
});

test("an address tells a choice and comes back from it", () => {
  const chosen = { setting: "second", players: 3, clans: ["fox", "red_panda"], who: "" };
  assert.equal(writeChoice(chosen), "#second;3;fox,red_panda");
  assert.deepEqual(readChoice(writeChoice(chosen)), chosen);
  const named = { ...chosen, who: "uniform population" };
  assert.deepEqual(readChoice(writeChoice(named)), named);
});

test("an address of a section is no choice, and nonsense chooses nothing", () => {
  assert.equal(readChoice("#seats"), null);
  assert.equal(readChoice(""), null);
  assert.deepEqual(readChoice("#second;99;a,a,,b"), {
    setting: "second",
    players: null,
    clans: ["a", "b"],
    who: "",
  });
});
