/* A game with a person at the table, or one whose answers are all known. The deal and the answers
   determine the game. So the page keeps only the answers, and replays the game from its start after
   every answer. */

import { FIELDS, writeAnswers } from "./address.js";
import { NONE, readEvents } from "./events.js";
import { cardsIn, seenState } from "./seen.js";

/** @import { Engine } from "../live/engine.js" */
/** @import { Event } from "./events.js" */
/** @import { Records, State } from "./seen.js" */

/**
 * The data of a table (reports/viewer/seat_data.py). `actions` has the numbers of actions, `head` the keys of
 * a trace before its events, `rotation` the number of the page's game among those of its deal, and
 * `changes` the rule values that the reader changed.
 * @typedef {{
 *   key: string, words: import("./events.js").EventWords, head: Record<string, any>, clans: number[],
 *   strategies: string[], deal: number, rotation?: number, changes: import("../live/changes.js").Changes,
 *   actions: {deck: number, no: number, yes: number, choice: number, card: number,
 *             lead: number, cards: number, count: number},
 *   kinds: Record<string, number>,
 * }} Seats
 */

/**
 * An answer to a question, by the fields of MOVE_DTYPE.
 * @typedef {{kind: number, leader: number, choice: number, once: bigint, twice: bigint}} Answer
 */

/** A legal action and the answer that it completes; null if more actions must follow.
    @typedef {{action: number, answer: Answer | null}} Option */

/**
 * A question that was answered: the answer, the player, and how many cards and dragons of the age's deck
 * had been dealt or drawn by then.
 * @typedef {Records & {answer: Answer, player: number, age: number, turn: number,
 *            drawn: number, decision: string, limit: number}} Question
 */

/** An answer, and the player who gave it. @typedef {{player: number, answer: Answer}} Given */

/**
 * What ended an age: the event, the table then, the prestige at its beginning, and what each side gained
 * in it by source.
 * @typedef {{event: Event, state: State, before: number[], gained: Record<string, number>[]}} Account
 */

/** @typedef {{order: number[], bottom: number, end: number}} Order */

const STANDS_IN = "learned";
const MOST_ANSWERS = 1024;
const POSITIONS = 4096;
const NUMBERS = 1 << 17;
const NO_ANSWER = 1;

/** The units of a win (SIXTIETHS in simulator/game/records.py). */
const SIXTIETHS = 60;

/** The first of the deals with which the mean of all deals is estimated. */
const FURTHER_DEALS = 2 ** 31;

const TURN_EVENTS = ["recruit", "party", "pass"];

/** Group events by turn; the first group holds the events before the first turn. @param {Event[]} events */
function byTurn(events) {
  const turns = /** @type {Event[][]} */ ([[]]);
  let chained = false;
  for (const event of events) {
    if (TURN_EVENTS.includes(event.event) && !chained) turns.push([]);
    turns.at(-1)?.push(event);
    if (event.event === "party") chained = event.again;
  }
  return turns;
}

/** An answer by its kind alone. @param {number} [kind] @returns {Answer} */
export const plain = (kind = 0) => ({ kind, leader: 0, choice: 0, once: 0n, twice: 0n });

/** @param {number[]} numbers */
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** @param {Event} event */
const isParty = ({ event }) => event === "party";

