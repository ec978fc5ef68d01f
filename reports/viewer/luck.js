/* Was it luck? A game's result for each seat, less a fair share, is the sum of what every card, dragon
   and answer changed in the chance to win. The chance to win at a moment is the share of wins when
   `learned` plays on in all seats with the unseen cards in other orders: all hands count as known.
   So an answer costs what it gives away against the answer of `learned`, and a card or dragon is worth
   what it changes against all others that could have come; over many games it is worth 0 on average,
   whoever plays. */

/** @import { Order, Question, Sitting } from "./sitting.js" */

/**
 * How the unseen part of a deck may lie: cards before place `known` lie as they lay, dragons before
 * place `dragons` too; "none" of the `next` cards is a dragon, or "some" are.
 * @typedef {{known: number, dragons: number, next?: number, among?: "none" | "some"}} Fixed
 */

/**
 * A moment of a game, from which games are played on: `answered` questions were answered. `wins` has the
 * wins by side of each game.
 * @typedef {Fixed & {answered: number, age: number, wins: number[][]}} Moment
 */

/** The chance to win by side as a mean over moments: parts of 1, each with its moment or known wins.
    @typedef {{part: number, moment: Moment | null, wins: number[]}[]} Worth */

/**
 * What changed from one worth to another: cards, dragons, or the answer to a question by a player
 * (−1 where nobody acts); `question` is where it happened, and `turn` when (0: before the first one).
 * @typedef {{kind: "cards" | "dragons" | "answer", player: number, question: Question, turn: number,
 *            from: Worth, to: Worth}} Step
 */

const DRAGON = 63;

/** How long games are played on at once, in milliseconds. */
const SLICE = 40;
/** How many games are played on from each moment: from all moments, from those around answers, and from
    those around the greatest changes. */
export const GAMES = /** @type {const} */ ([40, 160, 600]);
/** How many draws and how many answers are told. */
const LISTED = 5;
const STREAM = 0x6d2b79f5;
/** Between the numbers of a deal's random orders and those of the next deal. If all deals had the same
    orders, errors of their luck would not cancel out. */
