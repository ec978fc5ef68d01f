/* Tell each event in a sentence, without what a seat may not know. */

import { capital, shortName, spoken } from "./table.js";

/** @typedef {import("./state.js").Event} Event */
/** @typedef {import("./state.js").Card} Card */
/** @typedef {import("./table.js").Names} Names */

/** A card in words: "blue koi". @param {Card} card */
export const cardWords = (card) => card.split(":").reverse().map(spoken).join(" ");

/** @param {Card[]} cards */
export const cardsWords = (cards) => cards.map(cardWords).join(", ");

export const counted = (/** @type {number} */ count, /** @type {string} */ one) =>
  `${count} ${one}${count === 1 ? "" : "s"}`;

/** @param {string} color @param {Names} names */
export const regionWords = (color, names) =>
  capital(names.regions[names.colors.indexOf(color)] ?? color);

/**
 * A party in words: "party of 3 led by blue koi with red koi, white koi".
 * @param {Card[]} cards
 * @param {string} leader a card; for Bruno's parties a clan
 * @param {Names} names
 */
export function partyWords(cards, leader, names) {
  const rest = [...cards];
  const place = rest.indexOf(leader);
  if (place >= 0) rest.splice(place, 1);
  const others = rest.length ? ` with ${cardsWords(rest)}` : "";
  return `${names.words.party} of ${cards.length} led by ${leader.includes(":") ? cardWords(leader) : spoken(leader)}${others}`;
}

/** A party in a few words: "3 bears", "3 red cards led by the fox". @param {Card[]} cards @param {string} leader */
export function partyName(cards, leader) {
  const [clan = "", color = ""] = leader.split(":");
  const alike = cards.every((card) => card.startsWith(`${clan}:`));
  if (cards.length === 1) return `a ${cardWords(cards[0] ?? "")}`;
  if (alike) return `${cards.length} ${spoken(clan)} cards`;
  const same = cards.every((card) => card.endsWith(`:${color}`)) ? ` ${color}` : "";
  return `${cards.length}${same} cards led by the ${spoken(clan)}`;
}

/** The effects of a party on the board, as phrases. @param {Event} event @param {Names} names */
export function effects(event, names) {
  const { region, sea, sea_regions, token, largest, settled, coin } = event;
  const phrases = [region ? `a marker in ${regionWords(region, names)}` : "no marker"];
  if (sea !== null) phrases.push(`space ${sea} at sea`);
  for (const color of sea_regions) phrases.push(`an extra marker in ${regionWords(color, names)}`);
  if (token) phrases.push(`tie-break token ${token}`);
  if (largest) phrases.push("the largest-party token");
  if (settled) phrases.push(`settles ${settled}`);
  if (coin !== null) phrases.push(`a coin of ${coin.value ?? coin}`);
  return phrases;
}

/** @param {number} dragons */
const met = (dragons) => (dragons ? [`meets ${counted(dragons, "dragon")}`] : []);

/** @param {Record<string, any>} action */
const actionWords = ({ action, player, ...rest }) =>
  [
    `P${player}`,
    spoken(action),
    ...Object.values(rest).map((value) => (String(value).includes(":") ? cardWords(value) : value)),
  ].join(" ");

/**
 * An event as a sentence.
 * @param {Event} event
 * @param {Names} names
 * @param {number | null} seat the seat that reads it; null to tell everything
 */
export function eventWords(event, names, seat) {
  const who = shortName(event.player, names);
  const open = seat === null || seat === event.player;
  /** @param {Card[]} cards */
  const held = (cards) => (open ? cardsWords(cards) : counted(cards.length, "card"));
  const age = capital(names.words.age);
  switch (event.event) {
    case "age":
      return `${age} ${event.age} of ${names.ages}: ${shortName(event.first_player, names)} begins.`;
    case "recruit":
      if (event.source === "pool") return `${who} takes ${cardWords(event.card)}.`;
      return `${[who, ...met(event.dragons)].join(" ")}${event.dragons ? " and" : ""} draws ${event.card === null ? "no card" : open ? cardWords(event.card) : "a card"}.`;
    case "party": {
      const parts = [...effects(event, names), ...(event.actions ?? []).map(actionWords)];
      if (event.again) parts.push(`another ${names.words.party} follows`);
      else if (event.kept.length) parts.push(`keeps ${held(event.kept)}`);
      if (event.discarded.length)
        parts.push(`${counted(event.discarded.length, "card")} to the pool`);
      if (event.drawn.length) parts.push(`draws ${held(event.drawn)}`);
      parts.push(...met(event.dragons));
      return `${who}: ${partyWords(event.cards, event.leader, names)}: ${parts.join("; ")}.`;
    }
    case "pass":
      return `${who} passes: only wild cards in hand.`;
    case "refill":
      return `To the pool: ${[cardsWords(event.cards) || "nothing", ...met(event.dragons)].join("; ")}.`;
    case "power":
      return `${capital(spoken(event.clan ?? event.power))}: ${event.actions.map(actionWords).join("; ")}.`;
    case "bruno_gets":
      return `Bruno gets ${[cardsWords(event.cards) || "no card", ...met(event.dragons)].join("; ")}.`;
    case "bruno_party": {
      const parts = effects(event, names);
      if (event.drawn.length) parts.push(`draws ${cardsWords(event.drawn)}`);
      if (event.released) parts.push(`${cardWords(event.released)} to the ${event.released_to}`);
      parts.push(...met(event.dragons));
      return `Bruno: ${partyWords(event.cards, event.leader, names)}: ${parts.join("; ")}.`;
    }
    case "age_end": {
      const last =
        event.third_dragon < 0 ? "" : `, ended by ${shortName(event.third_dragon, names)}`;
      return `${age} ${event.age} is over${last}. ${capital(names.words.prestige)}: ${standings(event.prestige, names)}.`;
    }
    default: {
      const winners = event.winners.map((/** @type {number} */ player) => shortName(player, names));
      return `${winners.join(" and ")} ${winners.length > 1 ? "share the win" : "wins"}: ${standings(event.prestige, names)}.`;
    }
  }
}

/** @param {number[]} prestige @param {Names} names */
const standings = (prestige, names) =>
  prestige.map((points, player) => `${shortName(player, names)} ${points}`).join(", ");
