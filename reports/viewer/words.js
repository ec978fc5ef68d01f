/* Words for cards, parties, players and events, without what a seat may not know. */

import { fixed, joinedByAnd } from "../rendering/templates/numbers.js";

/** @import { Card, Event } from "./events.js" */
/** @import { State } from "./seen.js" */

/**
 * The names at a table, in the words of its edition (`game_facts` in page.py). `players` are called by
 * their first word.
 * @typedef {{
 *   colors: string[], regions: string[], title: string, players: string[],
 *   words: {party: string, parties: string, age: string, prestige: string},
 *   sources: Record<string, string[]>, powers: Record<string, string>,
 * }} Names
 */

/** @param {string} clan */
export const spoken = (clan) => clan.replaceAll("_", " ");

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const counted = (/** @type {number} */ count, /** @type {string} */ one) =>
  `${count} ${one}${count === 1 ? "" : "s"}`;

/** A number with its sign and a true minus. @param {number} value @param {number} [digits] */
export const signed = (value, digits = 0) => fixed(value, digits, true);

/** The short name of a player: "P0", "Bruno", "You". @param {number} player @param {Names} names */
export const shortName = (player, names) => names.players[player]?.split(" ")[0] ?? "";

/** A verb for what a player does: "draws", for you "draw". @param {number} player @param {string} verb @param {Names} names */
const form = (player, verb, names) =>
  shortName(player, names) === "You" ? verb : `${verb}${verb.endsWith("s") ? "es" : "s"}`;

/** A player and what they do: "Mara draws". @param {number} player @param {string} verb @param {Names} names */
export const does = (player, verb, names) =>
  `${shortName(player, names)} ${form(player, verb, names)}`;

/** @param {number[]} players @param {Names} names */
export const listed = (players, names) =>
  joinedByAnd(players.map((player) => shortName(player, names)));

/** A card in words: "blue koi". @param {Card} card */
export const cardWords = (card) => card.split(":").reverse().map(spoken).join(" ");

/** @param {Card[]} cards */
export const cardsWords = (cards) => cards.map(cardWords).join(", ");

/** @param {string} color @param {Names} names */
export const regionWords = (color, names) =>
  capital(names.regions[names.colors.indexOf(color)] ?? color);

/** A source of points by its clans: "Bear, Wolf". @param {string} source @param {Names} names */
export const sourceWords = (source, names) =>
  capital((names.sources[source] ?? []).map(spoken).join(", "));

/** A party in a few words: "3 bears", "3 red cards led by the fox". @param {Card[]} cards @param {string} leader */
export function partyName(cards, leader) {
  const [clan = "", color = ""] = leader.split(":");
  const alike = cards.every((card) => card.startsWith(`${clan}:`));
  if (cards.length === 1) return `a ${cardWords(cards[0] ?? "")}`;
  if (alike) return `${cards.length} ${spoken(clan)} cards`;
  const same = cards.every((card) => card.endsWith(`:${color}`)) ? ` ${color}` : "";
  return `${cards.length}${same} cards led by the ${spoken(clan)}`;
}

/** How a player's markers compare with the best of the others. @param {number[]} row @param {number} player @param {Names} names */
export function against(row, player, names) {
  const others = row.map((count, side) => (side === player ? -1 : count));
  const [most, own] = [Math.max(...others), row[player] ?? 0];
  if (most <= 0) return "alone there";
  const who = [...others.keys()].filter((side) => others[side] === most);
  const whom = who.length > 2 ? "several" : listed(who, names).replace("You", "you");
  if (own === most) return `level with ${whom}`;
  return own > most ? `past ${whom} (${most})` : `behind ${whom} (${most})`;
}

/** What a party did on the board, beside its leader's marker. @param {Event} event @param {Names} names */
export function effects({ sea, sea_regions, token, largest, settled, coin, actions }, names) {
  return [
    ...(sea === null ? [] : [`space ${sea} at sea`]),
    ...sea_regions.map(
      (/** @type {string} */ color) => `an extra marker in ${regionWords(color, names)}`,
    ),
    ...(token ? [`tie-break token ${token}`] : []),
    ...(largest ? ["the largest-party token"] : []),
    ...(settled ? [`settles ${settled}`] : []),
    ...(coin === null ? [] : [`a coin of ${coin.value ?? coin}`]),
    ...actionsWords(actions ?? [], names),
  ];
}

/** The actions of custom powers. @param {Record<string, any>[]} actions @param {Names} names */
const actionsWords = (actions, names) =>
  actions.map(({ action, player, ...rest }) => {
    const values = Object.values(rest).map((value) =>
      String(value).includes(":") ? cardWords(value) : value,
    );
    return [`${shortName(player, names)}: ${spoken(action)}`, ...values].join(" ");
  });