/** One game, from the first question to the end. */
export class Sitting {
  /**
   * @param {Engine} engine
   * @param {Seats} seats
   * @param {{seat: number, deal: number, rotation?: number, strategies: string[]}} chosen the person's
   *   seat (−1 for none), and `strategies` by seat; the strategy of the person's seat does not play
   * @param {Answer[]} answers the person's answers so far
   * @param {Given[] | null} given all answers of a game that was played before
   */
  constructor(engine, seats, { seat, deal, rotation = 0, strategies }, answers = [], given = null) {
    const { players, mode } = seats.head;
    this.engine = engine;
    this.seats = seats;
    this.seat = seat;
    this.deal = deal;
    this.rotation = rotation;
    this.answers = answers;
    this.given = given;
    this.strategies = strategies;
    /** The questions that were answered, of all players. @type {Question[]} */
    this.questions = [];
    this.over = false;
    /** The events of each turn; the first list holds the events before the first turn. */
    this.turns = /** @type {Event[][]} */ ([]);
    this.options = /** @type {Option[]} */ ([]);
    const { key, changes } = seats;
    this.table = engine.prepare(engine.state(key, changes), { players, mode, clans: seats.clans });
    const stand = () => engine.lineUp(key, players, [STANDS_IN]);
    this.experts = stand();
    this.scripted = stand();
    const seated = strategies.map((strategy, i) => (i === seat ? STANDS_IN : strategy));
    this.entries = given ? this.scripted : engine.lineUp(key, players, seated);
    const room = (/** @type {string} */ layout) => engine.allocate(engine.sizeOf(layout));
    this.scratch = room("VIEW_DTYPE");
    this.move = room("MOVE_DTYPE");
    this.own = room("OWN_DTYPE");
    /** The open question, or the end, where nothing is decided. @type {Records & {decision: string}} */
    this.now = {
      ...{ view: room("VIEW_DTYPE"), layout: "HIDDEN_DTYPE", at: room("HIDDEN_DTYPE") },
      decision: "",
    };
    this.selection = room("SELECTION_DTYPE");
    this.trial = room("SELECTION_DTYPE");
    this.legal = engine.allocate(2 * seats.actions.count);
    this.replay();
  }

  /** Let the code of a person give answers at a seat, and afterwards the stand-in or nobody.
      @param {number} entries the address of the line-up @param {number} seat @param {Answer[]} answers
      @param {{on: boolean}} given whether the stand-in plays on */
  seatPerson(entries, seat, answers, { on }) {
    const { engine } = this;
    const place = (seat + this.rotation) % this.seats.head.players;
    const entry = entries + place * engine.sizeOf("ENTRY_DTYPE");
    const code = engine.functions.person ?? 0;
    const size = engine.sizeOf("MOVE_DTYPE");
    const script = engine.room(`script ${seat}`, size * Math.max(MOST_ANSWERS, answers.length));
    for (const [number, answer] of answers.entries())
      engine.write("MOVE_DTYPE", script + number * size, answer);
    for (const decision of engine.live.decisions.keys()) {
      const expert = engine.get("ENTRY_DTYPE", this.experts, "own.addresses", decision);
      engine.set("ENTRY_DTYPE", entry, "own.addresses", code, decision);
      engine.set("ENTRY_DTYPE", entry, "own.policy_addresses", on ? expert : 0, decision);
    }
    engine.set("ENTRY_DTYPE", entry, "own.memory", script, 0);
    engine.set("ENTRY_DTYPE", entry, "own.memory", answers.length, 1);
  }

  /** Play with some answers of the person. @param {Answer[]} answers */
  playWith(answers) {
    const { engine } = this;
    if (this.given) this.layScripts(this.given);
    else if (this.seat >= 0) this.seatPerson(this.entries, this.seat, answers, { on: false });
    const played = engine.play(this.work, { log: NUMBERS, positions: POSITIONS });
    const failed = Number(engine.get("HIDDEN_DTYPE", played.hidden, "fault_seat"));
    const waits = played.reason === NO_ANSWER && failed === this.seat;
    if (played.reason !== 0 && !waits) throw new Error(played.sentence);
    return { ...played, waits, events: this.eventsOf(played) };
  }

  /** @param {{log: {address: number, used: number}}} played */
  eventsOf({ log }) {
    const numbers = new BigInt64Array(this.engine.memory.buffer, log.address, log.used);
    return readEvents(Array.from(numbers, Number), this.seats.words);
  }

  /** The cards and dragons of an age's deck, those dealt at its beginning included. */
  get mostCards() {
    return this.seats.words.cards.length * this.asks("rules.copies") + this.asks("rules.dragons");
  }

  /** The game as a row of a work list. */
  get work() {
    const { table, entries, deal, rotation } = this;
    const { players: rotations, seed } = this.seats.head;
    return { table, entries, rotations, seed, games: 1, firstGame: deal * rotations + rotation };
  }

