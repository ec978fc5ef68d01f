/* The table as a person at it sees it: regions, pool, rivals, and what happened. */

import { make } from "../rendering/templates/elements.js";
import { capital, cardMark, shortName, sortedCards, spoken, tracks } from "./table.js";
import { cardsWords, cardWords, counted, effects, partyName, regionWords } from "./words.js";

/** @typedef {import("./state.js").Event} Event */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./table.js").Names} Names */
/**
 * Who sees the table, and by which rules: the person's seat, the levels of the others, and the region
 * where a marker would be placed.
 * @typedef {{
 *   names: Names, seat: number, levels: string[], rules: Record<string, any>,
 *   tokens: Record<string, number[]>, ghost?: string | null,
 * }} Seen
 */

const MARKS = ["●", "■", "▲", "◆", "★", "✚"];

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

/** How a player's markers compare with the best of the others. @param {number[]} row @param {number} player @param {Names} names */
export function against(row, player, names) {
  const others = row.map((count, side) => (side === player ? -1 : count));
  const most = Math.max(...others);
  const own = row[player] ?? 0;
  const who = others.flatMap((count, side) =>
    count === most ? [shortName(side, names).replace("You", "you")] : [],
  );
  if (most <= 0) return "alone there";
  const whom = who.length > 2 ? "several" : who.join(" and ");
  if (own === most) return `level with ${whom}`;
  return own > most ? `past ${whom} (${most})` : `behind ${whom} (${most})`;
}

/** The cards that a party needs to place a marker in a region. @param {State} state @param {string} color @param {Seen} seen */
export function needed(state, color, { seat, rules }) {
  const row = state.markers[color] ?? [];
  const both = row.length === 2 && rules["two_players.both_markers"];
  const standing = both ? (row[0] ?? 0) + (row[1] ?? 0) : (row[seat] ?? 0);
  return standing + rules.markers_needed;
}

/** The regions, with the tokens that this age pays and each player's markers. @param {State} state @param {Seen} seen */
export function regionTiles(state, seen) {
  const { names, tokens, rules, seat, ghost } = seen;
  const pays = /** @type {number[]} */ (rules[`pays.age_${state.age}`] ?? []).filter(Boolean);
  const tiles = names.colors.map((color) => {
    const row = state.markers[color] ?? [];
    const most = Math.max(...row, 1);
    const values = tokens[color] ?? [];
    const later = values.filter((_, place) => !pays.includes(place + 1));
    /** @param {string} kind @param {string} said @param {number} value */
    const token = (kind, said, value) =>
      make("span", { class: kind }, make("i", { class: "unseen" }, `${said} `), value);
    const coins = state.coins[color];
    const shown = [
      ...pays.map((place, i) =>
        token(i ? "pays second" : "pays", i ? "next place" : "first place", values[place - 1] ?? 0),
      ),
      ...later.map((value) => token("later", "another age", value)),
      ...(coins ? [token("coin", "coins for the first", coins)] : []),
    ];
    const players = row.map((count, player) => {
      const more = player === seat && ghost === color;
      return make(
        "li",
        { class: `player-${player}${count === most ? " lead" : ""}` },
        make("span", { class: "n" }, shortName(player, names)),
        make("span", { class: "m", "aria-hidden": "true" }, marks(player, count), more ? "○" : ""),
        make("span", { class: "k" }, more ? `${count}→${count + 1}` : count),
      );
    });
    return make(
      "li",
      { class: ghost === color ? "tile target" : "tile", "data-color": color },
      make("h3", {}, regionWords(color, names)),
      make("p", { class: "tokens" }, ...shown),
      make("ul", {}, ...players),
      make("p", { class: "need" }, `You need ${counted(needed(state, color, seen), "card")}`),
    );
  });
  return make(
    "ul",
    { class: "tiles", "aria-label": capital(names.sources.regions?.[0] ?? "") },
    ...tiles,
  );
}

/** Pool and deck. @param {State} state @param {Seen} seen @param {string} hint */
export function poolTile(state, { names }, hint) {
  const cards = sortedCards(state.pool, names).map((card) => cardMark(card, names, "tall"));
  const met = "◆".repeat(state.dragons) + "◇".repeat(names.dragons - state.dragons);
  const columns = names.players[1] === "Bruno" ? bruno(state, names) : [];
  return make(
    "section",
    { class: "box pooled" },
    make("h2", {}, "Pool ", make("span", {}, hint)),
    make(
      "ul",
      { class: "cards pool" },
      ...(cards.length ? cards : [make("li", { class: "soft" }, "empty")]),
    ),
    make(
      "p",
      { class: "deck" },
      make("b", {}, state.deck - (names.dragons - state.dragons)),
      " in the deck ",
      make("span", { "aria-hidden": "true" }, met),
      ` ${state.dragons} of ${names.dragons} dragons`,
    ),
    ...columns,
  );
}

/** Bruno's columns and who may lead for him. @param {State} state @param {Names} names */
const bruno = (state, names) => [
  make("h2", {}, "Bruno's columns"),
  make(
    "ul",
    { class: "cards columns" },
    ...sortedCards(state.columns, names).map((card) => cardMark(card, names, "tall")),
  ),
  make("p", { class: "soft" }, `May lead for him: ${state.faceUp.map(spoken).join(", ")}.`),
];