/** Where the marker of a party's leader lies now. @param {Event} event @param {State} state @param {Names} names */
function markerWords({ region, player = 1 }, { markers }, names) {
  const row = markers[region];
  if (!row) return "No marker";
  return `Marker in ${regionWords(region, names)}: ${row[player]}, ${against(row, player, names)}`;
}

/**
 * An event in words: who acts, what happens, and what it brings. `player` is −1 if no player acts.
 * @param {Event} event @param {State} state the table after it @param {Names} names
 * @param {number | null} seat the seat that reads it; null to tell everything
 * @returns {{player: number, what: string, more: string[]}}
 */
export function told(event, state, names, seat) {
  const { event: kind, cards = [], dragons = 0, drawn = [] } = event;
  const player = kind.startsWith("bruno") ? 1 : (event.player ?? -1);
  const open = seat === null || seat === player || kind.startsWith("bruno");
  const act = (/** @type {string} */ verb) => form(player, verb, names);
  const came = dragons ? [`${counted(dragons, "dragon")} came up`] : [];
  const held = open ? cardsWords(drawn) : counted(drawn.length, "card");
  const draws = drawn.length ? [`${act("draw")} ${held}`] : [];
  const ofTable = ["refill", "power"].includes(kind);
  /** @param {string} what @param {string[]} [more] */
  const line = (what, more = []) => ({ player: ofTable ? -1 : player, what, more });
  switch (kind) {
    case "age": {
      const age = `${capital(names.words.age)} ${event.age} of ${state.ages}`;
      return line(age, [does(event.first_player, "begin", names)]);
    }
    case "recruit": {
      const { card, source } = event;
      const named = !card ? "no card" : open || source === "pool" ? cardWords(card) : "a card";
      const hand = counted(state.hands[player]?.length ?? 0, "card");
      const what = `${act(source === "pool" ? "take" : "draw")} ${named}`;
      return line(what, [...came, `${hand} in hand`]);
    }
    case "party":
    case "bruno_party": {
      const { kept = [], discarded = [], again, released, released_to } = event;
      const more = [
        markerWords(event, state, names),
        ...effects(event, names),
        ...(kept.length && !again ? [`${act("keep")} ${counted(kept.length, "card")}`] : []),
        ...(discarded.length ? [`to the pool: ${cardsWords(discarded)}`] : []),
        ...draws,
        ...(released ? [`${cardWords(released)} to the ${released_to}`] : []),
        ...came,
      ];
      return line(`${act("play")} ${partyName(cards, event.leader)}`, more);
    }
    case "pass":
      return line(act("pass"), ["Only wild cards in hand"]);
    case "refill":
      return line(`To the pool: ${cardsWords(cards) || "nothing"}`, came);
    case "power":
      return line(capital(spoken(event.clan ?? event.power)), actionsWords(event.actions, names));
    case "bruno_gets":
      return line(`gets ${cardsWords(cards) || "no card"}`, came);
    case "age_end": {
      const points = event.prestige.map(
        (/** @type {number} */ won, /** @type {number} */ side) =>
          `${shortName(side, names)} ${won}`,
      );
      return line(overWords(event, names), [points.join(", ")]);
    }
    default:
      return line(resultWords(event, seat, names));
  }
}

/** How an age ended. @param {Event} event @param {Names} names */
export function overWords({ age, last_dragon: last }, names) {
  const by = last < 0 ? "" : `: ${shortName(last, names)} drew the last dragon`;
  return `${capital(names.words.age)} ${age} is over${by}`;
}

/** Who won and why, in one sentence. @param {Event} event @param {number | null} seat the reader's @param {Names} names */
export function resultWords({ prestige, markers, winners }, seat, names) {
  const [best = 0] = winners;
  const most = prestige[best];
  if (winners.length > 1) return `${listed(winners, names)} share the win with ${most}`;
  const others = [...prestige.keys()].filter((player) => player !== best);
  const lost = seat !== null && seat !== best;
  const next = lost ? prestige[seat] : Math.max(...others.map((player) => prestige[player]));
  const points = `${does(best, "win", names)}, ${most} to ${lost ? "your " : ""}${next}`;
  const level = others.filter((player) => prestige[player] === most);
  if (!level.length) return points;
  const rival = Math.max(...level.map((player) => markers[player]));
  return rival < markers[best]
    ? `${points}: more markers in the regions decide, ${markers[best]} to ${rival}`
    : `${points}: larger parties in the last age decide`;
}
