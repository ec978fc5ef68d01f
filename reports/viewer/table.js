/* Draw the table of a game: regions, pool, deck, and each player's side. */

import { make } from "../rendering/templates/elements.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Card} Card */

/**
 * The facts of a game that the page names, in the words of its edition.
 * @typedef {{
 *   colors: string[], regions: string[], ages: number, dragons: number, lastDragon: number,
 *   title: string, players: string[],
 *   words: {party: string, parties: string, age: string, prestige: string},
 *   sources: Record<string, string[]>, powers: Record<string, string>,
 *   seaTracks: Record<string, {last: number, symbols: number[]}>,
 * }} Names
 */

/** @param {Card} card */
const clanOf = (card) => card.split(":")[0] ?? "";

/** @param {Card} card */
const colorOf = (card) => card.split(":")[1] ?? "";

/** @param {string} clan */
export const spoken = (clan) => clan.replaceAll("_", " ");

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Sort cards by clan, then by color.
 * @param {Card[]} cards
 * @param {Names} names
 */
export function sortedCards(cards, names) {
  /** @param {Card} card */
  const place = (card) => names.colors.indexOf(colorOf(card));
  return [...cards].sort((a, b) => clanOf(a).localeCompare(clanOf(b)) || place(a) - place(b));
}

/**
 * A card with the name of its clan and of its color.
 * @param {Card} card
 * @param {Names} names
 * @param {string} [more] classes
 */
export function cardMark(card, names, more = "") {
  const title = names.powers[clanOf(card)] ?? null;
  return make(
    "li",
    { class: `card ${more}`.trim(), "data-color": colorOf(card), "data-card": card, title },
    ...[make("b", {}, spoken(clanOf(card))), " ", make("small", {}, colorOf(card))],
  );
}

/**
 * @param {Card[]} cards
 * @param {Names} names
 * @param {{empty?: string, backs?: number, leader?: string}} [options]
 */
function cardList(cards, names, { empty = "none", backs = 0, leader = "" } = {}) {
  if (cards.length + backs === 0) return make("p", { class: "none" }, empty);
  let led = false;
  const marks = sortedCards(cards, names).map((card) => {
    const leads = !led && (card === leader || clanOf(card) === leader);
    led ||= leads;
    return cardMark(card, names, leads ? "leader" : "");
  });
  const back = backs > 0 ? [make("li", { class: "back" }, `${backs} hidden`)] : [];
  return make("ul", { class: "cards" }, ...marks, ...back);
}

/**
 * The regions with their tokens, coins and markers; the tokens that this age pays are marked.
 * @param {State} state
 * @param {State | undefined} before
 * @param {Record<string, number[]>} tokens
 * @param {Names} names
 */
export function regions(state, before, tokens, names) {
  const boxes = names.colors.map((color, place) => {
    const row = state.markers[color] ?? [];
    const values = (tokens[color] ?? []).map((value, age) =>
      make("span", { class: age < state.age ? "token pays" : "token" }, value),
    );
    const coins = state.coins[color];
    const changed = before && String(before.markers[color]) !== String(row);
    const most = Math.max(...row);
    const name = names.regions[place] ?? color;
    return make(
      "section",
      { class: changed ? "region changed" : "region", "data-color": color },
      make("h3", {}, capital(name)),
      make(
        "p",
        { class: "tokens" },
        ...values.reverse(),
        ...(coins ? [make("span", { class: "coin" }, `+${coins}`)] : []),
      ),
      make(
        "ol",
        { class: "markers" },
        ...row.map((count, player) =>
          make(
            "li",
            { class: count === most && most > 0 ? "most" : null },
            badge(player, names),
            make("span", { class: `blocks player-${player}`, style: `--count: ${count}` }),
            make("span", { class: "count" }, count),
          ),
        ),
      ),
    );
  });
  return make("div", { class: "regions" }, ...boxes);
}

/** The short name of a player on their color. @param {number} player @param {Names} names */
export const badge = (player, names) =>
  make("span", { class: `who player-${player}` }, shortName(player, names));

/** The strategy of a player in words. @param {number} player @param {Names} names */
export const strategyName = (player, names) =>
  (names.players[player] ?? "").split(" ").slice(1).join(" ");

/**
 * The short name of a player: "P0"; in solo the second is "Bruno".
 * @param {number} player
 * @param {Names} names
 */
export const shortName = (player, names) => names.players[player]?.split(" ")[0] ?? "";

/**
 * The middle of the table: pool, deck and dragons, and in solo Bruno's cards.
 * @param {State} state
 * @param {Names} names
 */
export function middle(state, names) {
  const met = "◆".repeat(state.dragons) + "◇".repeat(names.dragons - state.dragons);
  const cards = state.deck - (names.dragons - state.dragons);
  const parts = [
    make(
      "section",
      { class: "pool" },
      make("h3", {}, `Pool of ${state.pool.length}`),
      cardList(state.pool, names, { empty: "empty" }),
    ),
    make(
      "section",
      { class: "deck" },
      make("h3", {}, "Deck"),
      make("p", {}, make("b", {}, cards), " cards left"),
      make(
        "p",
        { title: `Dragon ${names.lastDragon} ends the ${names.words.age} at once` },
        make("span", { "aria-hidden": "true" }, met),
        ` ${state.dragons} of ${names.dragons} dragons`,
      ),
    ),
  ];
  if (names.players[1] === "Bruno") parts.push(...brunosCards(state, names));
  return make("div", { class: "middle" }, ...parts);
}

