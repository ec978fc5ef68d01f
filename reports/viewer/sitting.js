/* A game with a person at the table, or one whose answers are all known. The deal and the answers
   determine the game. So the page keeps only the answers, and replays the game from its start after
   every answer. */

import { FIELDS, writeAnswers } from "./address.js";
import { NONE, readEvents } from "./events.js";
import { cardsIn, seenState } from "./seen.js";

/** @import { Engine } from "../live/engine.js" */
/** @import { Event, State } from "./state.js" */

/**
 * The data of a table (reports/viewer/seat.py). `actions` has the numbers of actions, `head` the keys of
 * a trace before its events, `rotation` the number of the page's game among those of its deal, and
 * `changes` the rule values that the reader changed.
 * @typedef {{
 *   key: string, words: import("./events.js").EventWords, head: Record<string, any>, clans: number[],
 *   strategies: string[], deal: number, rotation?: number, changes: import("../live/changes.js").Changes,
 *   actions: {deck: number, no: number, yes: number, choice: number, card: number,
 *             lead: number, alone: number, cards: number, count: number},
 *   kinds: Record<string, number>,
 * }} Seats
 */

/**
 * An answer to a question, by the fields of MOVE_DTYPE. Sets of cards are hexadecimal digits.
 * @typedef {{kind: number, leader: number, choice: number, once: string, twice: string}} Answer
 */

/** A legal action and the answer that it completes; null if more actions must follow.
    @typedef {{action: number, answer: Answer | null}} Option */

/**
 * A question that was answered: the addresses of its position and open record, the answer and the player,
 * and how many cards and dragons of the age's deck had been dealt or drawn by then.
 * @typedef {{at: number, view: number, answer: Answer, player: number, age: number, turn: number,
 *            drawn: number, decision: string, limit: number}} Question
 */

/** An answer, and the player who gave it. @typedef {{player: number, answer: Answer}} Given */

/**
 * What ended an age: the event, the table then, the prestige at its beginning, and what it brought by source.
 * @typedef {{event: Event, state: State, before: number[], gained: Record<string, number[]>}} Account
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

/** The fields that an answer needs, by its kind. @type {Record<string, (keyof Answer)[]>} */
const NEEDED = {
  ...{ pool: ["choice"], choice: ["choice"], cards: ["once", "twice"] },
  ...{ party: ["leader", "once", "twice"], deck: [], decline: [] },
};

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

/** The cards of an answer. @param {Answer} answer @param {import("./events.js").EventWords} words */
export const cardsOf = ({ once, twice }, words) =>
  cardsIn(BigInt(`0x${once}`), BigInt(`0x${twice}`), words);

/** An answer by its kind alone. @param {number} [kind] @returns {Answer} */
export const plain = (kind = 0) => ({ kind, leader: 0, choice: 0, once: "0", twice: "0" });