const DEALS_APART = 4096;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). @param {number} seed */
function stream(seed) {
  let state = Math.imul(seed + 1, STREAM);
  return () => {
    state = (state + STREAM) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Shuffle some values in place. @param {Int8Array} values @param {() => number} roll */
function shuffle(values, roll) {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const place = Math.floor(roll() * (last + 1));
    const held = values[last] ?? 0;
    values[last] = values[place] ?? 0;
    values[place] = held;
  }
}

/**
 * Another order of a deck with the same beginning. Further dragons lie anywhere from `bottom` on, as the
 * rules lay them.
 * @param {number[]} order @param {Fixed & {bottom: number}} fixed @param {() => number} roll
 */
export function reordered(order, { known, dragons, next = 0, among, bottom }, roll) {
  const unseen = Int8Array.from(order.slice(known).filter((card) => card !== DRAGON));
  shuffle(unseen, roll);
  const soon = known + next;
  const first = Math.max(dragons, bottom, among === "none" ? soon : 0);
  const laid = Int8Array.from(order.slice(first), () => 0);
  laid.fill(1, 0, order.slice(dragons).filter((card) => card === DRAGON).length);
  do shuffle(laid, roll);
  while (among === "some" && !laid.subarray(0, Math.max(0, soon - first)).includes(1));
  let placed = 0;
  return Int8Array.from(order, (card, place) => {
    if (place < known) return card;
    if (place < first ? card === DRAGON && place < dragons : laid[place - first]) return DRAGON;
    placed += 1;
    return unseen[placed - 1] ?? 0;
  });
}

/** The chance that none of the next cards of a deck is a dragon.
    @param {number[]} order @param {number} drawn @param {number} next @param {number} bottom */
export function safe(order, drawn, next, bottom) {
  const first = Math.max(drawn, bottom);
  const places = order.length - first;
  const near = Math.max(0, drawn + next - first);
  const dragons = order.slice(drawn).filter((card) => card === DRAGON).length;
  let chance = 1;
  for (let i = 0; i < dragons; i += 1) chance *= Math.max(0, places - near - i) / (places - i);
  return chance;
}

/** The parts of a game's result. */
export class Luck {
  /** @param {Sitting} game which is over */
  constructor(game) {
    const { seats } = game;
    this.game = game;
    this.sides = seats.words.sides;
    /** The seats whose draws and answers are told: the person's, or all. */
    this.seats = game.seat < 0 ? [...Array(this.sides).keys()] : [game.seat];
    this.orders = game.orders();
    /** @type {Moment[]} */
    this.moments = [];
    this.fair = seats.words.solo
      ? this.playedOn(0, 0, { known: 0, dragons: 0 })
      : sure(Array(this.sides).fill(1 / this.sides));
    /** @type {Step[]} */
    this.steps = [];
    this.findSteps();
    /** The steps whose moments are played on most. @type {Step[]} */
    this.refined = [];
  }

  /** The worth of a moment. @param {number} answered how many questions were answered @param {number} age
      @param {Fixed} fixed @returns {Worth} */
  playedOn(answered, age, fixed) {
    const moment = { answered, age, wins: [], ...fixed };
    this.moments.push(moment);
    return [{ part: 1, moment, wins: [] }];
  }

  /** Find the steps from a fair share to the result, from the last one backwards: before an answer that
      `learned` would have given too, the worth is what it is after it. */
  findSteps() {
    const { questions } = this.game;
    let worth = sure(this.game.winsIn());
    for (const [place, question] of [...questions.entries()].reverse()) {
      const { player, age, turn, drawn, answer, view } = question;
      const next = questions[place + 1];
      if (next?.age !== age || next.drawn !== drawn) {
        const { before, after } = this.aroundDragons(question, place + 1, next);
        const by = next?.age === age ? player : -1;
        this.steps.push({ kind: "cards", player: by, question, turn, from: after, to: worth });
        if (before !== after)
          this.steps.push({ kind: "dragons", player, question, turn, from: before, to: after });
        worth = before;
      }
      if (!this.game.sameAnswer(answer, this.game.expertAnswer(view))) {
        const before = this.playedOn(place, age, { known: drawn, dragons: drawn });
        this.steps.push({ kind: "answer", player, question, turn, from: before, to: worth });
        worth = before;
      }
    }
    const [question] = /** @type {[Question]} */ (questions);
    const dealt = { question, turn: 0, from: this.fair, to: worth };
    this.steps.push({ kind: "cards", player: -1, ...dealt });
    this.steps.reverse();
  }

  /** The worth before cards are drawn, and with the dragons that came up among them.
      @param {Question} question @param {number} answered @param {Question | undefined} next */
  aroundDragons({ age, drawn, decision, limit }, answered, next) {
    const { order, bottom, end } = /** @type {Order} */ (this.orders[age - 1]);
    const goesOn = next?.age === age;
    const until = goesOn ? next.drawn : Math.max(drawn, end);
    const came = order.slice(drawn, until).filter((card) => card === DRAGON).length;
    const { mode } = this.game.seats.head;
    const asked = mode === "standard" ? { turn: 1, draw: limit }[decision] : undefined;
    const cards = goesOn ? until - drawn - came : asked;
    /** @param {Partial<Fixed>} [fixed] */
    const worth = (fixed) =>
      this.playedOn(answered, age, { known: drawn, dragons: drawn, ...fixed });
    const chance = cards ? safe(order, drawn, cards, bottom) : 1;
    if (until === drawn || (cards && (chance === 1 || chance === 0))) {
      const before = worth();
      return { before, after: before };
    }
    if (!cards) return { before: worth(), after: worth({ dragons: until }) };
    const none = worth({ next: cards, among: "none" });
    const some = worth({ next: cards, among: "some" });
    const before = [...parted(none, chance), ...parted(some, 1 - chance)];
    return { before, after: came ? worth({ dragons: until }) : none };
  }

  /** Play on from a moment whose answers are laid, once. @param {Moment} moment */
  play(moment) {
    const { game } = this;
    const number = moment.wins.length;
    const roll = stream(Math.imul(game.deal, DEALS_APART) + number);
    const deal = game.copiedDeal();
    for (const [place, { order, bottom }] of this.orders.entries()) {
      const age = place + 1;
      if (age < moment.age) continue;
      const fixed = age === moment.age ? moment : { known: 0, dragons: 0 };
      game.orderIn(deal, age).set(reordered(order, { ...fixed, bottom }, roll));
    }
    const { wins } = game.playOn(moment.age ? deal : 0, number);
    moment.wins.push(wins);
  }

  /** Play games on from some moments until each has enough, or some milliseconds have passed; return the
      part of all that is done. @param {number} games @param {number} [time] @param {Moment[]} [among] */
  advance(games, time = Number.POSITIVE_INFINITY, among = this.moments) {
    const until = performance.now() + time;
    for (const moment of among.filter(({ wins }) => wins.length < games)) {
      if (performance.now() >= until) break;
      this.game.layScripts(this.game.questions.slice(0, moment.answered));
      while (moment.wins.length < games && performance.now() < until) this.play(moment);
    }
    const played = among.reduce((sum, { wins }) => sum + Math.min(wins.length, games), 0);
    return among.length ? played / (games * among.length) : 1;
  }

  /** Play games on for a moment, first from all moments, then from those on which most depends; return
      the part of all that is done. */
  proceed() {
    const answers = this.steps.filter(({ kind }) => kind === "answer");
    const rounds = [() => this.moments, () => this.momentsOf(answers), () => this.greatest()];
    let done = 0;
    for (const [round, among] of rounds.entries())
      if (done === round) done += this.advance(GAMES[round] ?? 0, SLICE, among());
    return done / rounds.length;
  }

  /** The chances to win by side after a turn. @param {number} turn */
  chancesAfter(turn) {
    const { to } = /** @type {Step} */ (this.steps.findLast((step) => step.turn <= turn));
    return Array.from({ length: this.sides }, (_, side) => chanceAt(to, side));
  }

  /** What a step changed in a seat's chance to win. @param {Step} step @param {number} seat */
  change({ from, to }, seat) {
    return chanceAt(to, seat) - chanceAt(from, seat);
  }

  /** The answers that cost those who gave them something, the dearest first. */
  dearest() {
    const cost = (/** @type {Step} */ step) => this.change(step, step.player);
    return this.steps
      .filter(
        (step) => step.kind === "answer" && this.seats.includes(step.player) && cost(step) < 0,
      )
      .sort((a, b) => cost(a) - cost(b))
      .slice(0, LISTED);
  }

  /** The moments around the draws and answers that seem to have mattered most. */
  greatest() {
    const drawn = this.steps.filter(({ kind, player }) => kind === "cards" && player >= 0);
    const draws = this.seats.flatMap((seat) =>
      drawn.toSorted((a, b) => this.change(b, seat) - this.change(a, seat)).slice(0, LISTED),
    );
    this.refined = [...new Set([...this.refined, ...draws, ...this.dearest()])];
    return this.momentsOf(this.refined);
  }

  /** @param {Step[]} steps */
  momentsOf(steps) {
    const parts = steps.flatMap(({ from, to }) => [...from, ...to]);
    return [
      ...new Set(parts.flatMap(({ part, moment }) => (moment && part > 0.5 ? [moment] : []))),
    ];
  }

  /** The sum of the steps of a kind, and the half-width of its 95 % interval.
      @param {number} seat @param {(step: Step) => boolean} wanted */
  sumOf(seat, wanted) {
    const signs = /** @type {Map<Moment, number>} */ (new Map());
    let value = 0;
    for (const step of this.steps.filter(wanted)) {
      value += this.change(step, seat);
      for (const { part, moment } of [...step.to, ...parted(step.from, -1)])
        if (moment) signs.set(moment, (signs.get(moment) ?? 0) + part);
    }
    let variance = 0;
    for (const [moment, sign] of signs) {
      const chance = chanceAt([{ part: 1, moment, wins: [] }], seat);
      variance += (sign ** 2 * chance * (1 - chance)) / (moment.wins.length || 1);
    }
    return { value, error: 1.96 * Math.sqrt(variance) };
  }
}

/** The worth of a moment whose wins are known. @param {number[]} wins @returns {Worth} */
const sure = (wins) => [{ part: 1, moment: null, wins }];

/** A part of a worth. @param {Worth} worth @param {number} part @returns {Worth} */
const parted = (worth, part) => worth.map((one) => ({ ...one, part: one.part * part }));

/** A seat's chance to win. @param {Worth} worth @param {number} seat */
export const chanceAt = (worth, seat) =>
  worth.reduce((sum, { part, moment, wins }) => {
    const mean = moment
      ? moment.wins.reduce((total, won) => total + (won[seat] ?? 0), 0) / (moment.wins.length || 1)
      : (wins[seat] ?? 0);
    return sum + part * mean;
  }, 0);
