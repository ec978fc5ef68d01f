/* The table: regions, pool, players, and what happened. */

import { make } from "../rendering/templates/elements.js";
import {
  capital,
  cardsWords,
  counted,
  regionWords,
  shortName,
  sourceWords,
  spoken,
  told,
} from "./words.js";

/** @import { Card, Event } from "./events.js" */
/** @import { State } from "./seen.js" */
/** @import { Names } from "./words.js" */
/**
 * Who sees the table, and by which rules: the seat that sees it (null for all hands open), and the marked
 * regions, where a marker of the seat would be placed.
 * @typedef {{
 *   names: Names, seat: number | null, rules: Record<string, any>, marked?: string[],
 * }} Seen
 */

const MARKS = ["●", "■", "▲", "◆", "★", "✚"];
/** A supply of markers of this size or less is told. */
const FEW = 5;

/** A player's shape and name in their color. @param {number} player @param {Names} names */
export const person = (player, names) =>
  make(
    "b",
    { class: `person player-${player}` },
    make("span", { "aria-hidden": "true" }, `${MARKS[player]} `),
    shortName(player, names),
  );

/** A player's shapes, as many as they have markers. @param {number} player @param {number} count */
export const marks = (player, count) => (MARKS[player] ?? "").repeat(Math.min(count, 8));

/** Cards by clan, then by color. @param {Card[]} cards @param {Names} names */
export function sortedCards(cards, names) {
  const parts = (/** @type {Card} */ card) => /** @type {[string, string]} */ (card.split(":"));
  const place = (/** @type {Card} */ card) => names.colors.indexOf(parts(card)[1]);
  return [...cards].sort((a, b) => parts(a)[0].localeCompare(parts(b)[0]) || place(a) - place(b));
}

/** A card with the name of its clan and of its color. @param {Card} card @param {Names} names @param {string} [more] classes */
export function cardMark(card, names, more = "") {
  const [clan = "", color = ""] = card.split(":");
  return make(
    "li",
    {
      class: `card ${more}`,
      "data-color": color,
      "data-card": card,
      title: names.powers[clan] ?? null,
    },
    ...[make("b", {}, spoken(clan)), " ", make("small", {}, color)],
  );
}

/** Sorted cards in a row. @param {Card[]} cards @param {Names} names @param {string} kind of row */
export function cardRow(cards, names, kind) {
  const shown = sortedCards(cards, names).map((card) => cardMark(card, names));
  const none = make("li", { class: "soft" }, "empty");
  return make("ul", { class: `cards ${kind}` }, ...(shown.length ? shown : [none]));
}

/** The cards that a party needs to place a marker in a region. @param {State} state @param {string} color @param {Seen} seen */
export function needed(state, color, { seat, rules }) {
  const row = state.markers[color] ?? [];
  const both = row.length === 2 && rules["two_players.both_markers"];
  const standing = both ? (row[0] ?? 0) + (row[1] ?? 0) : (row[seat ?? 0] ?? 0);
  return standing + rules.markers_needed;
}

/** The tokens of a region: those that this age pays, the others, and coins. @param {State} state @param {string} color @param {Seen} seen */
function tokenRow(state, color, { rules }) {
  const pays = /** @type {number[]} */ (rules[`pays.age_${state.age}`] ?? []).filter(Boolean);
  const values = state.prestigeTokens[color] ?? [];
  const later = values.filter((_, place) => !pays.includes(place + 1));
  const coins = state.coins[color];
  /** @param {string} kind @param {string} said @param {number} value */
  const token = (kind, said, value) =>
    make("span", { class: kind }, make("i", { class: "unseen" }, `${said} `), value);
  const paid = pays.map((place, i) =>
    token(i ? "pays second" : "pays", i ? "next place" : "first place", values[place - 1] ?? 0),
  );
  const others = later.map((value) => token("later", "another age", value));
  const coin = coins ? [token("coin", "coins for the first", coins)] : [];
  return make("p", { class: "tokens" }, ...paid, ...others, ...coin);
}

/** The regions, with tokens and each player's markers. @param {State} state @param {Seen} seen */
export function regionTiles(state, seen) {
  const { names, seat, marked = [] } = seen;
  const tiles = names.colors.map((color) => {
    const row = state.markers[color] ?? [];
    const most = Math.max(...row, 1);
    const players = row.map((count, player) => {
      const more = player === seat && marked.includes(color);
      return make(
        "li",
        { class: `player-${player}${count === most ? " lead" : ""}` },
        make("span", { class: "n" }, shortName(player, names)),
        make("span", { class: "m", "aria-hidden": "true" }, marks(player, count), more ? "○" : ""),
        make("span", { class: "k" }, more ? `${count}→${count + 1}` : count),
      );
    });
    const need = `You need ${counted(needed(state, color, seen), "card")}`;
    return make(
      "li",
      { class: marked.includes(color) ? "tile target" : "tile", "data-color": color },
      make("h3", {}, regionWords(color, names)),
      tokenRow(state, color, seen),
      make("ul", {}, ...players),
      ...(seat === null ? [] : [make("p", { class: "need" }, need)]),
    );
  });
  return make("ul", { class: "tiles", "aria-label": sourceWords("regions", names) }, ...tiles);
}

