/* What the page of a game rests on, without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import { readAddress, writeAddress } from "../../../reports/viewer/address.js";
import { chancesAt, costliest, resultOf, stepAt, turnAt } from "../../../reports/viewer/chances.js";
import { firstState, nextState, statesOf } from "../../../reports/viewer/state.js";
import { sortedCards } from "../../../reports/viewer/table.js";

const FACTS = {
  colors: ["red", "blue"],
  regions: ["red", "blue"],
  ages: 2,
  dragons: 3,
  supply: 10,
  onTake: { bear: 2 },
  wild: ["dog"],
  unscored: ["dog"],
  scoreBonus: { rabbit: 1 },
  partyPoints: [0, 0, 1, 3, 6],
  parts: { largest: "bear" },
};
const AGE = {
  event: "age",
  age: 1,
  first_player: 0,
  hands: [["bear:red"], ["dog:blue"]],
  pool: ["rabbit:red"],
  deck: ["bear:blue", "dragon", "dog:red", "dragon", "dragon"],
};
const PARTY = {
  event: "party",
  player: 0,
  cards: ["bear:red", "dog:blue"],
  leader: "bear:red",
  region: "red",
  sea: null,
  sea_regions: [],
  token: null,
  largest: true,
  settled: null,
  coin: null,
  again: false,
  kept: [],
  discarded: ["rabbit:red"],
  drawn: [],
  dragons: 0,
};

/** @param {import("../../../reports/viewer/state.js").Event[]} events */
const trace = (events) => ({
  game: 0,
  seed: 1,
  players: 2,
  mode: "standard",
  clans: ["bear", "dog", "rabbit"],
  strategies: ["greedy", "greedy"],
  prestige_tokens: {},
  events,
});

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
  const names = /** @type {any} */ (FACTS);
  assert.deepEqual(sortedCards(["dog:blue", "bear:blue", "dog:red", "bear:red"], names), [
    "bear:red",
    "bear:blue",
    "dog:red",
    "dog:blue",
  ]);
});

test("a state is never changed by the next one", () => {
  const game = trace([AGE, PARTY]);
  const before = nextState(firstState(game, FACTS), AGE, game, FACTS);
  const copy = structuredClone(before);
  nextState(before, PARTY, game, FACTS);
  assert.deepEqual(before, copy);
});

test("a party lays cards, places a marker, takes the token and empties the hand", () => {
  const after = statesOf(trace([AGE, PARTY]), FACTS).at(-1);
  assert.deepEqual(after?.markers, { red: [1, 0], blue: [0, 0] });
  assert.deepEqual(after?.largest, { bear: { player: 0, size: 2 } });
  assert.deepEqual(after?.prestige, [2, 0]);
  assert.deepEqual(after?.hands[0], []);
  assert.deepEqual(after?.pool, ["rabbit:red", "rabbit:red"]);
  assert.equal(after?.supply[0], 9);
  assert.equal(after?.partyPoints[0], 0, "the wild card is gone before parties score");
});

test("a card taken from the pool is known to all, one drawn from the deck is not", () => {
  const take = { event: "recruit", player: 0, source: "pool", card: "rabbit:red", dragons: 0 };
  const draw = { event: "recruit", player: 1, source: "deck", card: "bear:blue", dragons: 0 };
  const after = statesOf(trace([AGE, take, draw]), FACTS).at(-1);
  assert.deepEqual(after?.known, [["rabbit:red"], []]);
  assert.equal(after?.deck.length, 4);
  assert.equal(after?.turn, 2);
});

test("an event that nobody knows is refused", () => {
  assert.throws(() => statesOf(trace([{ event: "earthquake" }]), FACTS), /earthquake/);
});