  /** Lay answers ready to be played, which the stand-in follows in all seats. @param {Given[]} given */
  layScripts(given) {
    for (let seat = 0; seat < this.seats.head.players; seat += 1) {
      const answers = given.filter(({ player }) => player === seat).map(({ answer }) => answer);
      this.seatPerson(this.scripted, seat, answers, { on: true });
    }
  }

  /** Play the game on from where the laid answers end.
      @param {number} deal the address of a deal, or 0 for one of its own
      @param {number} number of its own deal
      @param {number} [log] how many numbers of events to read */
  playOn(deal, number, log = 0) {
    const { engine, work, scripted } = this;
    const firstGame = deal ? work.firstGame : (FURTHER_DEALS + number) * work.rotations;
    const row = { ...work, firstGame, entries: scripted };
    const played = engine.play(row, { deal, log });
    if (played.reason && !log) throw new Error(played.sentence);
    return { wins: this.winsIn(played.hidden), events: log ? this.eventsOf(played) : [] };
  }

  /** A number of each side's result so far. @param {string} name @param {number} hidden the record that has it @returns {number[]} */
  resultsIn(name, hidden) {
    const { engine } = this;
    const { offset } = engine.place("HIDDEN_DTYPE", "seats");
    const size = engine.sizeOf("SEAT_DTYPE");
    return Array.from({ length: this.seats.words.sides }, (_, side) =>
      Number(engine.get("SEAT_DTYPE", hidden + offset + side * size, name)),
    );
  }

  /** The wins in parts of 1 by side. @param {number} [hidden] */
  winsIn(hidden = this.now.at) {
    return this.resultsIn("won", hidden).map((sixtieths) => sixtieths / SIXTIETHS);
  }

  /** The prestige that a source has paid each side so far. @param {string} source */
  paidBy(source) {
    const columns = { regions: ["regions", "coins"], parties: ["party_points"] }[source] ?? [
      source,
    ];
    const paid = columns.map((name) => this.resultsIn(name, this.now.at));
    return paid.reduce((sums, row) => sums.map((sum, side) => sum + (row[side] ?? 0)));
  }

  /** The cards of an age's deck, by number in dealing order. @param {number} deal its address @param {number} age */
  orderIn(deal, age) {
    const { engine } = this;
    const at = engine.addressOf(engine.place("DEAL_DTYPE", "order"), deal, [age - 1, 0]);
    return new Int8Array(engine.memory.buffer, at, this.mostCards);
  }

  /** A copy of the game's deal, until the next one is made. @returns {number} its address */
  copiedDeal() {
    const { engine } = this;
    const size = engine.sizeOf("DEAL_DTYPE");
    const deal = engine.room("copied deal", size);
    engine.copy(deal, this.now.at + engine.place("HIDDEN_DTYPE", "deal").offset, size);
    return deal;
  }

  /** The order of each age's deck: cards by number in dealing order, the first place where a dragon may
      lie, and the place after the dragon that ended the age. @returns {Order[]} */
  orders() {
    const deal = this.copiedDeal();
    const last = this.asks("rules.last_dragon") || this.asks("rules.dragons");
    return Array.from({ length: this.asks("ages") }, (_, age) => {
      const order = [...this.orderIn(deal, age + 1)];
      const dragons = [...order.keys()].filter((place) => order[place] === this.seats.words.dragon);
      const bottom = order.length - this.asks("rules.dragons_part", age);
      return { order, bottom, end: (dragons[last - 1] ?? 0) + 1 };
    });
  }

  /** A number of the open question. @param {string} name @param {number[]} place */
  asks(name, ...place) {
    return Number(this.engine.get("VIEW_DTYPE", this.now.view, name, ...place));
  }

