/* The page's bar of choices, tested without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import { nearest, readChoice, writeChoice } from "../../reports/rendering/templates/choices.js";

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

test("the nearest table is shown if one was not played, and what was just chosen stays", () => {
  const table = { edition: "2nd edition", mode: "standard", players: 4, who: "learned" };
  const all = /** @type {import("../../reports/rendering/templates/choices.js").Choice[]} */ (
    /** @type {unknown} */ ([
      { ...table, players: 3, who: "champion" },
      { ...table, who: "champion" },
    ])
  );
  const chosen = { ...table, clans: ["fox"], changes: [] };
  assert.deepEqual(nearest(all, chosen), { ...chosen, who: "champion" });
  const three = nearest(all, { ...chosen, players: 3 }, { players: 3 });
  assert.deepEqual(three, { ...chosen, players: 3, who: "champion" });
});
