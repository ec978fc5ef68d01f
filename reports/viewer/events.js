/* Read the events of a trace from the numbers that the engine writes, as simulator/tables/trace.py does. */

/** @typedef {import("./state.js").Event} Event */

/**
 * The words for the numbers (`event_words` in simulator/tables/trace.py).
 * @typedef {{
 *   events: Record<string, string>, kinds: Record<string, string>, effects: string[],
 *   actions: Record<string, [string, string[]]>, moments: string[], act: number, dragon: number,
 *   cards: string[], slots: string[], colors: string[], players: number, sides: number,
 *   solo: boolean, custom: boolean, scoring: Record<string, string[]>,
 *   table_powers: Record<string, string>,
 * }} EventWords
 */

/** Stands for no card, region or player. */
export const NONE = -1;
const SOURCES = ["pool", "deck"];
const BRUNO_SOURCES = ["pool", "discard", "deck"];

/** The numbers end in an event that the engine has not finished. */
class Unfinished extends Error {}

/**
 * Read all finished events.
 * @param {number[]} numbers
 * @param {EventWords} words
 */
export function readEvents(numbers, words) {
  const events = /** @type {Event[]} */ ([]);
  const reader = new Reader(numbers, words);
  try {
    while (reader.at < numbers.length) events.push(reader.event());
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
  }
  return events;
}

class Reader {
  /** @param {number[]} numbers @param {EventWords} words */
  constructor(numbers, words) {
    this.numbers = numbers;
    this.words = words;
    this.at = 0;
  }

  number() {
    const number = this.numbers[this.at];
    if (number === undefined) throw new Unfinished();
    this.at += 1;
    return number;
  }

  flag() {
    return this.number() !== 0;
  }

  value() {
    const number = this.number();
    return number === NONE ? null : number;
  }

  card() {
    const card = this.number();
    return card === NONE ? null : card === this.words.dragon ? "dragon" : this.words.cards[card];
  }

  color() {
    return this.words.colors[this.number()] ?? null;
  }

  cards() {
    return this.list(this.number(), () => this.card());
  }

  colors() {
    return this.list(this.number(), () => this.color());
  }

  byPlayer() {
    return this.list(this.words.sides, () => this.number());
  }

  /** @template T @param {number} length @param {() => T} read @returns {T[]} */
  list(length, read) {
    return Array.from({ length }, read);
  }

  /** Read a value for each key. @param {readonly string[]} keys */
  read(keys) {
    const values = /** @type {Record<string, any>} */ ({});
    for (const key of keys) {
      const kind = /** @type {"number"} */ (this.words.kinds[key] ?? "number");
      values[key] = this[kind]();
    }
    return values;
  }

  /** @returns {Event} */
  event() {
    const number = this.number();
    const kind = number === this.words.act ? "power" : this.words.events[number];
    const read = READERS[kind ?? ""];
    if (!read) throw new Error(`no event has the number ${number}`);
    return { event: kind === "ten_wild" ? "party" : (kind ?? ""), ...read(this) };
  }

  /** Read an action of a custom power: the call (moment, place, player), and the action. */
  action() {
    const moment = this.words.moments[this.number()];
    const place = this.number();
    const call = [moment, place, this.number()];
    const [name, keys] = this.words.actions[this.number()] ?? ["", []];
    const action = { action: name, ...this.read(["player", ...keys]) };
    delete (/** @type {Record<string, any>} */ (action)[""]);
    return { call, action };
  }

  /** Read the actions that follow; if `wanted`, a call, is given, only the actions of this call. @param {unknown[]} [wanted] */
  actions(wanted) {
    const actions = [];
    while (this.numbers[this.at] === this.words.act) {
      const start = this.at;
      this.at += 1;
      const { call, action } = this.action();
      if (wanted && String(call) !== String(wanted)) {
        this.at = start;
        break;
      }
      actions.push(wanted ? action : { ...action, ...this.ofTable(call[1]) });
    }
    return actions;
  }

  /** The name of the table's power at a place; nothing for a clan's. @param {unknown} place */
  ofTable(place) {
    const power = this.words.table_powers[String(place)];
    return power === undefined ? {} : { power };
  }
}