  /** Play from the beginning to the next question or the end. */
  replay() {
    const { engine } = this;
    const played = this.playWith(this.answers);
    this.over = !played.waits;
    engine.copy(this.now.view, played.view, engine.sizeOf("VIEW_DTYPE"));
    engine.copy(this.now.at, played.hidden, engine.sizeOf("HIDDEN_DTYPE"));
    const decision = this.over ? "" : (engine.live.decisions[this.asks("decision")] ?? "");
    this.now.decision = decision;
    const last = played.events.at(-1)?.event;
    const cut =
      (decision === "bruno_card" && last === "bruno_gets") ||
      (["bruno_release", "bruno_steal"].includes(decision) && last === "bruno_party");
    this.turns = byTurn(cut ? played.events.slice(0, -1) : played.events);
    this.questions = this.readQuestions(played.positions);
    const turn = this.asks("turns");
    const told = (this.turns[turn] ?? []).filter(isParty).length;
    const parties = this.questions.filter(
      (asked) =>
        asked.player === this.seat &&
        asked.turn === turn &&
        asked.answer.kind === this.seats.kinds.party,
    );
    const { answer } = parties[told] ?? {};
    if (answer && !this.over && decision !== "turn")
      this.turns[turn] = [...(this.turns[turn] ?? []), this.openParty(answer, played.hidden)];
    this.startOver();
  }

  /** The person's party that lies on the table while its leader's power or the rest of the hand is asked
      about, with its effects so far.
      @param {Answer} answer that played it @param {number} hidden the record that has its effects
      @returns {Event} */
  openParty({ leader, once, twice }, hidden) {
    const { engine, seat, seats } = this;
    const { cards, colors } = seats.words;
    const effect = (/** @type {string} */ name, /** @type {number[]} */ ...place) =>
      Number(engine.get("HIDDEN_DTYPE", hidden, `event.${name}`, ...place));
    const value = (/** @type {string} */ name) => (effect(name) === NONE ? null : effect(name));
    const count = effect("sea_region_count");
    return {
      ...{ event: "party", player: seat, cards: cardsIn(once, twice, seats.words) },
      ...{ leader: cards[leader], region: colors[effect("region")] ?? null },
      sea: value("sea"),
      sea_regions: Array.from({ length: count }, (_, i) => colors[effect("sea_regions", i)]),
      ...{ token: value("token"), largest: effect("largest") === 1, coin: value("coin") },
      settled: colors[effect("settled")] ?? null,
      ...{ again: false, kept: [], discarded: [], drawn: [], dragons: 0, open: true },
    };
  }

  /** The answered questions of a log of positions. @param {{address: number, used: number}} log @returns {Question[]} */
  readQuestions({ address, used }) {
    const { engine } = this;
    const open = engine.place("POSITION_DTYPE", "open").offset;
    const move = engine.place("POSITION_DTYPE", "move").offset;
    const answered = used - (this.over ? 0 : 1);
    const cards = this.mostCards;
    return Array.from({ length: answered }, (_, place) => {
      const at = address + place * engine.sizeOf("POSITION_DTYPE");
      const asks = (/** @type {string} */ name) =>
        Number(engine.get("POSITION_DTYPE", at, `open.${name}`));
      return {
        ...{ view: at + open, layout: "POSITION_DTYPE", at },
        ...{ answer: this.readAnswer(at + move), player: asks("player") },
        ...{ age: asks("age"), turn: asks("turns"), drawn: cards - asks("deck_cards") },
        ...{ decision: engine.live.decisions[asks("decision")] ?? "", limit: asks("limit") },
      };
    });
  }

  /** The table after a turn; turn 0 holds the events before the first turn. @param {number} turn @returns {State} */
  stateAfter(turn) {
    const later = turn + 1 < this.turns.length && this.questions.find((one) => one.turn > turn);
    return this.stateAt(later || this.now, this.turns.slice(0, turn + 1).flat());
  }

  /** The table at a question or at the end. @param {Records} records @param {Event[]} events that came before @returns {State} */
  stateAt(records, events) {
    const { words } = this.seats;
    const begun = events.findLastIndex(({ event }) => event === "age");
    const laid = events.slice(begun + 1).filter(({ event }) => event.endsWith("party"));
    // Bruno's events name no player.
    const parties = Array.from({ length: words.sides }, (_, side) =>
      laid.filter(({ player = 1 }) => player === side),
    );
    const winners = events.at(-1)?.winners ?? null;
    return { ...seenState(this.engine, records, words), parties, winners };
  }