/**
 * @param {State} state
 * @param {Names} names
 */
function brunosCards(state, names) {
  return [
    make(
      "section",
      { class: "columns" },
      make("h3", {}, "Bruno's columns"),
      cardList(state.columns, names),
    ),
    make(
      "section",
      {},
      make("h3", {}, "May lead for Bruno"),
      make("p", {}, state.faceUp.map(spoken).join(", ")),
    ),
  ];
}

/**
 * A player's side: prestige by source, hand, tracks and boards, and the parties of this age.
 * @param {State} state
 * @param {number} player
 * @param {{names: Names, seat: number | null, acting: boolean}} shown
 */
export function playerSide(state, player, { names, seat, acting }) {
  const hand = state.hands[player];
  const open = seat === null || seat === player;
  const visible = (open ? hand : state.known[player]) ?? [];
  const winner = state.winners?.includes(player);
  const parties = state.parties[player] ?? [];
  const blocks = [
    make(
      "h3",
      {},
      badge(player, names),
      ` ${strategyName(player, names)} `,
      make("span", { class: "prestige" }, `${state.prestige[player]}${winner ? " ★" : ""}`),
    ),
    sourceTable(`${capital(names.words.prestige)} by source`, heads(names), [
      sourcesOf(state, player, names),
    ]),
    make("p", { class: "tracks" }, tracks(state, player, names).join(" · ")),
  ];
  if (hand) {
    blocks.push(
      make("h4", {}, `Hand of ${hand.length}`),
      cardList(visible, names, { empty: "empty", backs: hand.length - visible.length }),
    );
  }
  blocks.push(
    make("h4", {}, `${capital(names.words.parties)} this ${names.words.age}`),
    ...(parties.length
      ? parties.map((party) => cardList(party.cards, names, { leader: party.leader }))
      : [make("p", { class: "none" }, "none")]),
  );
  return make("article", { class: acting ? "side acting" : "side" }, ...blocks);
}

/**
 * The final standing, the most prestige first, with each player's prestige by source.
 * @param {State} state
 * @param {Names} names
 */
export function standing(state, names) {
  const prestige = (/** @type {number} */ player) => state.prestige[player] ?? 0;
  const order = state.prestige.map((_, player) => player);
  order.sort((a, b) => prestige(b) - prestige(a));
  const rows = order.map((player) => [
    `${names.players[player]}${state.winners?.includes(player) ? " ★" : ""}`,
    ...sourcesOf(state, player, names),
    prestige(player),
  ]);
  return sourceTable("Final standing", ["", ...heads(names), "all"], rows, "standing");
}

/** @param {Names} names */
const heads = (names) => Object.values(names.sources).map((clans) => clans.map(spoken).join(", "));

/** @param {State} state @param {number} player @param {Names} names */
export const sourcesOf = (state, player, names) =>
  Object.keys(names.sources).map((source) => state.sources[source]?.[player] ?? 0);

/**
 * A table of prestige by source.
 * @param {string} title
 * @param {string[]} columns
 * @param {(string | number)[][]} rows
 * @param {string} [more] classes
 */
function sourceTable(title, columns, rows, more = "") {
  return make(
    "table",
    { class: `sources ${more}`.trim() },
    make("caption", {}, title),
    make("thead", {}, make("tr", {}, ...columns.map((head) => make("th", { scope: "col" }, head)))),
    make(
      "tbody",
      {},
      ...rows.map((row) => make("tr", {}, ...row.map((value) => make("td", {}, value)))),
    ),
  );
}

/**
 * Phrases on a player's places on tracks and boards.
 * @param {State} state
 * @param {number} player
 * @param {Names} names
 */
export function tracks(state, player, names) {
  const facts = [`${state.supply[player]} markers left`];
  for (const [clan, { last, symbols }] of Object.entries(names.seaTracks)) {
    const space = state.sea[clan]?.[player] ?? 0;
    const next = symbols.find((symbol) => symbol > space);
    const extra = next === undefined ? "" : `, extra marker at ${next}`;
    facts.push(`${spoken(clan)} ${space} of ${last}${extra}`);
  }
  if (state.tokens[player]?.length) facts.push(`tie-break ${state.tokens[player].join(" + ")}`);
  for (const [clan, held] of Object.entries(state.largest)) {
    if (held?.player === player) facts.push(`largest (${spoken(clan)}), with ${held.size}`);
  }
  for (const [clan, boards] of Object.entries(state.settled)) {
    const board = boards[player] ?? [];
    if (board.length) facts.push(`settled (${spoken(clan)}) ${board.join(", ")}`);
  }
  const points = state.partyPoints[player];
  if (points) facts.push(`${points} ${names.words.prestige} on the table`);
  return facts;
}
