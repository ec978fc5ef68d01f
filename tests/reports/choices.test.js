/* The page's bar of choices, tested without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  choiceOf,
  notPlayed,
  readChoice,
  writeChoice,
} from "../../reports/rendering/templates/choices.js";

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
  const all = /** @type {import("../../reports/rendering/templates/choices.js").Choice[]} */ (
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
