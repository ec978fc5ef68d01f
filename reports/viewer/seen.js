/* Read the table from the engine's records, in the words of a trace. */

/** @import { Engine } from "../live/engine.js" */
/** @import { Event, EventWords } from "./events.js" */
/** The addresses of an open record, and of the record that holds all hands at this moment.
    @typedef {{view: number, layout: string, at: number}} Records */

/**
 * The table. Lists are by player, with Bruno last in solo; tracks, boards and largest-party tokens are
 * by clan. `deck` counts cards and dragons together. Events tell the parties of the age, and who won.
 * @typedef {ReturnType<typeof seenState> & {parties: Event[][], winners: number[] | null}} State
 */

const indices = (/** @type {number} */ length) => [...Array(length).keys()];

/**
 * The cards of a set; cards in both bit sets are there twice.
 * @param {bigint} once @param {bigint} twice @param {EventWords} words
 */
export const cardsIn = (once, twice, words) =>
  words.cards.flatMap((card, number) =>
    [once, twice].filter((plane) => (plane >> BigInt(number)) & 1n).map(() => card),
  );

/** Read the table from records. @param {Engine} engine @param {Records} records @param {EventWords} words */
export function seenState(engine, { view, layout, at }, words) {
  const { slots, colors, sides, players } = words;
  const clans = [...new Set(slots)];
  const number = (/** @type {string} */ path, /** @type {number[]} */ ...place) =>
    Number(engine.get("VIEW_DTYPE", view, path, ...place));
  const cards = (name = "", place = 0, type = "VIEW_DTYPE", address = view) => {
    const [once, twice] = ["once", "twice"].map((plane) =>
      engine.get(type, address, `${name}_${plane}`, place),
    );
    return cardsIn(once, twice, words);
  };
  /** @template T @param {(home: number, clan: string) => T} value */
  const byClan = (value) =>
    Object.fromEntries(clans.map((clan) => [clan, value(slots.indexOf(clan), clan)]));
  /** @template T @param {(region: number) => T} value */
  const byColor = (value) => Object.fromEntries(colors.map((color, i) => [color, value(i)]));
  const bits = (/** @type {number} */ mask, /** @type {string[]} */ names) =>
    names.filter((_, i) => (mask >> i) & 1);
  const [, tokens] = engine.layouts.VIEW_DTYPE?.fields.token_owner?.[2] ?? [];
  return {
    age: number("age"),
    ages: number("ages"),
    hands: indices(players).map((player) => cards("hands", player, layout, at)),
    known: indices(players).map((player) => cards("known", player)),
    pool: cards("pool"),
    deck: number("deck_cards"),
    dragons: number("dragons_seen"),
    columns: cards("columns"),
    faceUp: bits(number("leaders_up"), slots),
    markers: byColor((region) => indices(sides).map((side) => number("markers", region, side))),
    supply: indices(sides).map((side) => number("supply", side)),
    prestigeTokens: byColor((region) =>
      indices(number("rules.tokens_per_region")).map((place) =>
        number("prestige_tokens", region, place),
      ),
    ),
    coins: byColor((region) => number("coins_on_region", region)),
    sea: byClan((home) => indices(sides).map((side) => number("sea", home, side))),
    tokens: indices(sides).map((side) =>
      clans.flatMap((clan) =>
        indices(tokens ?? 0)
          .filter((token) => number("token_owner", slots.indexOf(clan), token) === side)
          .map((token) => number("rules.tie_break_tokens", slots.indexOf(clan), token)),
      ),
    ),
    largest: byClan((home) => {
      const player = number("largest_holder", home);
      return player < 0 ? null : { player, size: number("largest_size", home) };
    }),
    settled: byClan((home) =>
      indices(sides).map((side) => bits(number("settlements", home, side), colors)),
    ),
    partyPoints: indices(sides).map((side) => number("party_points", side)),
    prestige: indices(sides).map((side) => number("prestige", side)),
  };
}