  /** The account of an age that is over. Custom powers paid what no other source did. @param {number} age @returns {Account} */
  account(age) {
    const { rules } = this.seats.head;
    const all = this.turns.flat();
    const endOf = (/** @type {number} */ number) =>
      all.findIndex((event) => event.event === "age_end" && event.age === number);
    const event = /** @type {Event} */ (all[endOf(age)]);
    const next = this.questions.find((question) => question.age > age);
    const state = this.stateAt(next ?? this.now, all.slice(0, endOf(age) + 1));
    const tokens = state.parties.map((laid) => laid.flatMap(({ token }) => token || []));
    const sides = [...state.prestige.keys()];
    const before = all[endOf(age - 1)]?.prestige ?? sides.map(() => 0);
    const gained = sides.map((side) => {
      const points = (/** @type {number[] | null} */ won) => won?.[side] ?? 0;
      const taken = (state.parties[side] ?? []).map(({ leader, largest }) =>
        largest ? (rules[`${leader.split(":")[0]}.on_take`] ?? 0) : 0,
      );
      const paid = {
        regions: total(Object.values(event.regions).map(points)),
        largest: total([points(event.largest), ...taken]),
        ...{ sea: points(event.sea), settlement: points(event.settlement) },
        parties: points(event.parties),
      };
      return { ...paid, powers: event.prestige[side] - before[side] - total(Object.values(paid)) };
    });
    return { event, state: { ...state, tokens }, before, gained };
  }

  /** The prestige by side and source that the age's end would bring if it came now, with some answers of
      the person given first: the event, or null if nobody could draw the last dragon.
      @param {Answer[]} answers @returns {Event | null} */
  ifAgeEnded(answers) {
    const { seat, seats } = this;
    const { players } = seats.head;
    const drawer = answers.length ? (seat + 1) % players : seat;
    const limit = Number(this.asks("rules.hand_limit"));
    if (players < 2 || this.asks("hand_cards", drawer) >= limit) return null;
    this.layScripts([
      ...this.questions,
      ...answers.map((answer) => ({ player: seat, answer })),
      { player: drawer, answer: plain(seats.kinds.deck) },
    ]);
    const deal = this.copiedDeal();
    const age = this.asks("age");
    const order = this.orderIn(deal, age);
    const drawn = this.mostCards - this.asks("deck_cards");
    const last = (/** @type {number} */ card) => Number(card !== seats.words.dragon);
    order.subarray(drawn).sort((one, other) => last(one) - last(other));
    const { events } = this.playOn(deal, 0, NUMBERS);
    return events.find((event) => event.event === "age_end" && event.age === age) ?? null;
  }

  /** Forget the cards that are being named. */
  startOver() {
    this.engine.bytes(this.selection, this.engine.sizeOf("SELECTION_DTYPE")).fill(0);
    this.options = this.over ? [] : this.offered(NONE);
  }

  /** Call the engine's `continue_answer`. @param {number} action @param {number} selection @returns {number} */
  offer(action, selection) {
    this.engine.bytes(this.move, this.engine.sizeOf("MOVE_DTYPE")).fill(0);
    return Number(
      this.engine.call(
        "continue_answer",
        { at: this.now.view, type: "VIEW_DTYPE", count: 1 },
        { at: selection, type: "SELECTION_DTYPE", count: 1 },
        { at: this.move, type: "MOVE_DTYPE", count: 1 },
        { at: this.legal, type: "i2", count: this.seats.actions.count },
        BigInt(action),
      ),
    );
  }

  /** The legal options after an action. @param {number} action @returns {Option[]} */
  offered(action) {
    const count = this.offer(action, this.selection);
    const legal = [...new Int16Array(this.engine.memory.buffer, this.legal, count)];
    return legal.map((number) => {
      this.engine.copy(this.trial, this.selection, this.engine.sizeOf("SELECTION_DTYPE"));
      const more = this.offer(number, this.trial);
      return { action: number, answer: more ? null : this.readAnswer(this.move) };
    });
  }