/** Pool and deck, and in solo Bruno's cards. @param {State} state @param {Seen} seen @param {string} [hint] */
export function poolTile(state, { names, rules }, hint = "") {
  const left = rules.dragons - state.dragons;
  const last = rules.last_dragon || rules.dragons;
  const bruno = () => [
    make("h2", {}, "Bruno's columns"),
    cardRow(state.columns, names, "columns"),
    make("p", { class: "soft" }, `May lead for him: ${state.faceUp.map(spoken).join(", ")}.`),
  ];
  return make(
    "section",
    { class: "box pooled" },
    make("h2", {}, "Pool ", make("span", {}, hint)),
    cardRow(state.pool, names, "pool"),
    make(
      "p",
      { class: "deck", title: `Dragon ${last} ends the ${names.words.age} at once` },
      make("b", {}, state.deck - left),
      " in the deck ",
      make("span", { "aria-hidden": "true" }, "◆".repeat(state.dragons) + "◇".repeat(left)),
      ` ${state.dragons} of ${rules.dragons} dragons`,
    ),
    ...(names.players[1] === "Bruno" ? bruno() : []),
  );
}

/** The sizes of a player's parties, the largest first: "3, 2". @param {State} state @param {number} player */
export function partySizes(state, player) {
  const sizes = (state.parties[player] ?? []).map(({ cards }) => cards.length);
  return sizes.sort((a, b) => b - a).join(", ");
}

/** What a player has on the table, in words. @param {State} state @param {number} player @param {Seen} seen */
export function holding(state, player, { names, rules }) {
  const sizes = partySizes(state, player);
  const facts = sizes ? [`${capital(names.words.parties)} ${sizes}`] : [];
  const supply = state.supply[player] ?? 0;
  if (supply <= FEW) facts.push(`${counted(supply, "marker")} left`);
  for (const clan of names.sources.sea ?? []) {
    const space = state.sea[clan]?.[player] ?? 0;
    const symbols = /** @type {number[]} */ (rules[`${clan}.symbols`]);
    const next = symbols.find((symbol) => symbol > space);
    const extra = next === undefined ? "" : `, extra marker at ${next}`;
    if (space) facts.push(`${spoken(clan)} ${space} of ${rules[`${clan}.last_space`]}${extra}`);
  }
  if (state.tokens[player]?.length) facts.push(`tie-break ${state.tokens[player].join(" + ")}`);
  for (const [clan, held] of Object.entries(state.largest))
    if (held?.player === player) facts.push(`largest ${spoken(clan)} party, of ${held.size}`);
  for (const [clan, boards] of Object.entries(state.settled))
    if (boards[player]?.length) facts.push(`${spoken(clan)} board ${boards[player].join(", ")}`);
  const points = state.partyPoints[player];
  if (points) facts.push(`${points} ${names.words.prestige} on the table`);
  return facts.join("; ");
}

/** The rivals of the seat that looks, or all players, with what this seat may know of them. @param {State} state @param {Seen} seen */
export function playersTile(state, seen) {
  const { names, seat } = seen;
  const open = seat === null;
  const rivals = [...names.players.keys()].filter((player) => player !== seat);
  const rows = rivals.map((player) => {
    const hand = state.hands[player];
    const known = sortedCards(state.known[player] ?? [], names);
    const held = hand ? [`${hand.length} in hand`] : [];
    if (hand && !open && known.length) held.push(`seen: ${cardsWords(known)}`);
    const said = [held.join(", "), holding(state, player, seen)].filter(Boolean);
    return make(
      "li",
      {},
      person(player, names),
      make("i", {}, names.players[player]?.split(" ").slice(1).join(" ") ?? ""),
      make("strong", {}, state.prestige[player] ?? 0),
      make("span", {}, said.map((text) => `${text}.`).join(" ")),
      ...(hand?.length && open ? [cardRow(hand, names, "held")] : []),
    );
  });
  const age = `${names.words.age} ${state.age} of ${state.ages}`;
  return make(
    "section",
    { class: "box rivals" },
    make("h2", {}, open ? "Players " : "Rivals ", make("span", {}, age)),
    make("ul", {}, ...rows),
  );
}

/**
 * A line of the log: who, what they did, and what it brought.
 * @param {Event} event @param {State} state the table after it @param {Pick<Seen, "names" | "seat">} seen
 */
function logLine(event, state, { names, seat }) {
  const { player, what, more } = told(event, state, names, seat);
  return make(
    "li",
    {},
    ...(player < 0 ? [] : [person(player, names)]),
    ` ${what}`,
    make("span", {}, more.length ? `${more.map(capital).join(". ")}.` : ""),
  );
}

/** The lines of the log of some turns. @param {import("./sitting.js").Sitting} game
    @param {Pick<Seen, "names" | "seat">} seen @param {number} from @param {number} to */
export const logLines = (game, seen, from, to) =>
  game.turns.slice(from, to).flatMap((events, i) => {
    const state = game.stateAfter(from + i);
    return events.map((event) => logLine(event, state, seen));
  });