/** What a player has on the table, in words. @param {State} state @param {number} player @param {Names} names */
export function holding(state, player, names) {
  const sizes = (state.parties[player] ?? [])
    .map(({ cards }) => cards.length)
    .sort((a, b) => b - a);
  const facts = tracks(state, player, names)
    .slice(1)
    .filter((fact) => !/ 0 of /.test(fact));
  return [
    ...(sizes.length ? [`${capital(names.words.parties)} ${sizes.join(", ")}`] : []),
    ...facts,
  ].join("; ");
}

/** The other players, with what everybody knows of them. @param {State} state @param {Seen} seen */
export function rivalsTile(state, { names, seat, levels }) {
  const rows = names.players.flatMap((_, player) => {
    if (player === seat) return [];
    const hand = state.hands[player];
    const seenCards = state.known[player] ?? [];
    const held = hand
      ? `${hand.length} in hand${seenCards.length ? `, seen: ${cardsWords(sortedCards(seenCards, names))}` : ""}. `
      : "";
    const has = holding(state, player, names);
    return make(
      "li",
      {},
      person(player, names),
      make("i", {}, levels[player] ?? ""),
      make("strong", {}, state.prestige[player] ?? 0),
      make("span", {}, `${held}${has ? `${has}.` : ""}`),
    );
  });
  const age = `${names.words.age} ${state.age} of ${names.ages}`;
  return make(
    "section",
    { class: "box rivals" },
    make("h2", {}, "Rivals ", make("span", {}, age)),
    make("ul", {}, ...rows),
  );
}

/** Words for the dragons that came up in a draw. @param {number} dragons */
const cameUp = (dragons) => (dragons ? [`${counted(dragons, "dragon")} came up`] : []);

/**
 * A line of the log: who, what they did, and what it brought; null if it is told elsewhere.
 * @param {Event} event @param {State} state the table after its turn @param {Seen} seen
 */
export function logLine(event, state, { names, seat }) {
  const mine = event.player === seat;
  const does = (/** @type {string} */ verb) => (mine ? verb : `${verb}s`);
  const hand = state.hands[event.player]?.length ?? 0;
  /** @param {number} player @param {string} what @param {string[]} more */
  const line = (player, what, more) =>
    make(
      "li",
      {},
      ...(player < 0 ? [] : [person(player, names)]),
      ` ${what}`,
      make("span", {}, more.length ? `${more.map(capital).join(". ")}.` : ""),
    );
  switch (event.event) {
    case "age": {
      const first = shortName(event.first_player, names);
      return line(-1, `${capital(names.words.age)} ${event.age}`, [
        `${first} ${first === "You" ? "begin" : "begins"}`,
      ]);
    }
    case "recruit": {
      const known = event.source === "pool" || (mine && event.card);
      const card = known ? ` ${cardWords(event.card)}` : "";
      const what = event.source === "pool" ? does("take") : does("draw");
      return line(event.player, `${what}${card}`, [
        ...cameUp(event.dragons),
        `${counted(hand, "card")} in hand`,
      ]);
    }
    case "party": {
      const row = state.markers[event.region];
      const marker = row
        ? [
            `Marker in ${regionWords(event.region, names)}: ${row[event.player]}, ${against(row, event.player, names)}`,
          ]
        : ["No marker"];
      const kept =
        event.kept.length && !event.again
          ? [`${does("keep")} ${counted(event.kept.length, "card")}`]
          : [];
      const left = event.discarded.length ? [`to the pool: ${cardsWords(event.discarded)}`] : [];
      const drawn = event.drawn.length
        ? [
            `${does("draw")} ${mine ? cardsWords(event.drawn) : counted(event.drawn.length, "card")}`,
          ]
        : [];
      return line(event.player, `${does("play")} ${partyName(event.cards, event.leader)}`, [
        ...[
          ...marker,
          ...effects(event, names).slice(1),
          ...kept,
          ...left,
          ...drawn,
          ...cameUp(event.dragons),
        ],
      ]);
    }
    case "pass":
      return line(event.player, does("pass").replace("passs", "passes"), [
        "Only wild cards in hand",
      ]);
    case "refill":
      return line(
        -1,
        `To the pool: ${cardsWords(event.cards) || "nothing"}`,
        cameUp(event.dragons),
      );
    case "power":
      return line(
        -1,
        capital(spoken(event.clan ?? event.power)),
        event.actions.map(
          (/** @type {any} */ { action, player }) =>
            `${shortName(player, names)}: ${spoken(action)}`,
        ),
      );
    case "bruno_gets":
      return line(1, `gets ${cardsWords(event.cards) || "no card"}`, cameUp(event.dragons));
    case "bruno_party":
      return line(1, `plays ${partyName(event.cards, event.leader)}`, [
        ...effects(event, names),
        ...(event.released ? [`${cardWords(event.released)} to the ${event.released_to}`] : []),
      ]);
    case "age_end":
      return line(-1, `${capital(names.words.age)} ${event.age} is over`, [
        event.prestige
          .map(
            (/** @type {number} */ points, /** @type {number} */ player) =>
              `${shortName(player, names)} ${points}`,
          )
          .join(", "),
      ]);
    default:
      return null;
  }
}
