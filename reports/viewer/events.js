/* Read the events of a trace from the numbers that the engine writes, as simulator/tables/trace.py does. */

/** @typedef {string} Card "clan:color" */

/**
 * An event of a trace (docs/trace.md). The other keys depend on `event`, the kind.
 * @typedef {{event: string, [key: string]: any}} Event
 */

/**
 * The name of an event or an action, and each of its keys with the kind of its value.
 * @typedef {[string, [string, string][]]} Layout
 * The words for the numbers (`event_words` in simulator/tables/trace.py).
 * @typedef {{
 *   events: Record<string, Layout>, actions: Record<string, Layout>,
 *   words: Record<string, string[]>, moments: string[], act: number, dragon: number,
 *   cards: string[], slots: string[], colors: string[], players: number, sides: number,
 *   solo: boolean, scoring: Record<string, string[]>, table_powers: Record<string, string>,
 * }} EventWords
 */

/** Stands for no card, region or player. */
export const NONE = -1;

/**
 * Read all events but one that the engine has not finished, whose numbers end too early.
 * @param {number[]} numbers
 * @param {EventWords} words
 */
export function readEvents(numbers, words) {
  const events = /** @type {Event[]} */ ([]);
  const reader = new Reader(numbers, words);
  while (reader.at < numbers.length) events.push(reader.event());
  return reader.at > numbers.length ? events.slice(0, -1) : events;
}

/** Each kind of value that layouts name has a method. */
class Reader {
  /** @param {number[]} numbers @param {EventWords} words */
  constructor(numbers, words) {
    this.numbers = numbers;
    this.words = words;
    this.at = 0;
  }

  /** @returns {Event} */
  event() {
    const [name, keys] = this.layout(this.words.events);
    return { event: name, ...this.read(keys) };
  }

  /** @param {Record<string, Layout>} layouts @returns {Layout} */
  layout(layouts) {
    const number = this.number();
    const layout = layouts[number];
    if (!layout) throw new Error(`no event has the number ${number}`);
    return layout;
  }

  /** Read a value of each key's kind. @param {[string, string][]} keys */
  read(keys) {
    const values = /** @type {Record<string, any>} */ ({});
    for (const [key, kind] of keys) {
      const words = this.words.words[kind];
      const value = words ? this.word(words) : this[/** @type {"number"} */ (kind)]();
      if (key === "*") Object.assign(values, value);
      else if (key !== "_") values[key] = value;
    }
    return values;
  }

  number() {
    this.at += 1;
    return this.numbers[this.at - 1] ?? 0;
  }

  flag() {
    return this.number() !== 0;
  }

  value() {
    const number = this.number();
    return number === NONE ? null : number;
  }

  /** @param {string[]} words */
  word(words) {
    return words[this.number()] ?? null;
  }

  players() {
    return Array.from({ length: this.words.sides }, () => this.number());
  }

  card() {
    const card = this.value();
    return card === null ? null : card === this.words.dragon ? "dragon" : this.words.cards[card];
  }

  cards() {
    return Array.from({ length: this.number() }, () => this.card());
  }

  hands() {
    return Array.from({ length: this.words.players }, () => this.cards());
  }

  clan() {
    return this.words.slots[this.number()];
  }

  color() {
    return this.word(this.words.colors);
  }

  colors() {
    return Array.from({ length: this.number() }, () => this.color());
  }

  regions() {
    return Object.fromEntries(this.words.colors.map((color) => [color, this.players()]));
  }

  coin() {
    const [value, region] = [this.value(), this.color()];
    return value === null ? null : { region, value };
  }

  winners() {
    const mask = this.number();
    return [...Array(this.words.sides).keys()].filter((player) => (mask >> player) & 1);
  }

  scores() {
    const scores = /** @type {Record<string, any>} */ ({ emptied: null });
    const byClan = /** @type {Record<string, Record<string, any[]>>} */ ({});
    for (const [name, clans] of Object.entries(this.words.scoring)) {
      scores[name] = null;
      for (const clan of clans) {
        const won = this.players();
        scores[name] = won.map((points, player) => points + (scores[name]?.[player] ?? 0));
        byClan[clan] = { [name]: won };
        if (name !== "settlement") continue;
        const emptied = this.players().map(Boolean);
        scores.emptied = emptied.map((flag, player) => flag || Boolean(scores.emptied?.[player]));
        byClan[clan] = { [name]: won, emptied };
      }
    }
    const several = Object.values(this.words.scoring).some((clans) => clans.length > 1);
    return several ? { ...scores, by_clan: byClan } : scores;
  }

  /** A custom power's action: the call (moment, place, player), and the action. */
  act() {
    const call = [this.number(), this.number(), this.number()];
    const [name, keys] = this.layout(this.words.actions);
    return { call, action: { action: name, player: this.number(), ...this.read(keys) } };
  }

  /** Custom powers' actions in a party, with the power's name if it is the table's. */
  actions() {
    const actions = [];
    while (this.numbers[this.at] === this.words.act) {
      this.at += 1;
      const { call, action } = this.act();
      const power = this.words.table_powers[String(call[1])];
      actions.push(power === undefined ? action : { ...action, power });
    }
    return actions;
  }

  /** All actions of one call of a custom power. */
  call() {
    const { call, action } = this.act();
    const actions = [action];
    const again = String([this.words.act, ...call]);
    while (String(this.numbers.slice(this.at, this.at + 4)) === again) {
      this.at += 1;
      actions.push(this.act().action);
    }
    const [moment = 0, place = 0, player] = call;
    const ofTable = this.words.table_powers;
    const power = Object.keys(ofTable).length ? { power: ofTable[String(place)] ?? null } : {};
    const clan = this.words.slots[place] ?? null;
    return { player, clan, ...power, moment: this.words.moments[moment], actions };
  }
}
