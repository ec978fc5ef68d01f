/* Holds the page's tables against the kernel's: lines of {trace, facts, expected} on standard input,
   a line for each difference on standard output. `expected` pairs an event's place with what the
   kernel held after it. */

import { createInterface } from "node:readline";
import { clanOf, statesOf } from "../../../reports/viewer/state.js";

/** @param {string[]} cards */
const ordered = (cards) => [...cards].sort();

/**
 * @param {import("../../../reports/viewer/state.js").State} state
 * @param {string[]} colors
 * @param {string[]} twins clans of which cards of one name are more than two
 */
const comparable = (state, colors, twins) => ({
  age: state.age,
  turn: state.turn,
  hands: state.hands.map(ordered),
  known: state.known.map((cards) => ordered(cards.filter((card) => !twins.includes(clanOf(card))))),
  pool: ordered(state.pool),
  deck: state.deck.length,
  dragons: state.dragons,
  columns: ordered(state.columns),
  faceUp: ordered(state.faceUp),
  markers: state.markers,
  supply: state.supply,
  coins: Object.fromEntries(
    colors.filter((color) => state.coins[color]).map((color) => [color, state.coins[color]]),
  ),
  sea: state.sea,
  tokens: state.tokens.map((values) => values.toSorted((a, b) => a - b)),
  largest: Object.fromEntries(
    Object.keys(state.sea).flatMap((clan) =>
      state.largest[clan] ? [[clan, state.largest[clan]]] : [],
    ),
  ),
  settled: Object.fromEntries(
    Object.entries(state.settled).map(([clan, boards]) => [clan, boards.map(ordered)]),
  ),
  parties: state.parties.map((parties) => parties.length),
  partyPoints: state.partyPoints,
  prestige: state.prestige,
});

let states = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { trace, facts, expected, sources, twins } = JSON.parse(line);
  const found = statesOf(trace, facts);
  /** @param {string} where @param {unknown} shown @param {unknown} held */
  const compare = (where, shown, held) => {
    if (JSON.stringify(shown) === JSON.stringify(held)) return;
    const name = `${trace.edition} ${trace.mode} ${trace.players} game ${trace.game}`;
    console.log(`${name}, ${where}: ${JSON.stringify(shown)}, kernel ${JSON.stringify(held)}`);
  };
  for (const [place, held] of expected) {
    const state = found[place];
    if (!state) throw new Error(`no event ${place}`);
    for (const [key, shown] of Object.entries(comparable(state, facts.colors, twins))) {
      compare(`event ${place}, ${key}`, shown, held[key]);
    }
    states += 1;
  }
  compare("sources", found.at(-1)?.sources, sources);
  compare("winners", found.at(-1)?.winners, trace.events.at(-1).winners);
}
console.error(states);