/** The prestige of each side by source, and the parties of the age, both from events. @param {Event[]} events @param {Seats} seats */
function tally(events, seats) {
  const { sides, colors, solo } = seats.words;
  const { rules } = seats.head;
  const none = () => Array(sides).fill(0);
  const sources = /** @type {Record<string, number[]>} */ ({
    ...{ regions: none(), sea: none(), largest: none(), settlement: none(), parties: none() },
    powers: none(),
  });
  /** @param {string} source @param {number[] | null} won */
  const add = (source, won) =>
    won?.forEach((points, side) => {
      const sums = sources[source] ?? [];
      sums[side] = (sums[side] ?? 0) + points;
    });
  const pay = (
    /** @type {string} */ source,
    /** @type {number} */ side,
    /** @type {number} */ won,
  ) => add(source, none().fill(won, side, side + 1));
  const takes = (/** @type {number} */ player, clan = "") =>
    pay("largest", player, rules[`${clan}.on_take`] ?? 0);
  let parties = /** @type {State["parties"]} */ ([]);
  for (const event of events) {
    const player = event.event === "bruno_party" ? 1 : event.player;
    if (event.event === "age") {
      parties = Array.from({ length: sides }, () => []);
      const begun = event.age === 1 && !solo ? (rules.start_prestige ?? []) : [];
      for (const [place, won] of begun.slice(0, sides).entries())
        pay("powers", (event.first_player + place) % sides, won);
    }
    if (event.event.endsWith("party")) {
      parties[player]?.push({ cards: event.cards, leader: event.leader });
      if (event.largest) takes(player, event.leader.split(":")[0]);
    }
    for (const action of event.actions ?? []) {
      if (action.action === "pay") pay("powers", action.player, action.prestige);
    }
    if (event.event !== "age_end") continue;
    for (const color of colors) add("regions", event.regions[color]);
    for (const source of ["sea", "largest", "settlement", "parties"]) add(source, event[source]);
  }
  return { sources, parties };
}

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
    const { players, mode, seed } = seats.head;
    this.engine = engine;
    this.seats = seats;
    this.seat = seat;
    this.deal = deal;
    this.rotation = rotation;
    this.answers = answers;
    this.given = given;
    this.strategies = strategies;
    this.seed = seed;
    /** The wins by side, in parts of 1. @type {number[]} */
    this.wins = [];
    /** The questions that were answered, of all players. @type {Question[]} */
    this.questions = [];
    this.over = false;
    this.decision = "";
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
    this.entry = this.entries + seat * engine.sizeOf("ENTRY_DTYPE");
    this.question = room("VIEW_DTYPE");
    this.rest = room("HIDDEN_DTYPE");
    this.scratch = room("VIEW_DTYPE");
    this.move = room("MOVE_DTYPE");
    this.own = room("OWN_DTYPE");
    this.building = engine.allocate(64);
    this.legal = engine.allocate(2 * seats.actions.count);
    this.replay();
  }

  /** Let the code of a person give answers at an entry, and afterwards the stand-in or nobody.
      @param {number} entry @param {string} name of the room for the answers @param {Answer[]} answers
      @param {{on: boolean}} given whether the stand-in plays on */
  seatPerson(entry, name, answers, { on }) {
    const { engine } = this;
    const code = engine.functions.person ?? 0;
    const size = engine.sizeOf("MOVE_DTYPE");
    const script = engine.room(name, size * Math.max(MOST_ANSWERS, answers.length));
    for (const [place, answer] of answers.entries())
      this.writeAnswer(script + place * size, answer);
    for (const place of engine.live.decisions.keys()) {
      const expert = engine.get("ENTRY_DTYPE", this.experts, "own.addresses", place);
      engine.set("ENTRY_DTYPE", entry, "own.addresses", code, place);
      engine.set("ENTRY_DTYPE", entry, "own.policy_addresses", on ? expert : 0, place);
    }
    engine.set("ENTRY_DTYPE", entry, "own.memory", script, 0);
    engine.set("ENTRY_DTYPE", entry, "own.memory", answers.length, 1);
  }

  /** Play with some answers.
      @param {Answer[]} answers @param {number} positions how many questions the log can hold
      @param {boolean} [on] whether the stand-in plays on when the answers are used up */
  playWith(answers, positions, on = false) {
    const { engine } = this;
    if (this.given) this.cutScripts(this.layScripts(this.given));
    else if (this.seat >= 0) this.seatPerson(this.entry, "script", answers, { on });
    const played = engine.play(this.work, { log: NUMBERS, positions });
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
    const { table, entries, seed, deal, rotation } = this;
    const { players: rotations } = this.seats.head;
    return { table, entries, rotations, seed, games: 1, firstGame: deal * rotations + rotation };
  }

  /** Lay answers of all seats ready to be played; return how many each seat has. @param {Given[]} given */
  layScripts(given) {
    return Array.from({ length: this.seats.head.players }, (_, seat) => {
      const answers = given.filter(({ player }) => player === seat).map(({ answer }) => answer);
      this.seatPerson(this.scriptedEntry(seat), `script ${seat}`, answers, { on: true });
      return answers.length;
    });
  }

  /** Say how many of the answers that are laid each seat gives. @param {number[]} counts by seat */
  cutScripts(counts) {
    for (const [seat, count] of counts.entries())
      this.engine.set("ENTRY_DTYPE", this.scriptedEntry(seat), "own.memory", count, 1);
  }

  /** @param {number} seat */
  scriptedEntry(seat) {
    const place = (seat + this.rotation) % this.seats.head.players;
    return this.scripted + place * this.engine.sizeOf("ENTRY_DTYPE");
  }

  /** Play the game on from where scripts end; the stand-in then plays in all seats.
      @param {number} deal the address of a deal, or 0 for one of its own
      @param {number} number of its own deal @param {number[]} counts of answers by seat
      @param {number} [log] how many numbers of events to read */
  playOn(deal, number, counts, log = 0) {
    const { engine, work, scripted } = this;
    this.cutScripts(counts);
    const firstGame = deal ? work.firstGame : (FURTHER_DEALS + number) * work.rotations;
    const row = { ...work, firstGame, entries: scripted };
    const played = engine.play(row, { deal, log });
    if (played.reason && !log) throw new Error(played.sentence);
    return { wins: this.winsOf(played.seats), events: log ? this.eventsOf(played) : [] };
  }

  /** The wins in parts of 1 by side. @param {number} seats the address of the rows of seats */
  winsOf(seats) {
    const { engine } = this;
    const size = engine.sizeOf("SEAT_DTYPE");
    return Array.from(
      { length: this.seats.words.sides },
      (_, side) => Number(engine.get("SEAT_DTYPE", seats + side * size, "won")) / SIXTIETHS,
    );
  }

  /** The order of each age's deck: cards by number in dealing order, the first place where a dragon may
      lie, and the place after the dragon that ended the age. @returns {Order[]} */
  orders() {
    const { engine } = this;
    const number = (/** @type {string} */ name, /** @type {number[]} */ ...place) =>
      this.asks(`rules.${name}`, ...place);
    const cards = this.seats.words.cards.length * number("copies");
    const last = number("last_dragon") || number("dragons");
    return Array.from({ length: this.asks("ages") }, (_, age) => {
      const order = Array.from({ length: cards + number("dragons") }, (_, place) =>
        Number(engine.get("HIDDEN_DTYPE", this.rest, "deal.order", age, place)),
      );
      const dragons = [...order.keys()].filter((place) => order[place] === this.seats.words.dragon);
      const bottom = order.length - number("dragons_part", age);
      return { order, bottom, end: (dragons[last - 1] ?? 0) + 1 };
    });
  }

  /** Who sees the table by which rules: the person, with the names and levels of the players.
      @param {import("./words.js").Names} names @param {string[]} levels
      @returns {import("./board.js").Seen} */
  seen(names, levels) {
    const { head } = this.seats;
    return {
      ...{ names, levels, seat: this.seat },
      rules: { ...head.rules, players: head.players },
      tokens: this.trace.prestige_tokens,
    };
  }

  /** A number of the open question. @param {string} name @param {number[]} place */
  asks(name, ...place) {
    return Number(this.engine.get("VIEW_DTYPE", this.question, name, ...place));
  }

  /** Play from the beginning to the next question or the end. */
  replay() {
    const { engine } = this;
    const played = this.playWith(this.answers, POSITIONS);
    this.over = !played.waits;
    engine.copy(this.question, played.view, engine.sizeOf("VIEW_DTYPE"));
    engine.copy(this.rest, played.hidden, engine.sizeOf("HIDDEN_DTYPE"));
    this.decision = this.over ? "" : (engine.live.decisions[this.asks("decision")] ?? "");
    const last = played.events.at(-1)?.event;
    const cut =
      (this.decision === "bruno_card" && last === "bruno_gets") ||
      (["bruno_release", "bruno_steal"].includes(this.decision) && last === "bruno_party");
    this.turns = byTurn(cut ? played.events.slice(0, -1) : played.events);
    this.questions = this.readQuestions(played.positions.address, played.positions.used);
    this.wins = this.winsOf(played.seats);
    const turn = this.asks("turns");
    const open = this.openParty(turn, played.hidden);
    if (open) this.turns[turn] = [...(this.turns[turn] ?? []), open];
    this.startOver();
  }

  /** The party that lies on the table while its leader's power or the rest of the hand is asked about,
      with its effects so far; null if no such question is open.
      @param {number} turn @param {number} hidden @returns {Event | null} */
  openParty(turn, hidden) {
    const { engine, seat, seats } = this;
    const { cards, colors } = seats.words;
    const told = (this.turns[turn] ?? []).filter((event) => event.event === "party").length;
    const parties = this.questions.filter(
      ({ player, turn: at, answer }) =>
        player === seat && at === turn && answer.kind === seats.kinds.party,
    );
    const answer = this.over || this.decision === "turn" ? undefined : parties[told]?.answer;
    if (!answer) return null;
    const effect = (/** @type {string} */ name, /** @type {number[]} */ ...place) =>
      Number(engine.get("HIDDEN_DTYPE", hidden, `event.${name}`, ...place));
    const value = (/** @type {string} */ name) => (effect(name) === NONE ? null : effect(name));
    const count = effect("sea_region_count");
    return {
      ...{ event: "party", player: seat, cards: cardsOf(answer, seats.words) },
      ...{ leader: cards[answer.leader], region: colors[effect("region")] ?? null },
      sea: value("sea"),
      sea_regions: Array.from({ length: count }, (_, i) => colors[effect("sea_regions", i)]),
      ...{ token: value("token"), largest: effect("largest") === 1, coin: value("coin") },
      settled: colors[effect("settled")] ?? null,
      ...{ again: false, kept: [], discarded: [], drawn: [], dragons: 0, open: true },
    };
  }

  /** The answered questions of a log of positions. @param {number} address @param {number} used @returns {Question[]} */
  readQuestions(address, used) {
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
        ...{ at, view: at + open, answer: this.readAnswer(at + move), player: asks("player") },
        ...{ age: asks("age"), turn: asks("turns"), drawn: cards - asks("deck_cards") },
        ...{ decision: engine.live.decisions[asks("decision")] ?? "", limit: asks("limit") },
      };
    });
  }

  /** The table after a turn; turn 0 holds the events before the first turn. @param {number} turn @returns {State} */
  stateAfter(turn) {
    const later = turn + 1 < this.turns.length && this.questions.find((one) => one.turn > turn);
    const events = this.turns.slice(0, turn + 1).flat();
    const last = events.at(-1);
    const winners = last?.event === "game_end" ? last.winners : null;
    const rest = { ...tally(events, this.seats), winners, turn };
    return later ? this.seenAt(later, rest) : this.seenNow(rest);
  }

  /** The table at an answered question. @param {Question} question @param {import("./seen.js").Rest} rest */
  seenAt({ at, view }, rest) {
    return seenState(this.engine, view, { layout: "POSITION_DTYPE", at }, this.seats.words, rest);
  }

  /** The table at the open question, or at the end. @param {import("./seen.js").Rest} rest @param {number} [view] another open record */
  seenNow(rest, view = this.question) {
    const holder = { layout: "HIDDEN_DTYPE", at: this.rest };
    return seenState(this.engine, view, holder, this.seats.words, rest);
  }

  /** The account of an age that is over. @param {number} age @returns {Account} */
  account(age) {
    const { seats } = this;
    const events = this.turns.flat();
    const ends = (/** @type {number} */ number) =>
      events.findIndex((event) => event.event === "age_end" && event.age === number);
    const [from, to] = [age > 1 ? ends(age - 1) + 1 : 0, ends(age) + 1];
    const next = this.questions.find((question) => question.age > age);
    const [earlier, now] = [tally(events.slice(0, from), seats), tally(events.slice(0, to), seats)];
    const state = this.seenNow({ ...now, winners: null, turn: 0 }, next?.view);
    const ofAge = events.slice(from, to);
    const tokens = state.prestige.map((_, side) =>
      ofAge.flatMap(({ player, token }) => (player === side && token ? [token] : [])),
    );
    const gained = Object.entries(now.sources).map(([source, sums]) => [
      source,
      sums.map((sum, side) => sum - (earlier.sources[source]?.[side] ?? 0)),
    ]);
    return {
      ...{ event: /** @type {Event} */ (events[to - 1]), state: { ...state, tokens } },
      before: events[from - 1]?.prestige ?? state.prestige.map(() => 0),
      gained: Object.fromEntries(gained),
    };
  }

  /** The prestige by side and source that the age's end would bring if it came now, with some answers of
      the person given first: the event, or null if nobody could draw the last dragon.
      @param {Answer[]} answers @returns {Event | null} */
  ifAgeEnded(answers) {
    const { engine, seat, seats } = this;
    const { players } = seats.head;
    const drawer = answers.length ? (seat + 1) % players : seat;
    const limit = Number(this.asks("rules.hand_limit"));
    if (players < 2 || this.asks("hand_cards", drawer) >= limit) return null;
    const counts = this.layScripts([
      ...this.questions,
      ...answers.map((answer) => ({ player: seat, answer })),
      { player: drawer, answer: plain(seats.kinds.deck) },
    ]);
    const deal = this.copiedDeal("trial deal");
    const place = engine.place("DEAL_DTYPE", "order");
    const age = this.asks("age");
    const order = new Int8Array(
      engine.memory.buffer,
      engine.addressOf(place, deal, [age - 1, 0]),
      this.mostCards,
    );
    const drawn = this.mostCards - this.asks("deck_cards");
    const [dragon, left] = [seats.words.dragon, [...order.slice(drawn)]];
    order.set(
      [...left.filter((card) => card === dragon), ...left.filter((card) => card !== dragon)],
      drawn,
    );
    const { events } = this.playOn(deal, 0, counts, NUMBERS);
    return events.find((event) => event.event === "age_end" && event.age === age) ?? null;
  }

  /** A copy of the game's deal in a room. @param {string} room @returns {number} its address */
  copiedDeal(room) {
    const { engine, rest } = this;
    const size = engine.sizeOf("DEAL_DTYPE");
    const deal = engine.room(room, size);
    engine.copy(deal, rest + engine.place("HIDDEN_DTYPE", "deal").offset, size);
    return deal;
  }

  /** Forget the cards that are being named. */
  startOver() {
    this.engine.bytes(this.building, 64).fill(0);
    this.options = this.over ? [] : this.offered(NONE);
  }

  /** Call the engine's `continue_answer`. @param {number} action @param {number} building @returns {number} */
  offer(action, building) {
    this.engine.bytes(this.move, this.engine.sizeOf("MOVE_DTYPE")).fill(0);
    return Number(
      this.engine.call(
        "continue_answer",
        { at: this.question, type: "VIEW_DTYPE", count: 1 },
        { at: building, type: "SELECTION_DTYPE", count: 1 },
        { at: this.move, type: "MOVE_DTYPE", count: 1 },
        { at: this.legal, type: "i2", count: this.seats.actions.count },
        BigInt(action),
      ),
    );
  }

  /** The legal options after an action. @param {number} action @returns {Option[]} */
  offered(action) {
    const count = this.offer(action, this.building);
    const legal = [...new Int16Array(this.engine.memory.buffer, this.legal, count)];
    const trial = this.building + 32;
    return legal.map((number) => {
      this.engine.copy(trial, this.building, 32);
      return {
        action: number,
        answer: this.offer(number, trial) ? null : this.readAnswer(this.move),
      };
    });
  }

  /** Carry out a legal action; true if it completed the answer, so that the game went on. @param {number} action */
  act(action) {
    const option = this.options.find((known) => known.action === action);
    if (!option) throw new Error(`action ${action} is not offered`);
    if (option.answer === null) {
      this.options = this.offered(action);
      return false;
    }
    this.answers = [...this.answers, option.answer];
    this.replay();
    return true;
  }

  /** Whether cards are being named. */
  get naming() {
    return this.engine.bytes(this.building, 1)[0] === 1;
  }

  /** The cards named so far. */
  get named() {
    const plane = (/** @type {number} */ at) =>
      this.engine.view.getBigUint64(this.building + at, true);
    return cardsIn(plane(8), plane(16), this.seats.words);
  }

  /** Take the last answer back, with everything that followed it. */
  back() {
    this.answers = this.answers.slice(0, -1);
    this.replay();
  }

  /** The event that playing a party would cause, if the stand-in answered what its power asks; `asks`
      is the first question that it would ask. @param {Answer} answer @returns {Event | null} */
  tried(answer) {
    const [turn, answers] = [this.asks("turns"), [...this.answers, answer]];
    const parties = byTurn(this.playWith(answers, 0, true).events)[turn]?.filter(
      (event) => event.event === "party" && event.player === this.seat,
    );
    const place = (this.turns[turn] ?? []).filter((event) => event.event === "party").length;
    const event = parties?.[place] ?? null;
    const { view, waits } = this.playWith(answers, 0);
    const asks = (/** @type {string} */ name) => Number(this.engine.get("VIEW_DTYPE", view, name));
    const asked =
      waits && asks("turns") === turn ? this.engine.live.decisions[asks("decision")] : "";
    return event && { ...event, asks: asked, limit: asks("limit") };
  }

  /** @param {number} at @returns {Answer} */
  readAnswer(at) {
    const read = (/** @type {string} */ field) => this.engine.get("MOVE_DTYPE", at, field);
    const [kind, leader, choice, once, twice] = FIELDS.map(read);
    return { kind, leader, choice, once: once.toString(16), twice: twice.toString(16) };
  }

  /** @param {number} at @param {Answer} answer */
  writeAnswer(at, answer) {
    for (const field of FIELDS) {
      const value = answer[field];
      this.engine.set(
        "MOVE_DTYPE",
        at,
        field,
        typeof value === "string" ? BigInt(`0x${value}`) : value,
      );
    }
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

  /** Whether two answers mean the same. @param {Answer} one @param {Answer} other */
  sameAnswer(one, other) {
    const { kinds } = this.seats;
    const kind = Object.keys(kinds).find((name) => kinds[name] === one.kind) ?? "";
    return one.kind === other.kind && !NEEDED[kind]?.some((field) => one[field] !== other[field]);
  }

  /** The game as a trace that `ethnos-sim play` reads. */
  get trace() {
    const { words, head } = this.seats;
    const { "prestige_tokens.base": base, "prestige_tokens.four_plus": more } = head.rules;
    const tokens = [...base, ...(head.players < 4 ? [] : more)].length / words.colors.length;
    const strategies = this.strategies.map((name, seat) =>
      seat === this.seat ? `person:answers=${writeAnswers(this.answers)}` : name,
    );
    const prestige_tokens = Object.fromEntries(
      words.colors.map((color, region) => [
        color,
        Array.from({ length: tokens }, (_, age) => this.asks("prestige_tokens", region, age)),
      ]),
    );
    const game = this.deal * this.seats.head.players;
    return { ...head, game, strategies, prestige_tokens, events: this.turns.flat() };
  }
}