/** Read the rest of an event, by its kind. @type {Record<string, (from: Reader) => Record<string, any>>} */
const READERS = {
  age: (from) => {
    const event = from.read(["age", "first_player"]);
    event.hands = from.list(from.words.players, () => from.cards());
    const columns = from.cards();
    Object.assign(event, from.read(["pool", "deck"]), from.words.solo ? { columns } : {});
    return event;
  },
  recruit: (from) => ({
    player: from.number(),
    source: SOURCES[from.number()],
    ...from.read(["card", "dragons"]),
  }),
  party: (from) => ({
    ...from.read(["player", "cards", "leader", ...from.words.effects]),
    ...(from.words.custom ? { actions: from.actions() } : {}),
    ...from.read(["again", "kept", "discarded", "drawn", "dragons"]),
  }),
  pass: (from) => from.read(["player"]),
  refill: (from) => from.read(["player", "cards", "dragons"]),
  power: (from) => {
    const { call, action } = from.action();
    const [moment, place, player] = call;
    const ofTable = from.words.table_powers;
    const power = Object.keys(ofTable).length ? { power: ofTable[String(place)] ?? null } : {};
    const owner = { clan: from.words.slots[Number(place)] ?? null, ...power };
    return { player, ...owner, moment, actions: [action, ...from.actions(call)] };
  },
  ten_wild: (from) => {
    const event = from.read(["player", "cards"]);
    const nothing = Object.fromEntries(from.words.effects.map((effect) => [effect, null]));
    Object.assign(event, { leader: event.cards[0], ...nothing, sea_regions: [], largest: false });
    const rest = { again: false, kept: [], discarded: [], drawn: [], dragons: 0 };
    return { ...event, ...(from.words.custom ? { actions: [] } : {}), ...rest };
  },
  bruno_gets: (from) => ({
    source: BRUNO_SOURCES[from.number()],
    ...from.read(["cards", "dragons"]),
  }),
  bruno_party: (from) => {
    const event = from.read(["column", "cards"]);
    event.leader = from.words.slots[from.number()];
    const { token, ...effects } = from.read(from.words.effects);
    Object.assign(event, effects);
    const region = from.color();
    if (event.coin !== null) event.coin = { region, value: event.coin };
    Object.assign(event, from.read(["drawn", "dragons", "released"]));
    const place = from.flag() ? "hand" : "pool";
    return { ...event, released_to: event.released === null ? null : place };
  },
  age_end: readAgeEnd,
  game_end: (from) => {
    const pairs = from.list(from.words.sides, () => [from.number(), from.number()]);
    const mask = from.number();
    return {
      prestige: pairs.map(([prestige]) => prestige),
      markers: pairs.map(([, markers]) => markers),
      winners: pairs.map((_, player) => player).filter((player) => (mask >> player) & 1),
    };
  },
};

/** @param {Reader} from */
function readAgeEnd(from) {
  const { colors, scoring } = from.words;
  const event = from.read(["age", "third_dragon"]);
  event.regions = Object.fromEntries(colors.map((color) => [color, from.byPlayer()]));
  const byClan = /** @type {Record<string, Record<string, any[]>>} */ ({});
  let [several, emptied] = [false, /** @type {boolean[] | null} */ (null)];
  for (const [name, clans] of Object.entries(scoring)) {
    several ||= clans.length > 1;
    let sums = /** @type {number[] | null} */ (null);
    for (const clan of clans) {
      const won = from.byPlayer();
      sums = won.map((prestige, player) => prestige + (sums?.[player] ?? 0));
      byClan[clan] = { [name]: won };
      if (name !== "settlement") continue;
      const flags = from.byPlayer().map(Boolean);
      byClan[clan] = { [name]: won, emptied: flags };
      emptied = flags.map((flag, player) => flag || Boolean(emptied?.[player]));
    }
    event[name] = sums;
  }
  event.emptied = emptied;
  if (several) event.by_clan = byClan;
  return { ...event, parties: from.byPlayer(), prestige: from.byPlayer() };
}