  /** Carry out an option. @param {Option} option */
  act({ action, answer }) {
    if (answer) {
      this.answers = [...this.answers, answer];
      this.replay();
    } else this.options = this.offered(action);
  }

  /** Whether cards are being named. */
  get naming() {
    return this.engine.get("SELECTION_DTYPE", this.selection, "open") === 1;
  }

  /** The cards named so far. */
  get named() {
    const plane = (/** @type {string} */ name) =>
      this.engine.get("SELECTION_DTYPE", this.selection, name);
    return cardsIn(plane("once"), plane("twice"), this.seats.words);
  }

  /** Take the last answer back, with everything that followed it. */
  back() {
    this.answers = this.answers.slice(0, -1);
    this.replay();
  }

  /** The event that playing a party would cause, as far as nothing is asked first; `asks` is what its
      power would ask. @param {Answer} answer @returns {Event} */
  tried(answer) {
    const turn = this.asks("turns");
    const played = this.playWith([...this.answers, answer]);
    const asks = (/** @type {string} */ name) =>
      Number(this.engine.get("VIEW_DTYPE", played.view, name));
    const before = (this.turns[turn] ?? []).filter(isParty).length;
    const party = byTurn(played.events)[turn]?.filter(isParty)[before];
    return {
      ...(party ?? this.openParty(answer, played.hidden)),
      asks:
        played.waits && asks("turns") === turn ? this.engine.live.decisions[asks("decision")] : "",
      limit: asks("limit"),
    };
  }

  /** @param {number} at @returns {Answer} */
  readAnswer(at) {
    const read = (/** @type {string} */ field) => this.engine.get("MOVE_DTYPE", at, field);
    const [kind, leader, choice, once, twice] = FIELDS.map(read);
    return { kind, leader, choice, once, twice };
  }

  /** The answer of `learned` to a question. @param {number} view address of the open record @returns {Answer} */
  expertAnswer(view) {
    const { engine } = this;
    engine.copy(this.scratch, view, engine.sizeOf("VIEW_DTYPE"));
    engine.bytes(this.move, engine.sizeOf("MOVE_DTYPE")).fill(0);
    const from = this.experts + engine.place("ENTRY_DTYPE", "own").offset;
    engine.copy(this.own, from, engine.sizeOf("OWN_DTYPE"));
    engine.set("OWN_DTYPE", this.own, "random_state", 1);
    const decision = Number(engine.get("VIEW_DTYPE", this.scratch, "decision"));
    const code = Number(engine.get("OWN_DTYPE", this.own, "addresses", decision));
    const [name] = Object.entries(engine.functions).find(([, index]) => index === code) ?? [""];
    engine.run(name, this.scratch, this.move, this.own);
    return this.readAnswer(this.move);
  }

  /** Whether two answers mean the same; fields that an answer's kind does not need may differ.
      @param {Answer} one @param {Answer} other */
  sameAnswer(one, other) {
    const { pool, choice, cards, party } = this.seats.kinds;
    const fields = /** @type {(keyof Answer)[]} */ ([
      ...([pool, choice].includes(one.kind) ? ["choice"] : []),
      ...([cards, party].includes(one.kind) ? ["once", "twice"] : []),
      ...(one.kind === party ? ["leader"] : []),
    ]);
    return one.kind === other.kind && fields.every((field) => one[field] === other[field]);
  }

  /** The game as a trace that `ethnos-sim play` reads. */
  get trace() {
    const { head } = this.seats;
    const strategies = this.strategies.map((name, seat) =>
      seat === this.seat ? `person:answers=${writeAnswers(this.answers)}` : name,
    );
    const { prestigeTokens } = this.stateAfter(0);
    const { firstGame: game } = this.work;
    const events = this.turns.flat();
    return { ...head, game, strategies, prestige_tokens: prestigeTokens, events };
  }
}
