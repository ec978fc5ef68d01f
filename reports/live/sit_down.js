/* Open a seat at a table in a second page, which the report carries (reports/viewer). */

import { written } from "./changes.js";

/** @import { Changes } from "./changes.js" */

/**
 * A table with all clans in play, and the set of clans that is used unless the reader chooses one.
 * @typedef {{
 *   names: import("../viewer/words.js").Names, seats: import("../viewer/sitting.js").Seats,
 *   usual: string[],
 * }} Seated
 */

/** An empty page of a game, and the tables that it can show, by rules and players. @typedef {{page: string, games: Record<string, Record<string, Seated>>}} Seat */

/** The end tag of a script, spelled so that it does not end this one. */
const END = "\x3c/script>";

/**
 * Whether an address seats a person at the table that it chooses: a report that is opened there shows
 * the seat. So the address outlives the report's own tab, and may be sent.
 * @param {string} hash
 */
export const seatAsked = (hash) => new URLSearchParams(hash.slice(1)).has("sit");

/** Open a seat in a new tab, or in this one if the browser opens none. @param {string} choice of the table */
export function openSeat(choice) {
  const address = `${location.href.split("#")[0]}${choice}&sit=yes`;
  if (window.open(address)) return;
  location.assign(address);
  location.reload();
}

/**
 * Show the page on which a person takes a seat in place of this one.
 * @param {Seat} seat @param {object} live the engine
 * @param {import("./table.js").Table} table @param {Changes} changes of its rules
 */
export function showSeat(seat, live, table, changes) {
  const held = seat.games[table.key]?.[table.players];
  if (!held) return;
  const { names, seats } = seatedAt(held, table, changes);
  /** @param {string} page @param {string} id @param {object} value */
  const put = (page, id, value) =>
    page.replace(`id="${id}">${END}`, () => {
      const text = JSON.stringify(value).replaceAll("<", "\\u003c");
      return `id="${id}">${text}${END}`;
    });
  const title = titleOf(names, changes);
  document.open();
  document.write(put(put(seat.page, "names", { ...names, title }), "live", { live, seats }));
  document.close();
}

/**
 * "Ethnos, 2nd edition (2024), with bear.on_take=2"
 * @param {{title: string}} names @param {Changes} changes
 */
function titleOf({ title }, changes) {
  const values = Object.entries(changes).map(([name, value]) => `${name}=${written(value)}`);
  return [`Ethnos, ${title}`, ...(values.length ? [`with ${values.join(", ")}`] : [])].join(", ");
}

/**
 * Make a table with the chosen clans and changed rules from the table with all clans.
 * @param {Seated} held @param {import("./table.js").Table} table @param {Changes} changes
 */
export function seatedAt({ names, seats, usual }, table, changes) {
  const { mode, players, who, size, numberOf } = table;
  const chosen = table.clans.length === size ? table.clans : usual;
  const all = Object.keys(names.powers);
  const clans = all.filter((clan) => chosen.includes(clan));
  const rules = { ...seats.head.rules, ...changes };
  /**
   * Remove the clans that are out of play from lists of words.
   * @param {Record<string, string[]>} lists @returns {[string, string[]][]}
   */
  const left = (lists) =>
    Object.entries(lists).map(([name, words]) => [
      name,
      words.filter((word) => clans.includes(word) || !all.includes(word)),
    ]);
  const sources = Object.fromEntries(left(names.sources).filter(([, words]) => words.length));
  // Only custom powers act: without them no event has actions.
  const acts = "powers" in sources || Object.keys(seats.words.table_powers).length > 0;
  const quiet = Object.entries(seats.words.events).map(
    ([number, [kind, keys]]) =>
      /** @type {[string, import("../viewer/events.js").Layout]} */ ([
        number,
        [kind, keys.filter(([key]) => key !== "actions")],
      ]),
  );
  const slots = clans.flatMap((clan) => Array(rules[`${clan}.times_cards`]).fill(clan));
  return {
    names: { ...names, sources },
    seats: {
      ...{ ...seats, changes, strategies: Array(players).fill(who), clans: clans.map(numberOf) },
      head: { ...seats.head, mode, clans, rules },
      words: {
        ...{ ...seats.words, slots },
        events: acts ? seats.words.events : Object.fromEntries(quiet),
        cards: slots.flatMap((clan) => names.colors.map((color) => `${clan}:${color}`)),
        scoring: Object.fromEntries(left(seats.words.scoring)),
      },
    },
  };
}
