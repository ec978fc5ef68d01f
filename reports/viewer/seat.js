/* The seat of a person: the form to sit down, the table at a question, the account of an age, the end
   of the game, and a position of it. */

import { openEngine } from "../live/engine.js";
import { make, makeButton, part } from "../rendering/templates/elements.js";
import {
  ageAccount,
  finalTable,
  inTenths,
  resultWords,
  signed,
  standingBars,
  waterfall,
} from "./account.js";
import { readKept, writeKept } from "./address.js";
import { holding, logLine, person, poolTile, regionTiles, rivalsTile } from "./board.js";
import { drawCurve, percent } from "./chances.js";
import { chanceAt, Luck } from "./luck.js";
import { glance, outlook } from "./outlook.js";
import { cardsIn } from "./seen.js";
import { meanOf, Sitting } from "./sitting.js";
import { capital, cardMark, shortName, sortedCards, spoken } from "./table.js";
import { cardWords, counted, partyName, regionWords } from "./words.js";

/** @typedef {import("./sitting.js").Answer} Answer */
/** @typedef {import("./sitting.js").Option} Option */
/** @typedef {import("./table.js").Names} Names */
/** @typedef {import("./luck.js").Step} Step */

/** The question of each decision. `{limit}` is a number of cards, `{clan}` the clan whose power asks. */
const QUESTIONS = /** @type {Record<string, string>} */ ({
  turn: "Take a card, draw, or point at the card that leads a {party}.",
  second_party: "Another {party}? Point at the card that leads it.",
  naming: "Point at the cards that join the {party}.",
  region: "Where does your marker go?",
  sea_region: "An extra marker: where does it go?",
  token: "Which tie-break token do you take?",
  settle: "Put a marker on your own board?",
  keep: "Point at the cards that you keep: {limit} at most.",
  draw: "Draw {limit}?",
  empty_board: "Empty your own board, with {limit} on it?",
  ten_wild: "Show your wild cards and win at once?",
  bruno_card: "Which card does Bruno get?",
  bruno_leader: "Who leads Bruno's {party}?",
  bruno_region: "Where does Bruno's marker go?",
  bruno_release: "Which card leaves Bruno's columns?",
  bruno_steal: "Take that card into your hand?",
  use_power: "Use the leader's power?",
  choose: "{clan}: what do you choose?",
});

const REGIONS = ["region", "sea_region", "bruno_region"];
const RIVALS = ["Mara", "Otto", "Ines", "Juri", "Lena"];

/** The levels of rivals, and the strategies that play at them. */
const LEVELS = { beginner: "greedy", patient: "warden", good: "champion", strong: "learned" };
const USUAL_LEVELS = ["strong", "patient", "good", "beginner", "strong"];

/** The highest number of a deal. */
const MOST_DEALS = 1_000_000_000;

/** How many games are played on from each moment to tell luck from moves: from all moments, from those
    around answers, and from those around the greatest changes. */
const GAMES = [40, 160, 600];

/** How long games are played on at once, in milliseconds. */
const SLICE = 40;

/** The seat of a person at a page's table. */
export class Chair {
  /**
   * @param {any} live the engine's data
   * @param {import("./sitting.js").Seats} seats
   * @param {Names} names of the page's game
   * @param {boolean} watched whether the page has a game of its own
   */
  constructor(live, seats, names, watched) {
    this.seats = seats;
    this.names = names;
    this.watched = watched;
    this.fields = live.rules[seats.key].fields;
    this.known = Object.keys(live.entries[seats.key]?.[seats.head.players] ?? {});
    this.opening = openEngine(live);
    /** @type {Sitting | null} */
    this.sitting = null;
    /** The option of the chosen party. @type {Option | null} */
    this.chosen = null;
    this.mark = 0;
    /** @type {Luck | null} */
    this.luck = null;
    /** The games played on from moments of this table's games. @type {Map<string, number[][]>} */
    this.played = new Map();
    this.counting = 0;
    /** The ages whose account was shown. */
    this.told = 0;
    this.advice = "";
    this.points = Number(new URLSearchParams(location.hash.slice(1)).get("beat"));
    this.box = part("seated");
    document.addEventListener("keydown", (event) => this.key(event));
    this.kept = readKept(location.hash);
    if (this.kept) this.resume(this.kept);
    else this.form();
  }

  /** Show the form: the seat, the rivals with their levels, and the deal. */
  form() {
    const { strategies, deal, head } = this.seats;
    const chairs = strategies.map((name, seat) =>
      make("option", { value: seat }, `P${seat}, in place of ${name}`),
    );
    const chair =
      this.watched && head.players > 1
        ? [make("label", {}, "Your seat ", make("select", { id: "chair" }, ...chairs))]
        : [];
    const rivals = RIVALS.slice(0, head.players - 1).map((name, place) => {
      const levels = Object.entries(LEVELS).filter(([, strategy]) => this.known.includes(strategy));
      const usual = this.watched ? "" : USUAL_LEVELS[place];
      const options = levels.map(([level, strategy]) =>
        make("option", { value: strategy, selected: level === usual }, level),
      );
      const own = this.watched ? [make("option", { value: "" }, "as in this game")] : [];
      return make("label", {}, `${name} `, make("select", { class: "level" }, ...own, ...options));
    });
    const number = make("input", {
      type: "number",
      id: "deal",
      min: 0,
      max: MOST_DEALS,
      value: this.watched ? deal : randomDeal(),
    });
    const game = this.sitting;
    const on =
      game && !game.over && game.answers.length
        ? [
            makeButton([`Go on with deal ${game.deal}`], () => this.next(), {
              id: "go-on",
              class: "go",
            }),
          ]
        : [];
    part("sit").hidden = false;
    part("sit").replaceChildren(
      ...(this.watched ? [make("b", {}, "Play yourself:")] : []),
      ...[...chair, ...rivals, make("label", {}, "Deal ", number), ...on],
      makeButton(["Sit down"], () => this.sit(), { id: "sit-down", class: "go" }),
    );
    this.show(false);
    /** @type {HTMLElement | null} */ (document.querySelector("#sit .go"))?.focus();
  }

  /** Show the seat in place of the page's own game, or the other way round. @param {boolean} on */
  show(on) {
    document.body.classList.toggle("sitting", on);
    for (const id of ["viewer", "told"]) part(id).hidden = on || !this.watched;
    part("sit").hidden = on;
    this.box.hidden = !on;
  }

  /** Go on with a game that the address keeps, or with its beginning if its answers do not fit.
      @param {import("./address.js").Kept} kept */
  async resume({ deal, chair, rivals, answers }) {
    const strategies = this.seats.strategies.map((name, seat) =>
      this.known.includes(rivals[seat] ?? "") ? (rivals[seat] ?? name) : name,
    );
    const chosen = {
      seat: chair < strategies.length ? chair : 0,
      deal: Math.min(deal, MOST_DEALS),
      strategies,
    };
    try {
      await this.seat(chosen, answers);
    } catch {
      await this.seat(chosen);
    }
  }

  /** Sit down as the form says. */
  sit() {
    const value = (/** @type {string} */ id) =>
      /** @type {HTMLInputElement | null} */ (document.getElementById(id))?.value ?? "0";
    const seat = Number(value("chair"));
    const levels = [
      .../** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("#sit .level")),
    ].map((field) => field.value);
    const strategies = this.seats.strategies.map((name, side) =>
      side === seat ? name : levels[side - Number(side > seat)] || name,
    );
    const deal = Math.min(MOST_DEALS, Math.max(0, Math.floor(Number(value("deal")) || 0)));
    return this.seat({ seat, deal, strategies });
  }

  /** Seat the person, with some answers given. @param {{seat: number, deal: number, strategies: string[]}} chosen @param {Answer[]} [answers] */
  async seat(chosen, answers = []) {
    this.luck = null;
    const engine = await this.opening;
    if (this.mark) engine.release(this.mark);
    this.mark = engine.mark();
    this.played = new Map();
    this.sitting = new Sitting(engine, this.seats, chosen, answers);
    this.told = this.agesOver();
    this.next();
  }

  get game() {
    if (!this.sitting) throw new Error("nobody sits");
    return this.sitting;
  }

  /** How many ages are over. */
  agesOver() {
    return this.game.turns.flat().filter((event) => event.event === "age_end").length;
  }

  /** The table as this person sees it. @returns {import("./board.js").Seen} */
  get seen() {
    const { game, seats } = this;
    const rivals = [...RIVALS];
    const players = this.names.players.map((name, side) => {
      if (side === game.seat) return "You";
      return side < seats.words.players ? (rivals.shift() ?? name) : (name.split(" ")[0] ?? "");
    });
    const level = (/** @type {string} */ name) =>
      Object.entries(LEVELS).find(([, strategy]) => strategy === name)?.[0] ?? name;
    const { trace } = game;
    return {
      ...{ names: { ...this.names, players }, seat: game.seat, tokens: trace.prestige_tokens },
      levels: game.strategies.map(level),
      rules: { ...seats.head.rules, players: seats.head.players },
    };
  }

  /** Show the game after an answer: an age's account, the end, or the next question. */
  next() {
    const { deal, seat, strategies, answers } = this.game;
    const kept = { deal, chair: seat, rivals: strategies, answers };
    history.replaceState(null, "", writeKept(location.hash, kept));
    this.chosen = null;
    this.advice = "";
    this.show(true);
    this.luck = new Luck(this.game, this.played);
    this.counting = window.setTimeout(() => this.count(), 300);
    if (this.told < this.agesOver()) return this.account(this.told + 1);
    this.told = this.agesOver();
    if (this.game.over) return this.end();
    return this.ask();
  }

  /** Fill the seat: a bar with what is always there, and the rest. @param {string} title @param {...(Node | string)} content */
  lay(title, ...content) {
    const { game, seen } = this;
    const beat = this.points ? `, beat ${this.points}` : "";
    const back = makeButton(["Take back"], () => this.back(), { id: "take-back", title: "Key: z" });
    /** @type {HTMLButtonElement} */ (back).disabled = !game.answers.length;
    const rules = make("button", { type: "button", popovertarget: "rules" }, "Rules");
    this.box.replaceChildren(
      make(
        "div",
        { class: "bar" },
        make("h2", { id: "asked" }, title),
        make("span", { class: "soft" }, `deal ${game.deal}${beat}`),
        ...[rules, back, makeButton(["Get up"], () => this.form(), { id: "leave" })],
      ),
      ...content,
      glance(seen, this.seats.head.clans, this.fields, this.seats.changes),
    );
  }

  /** Ask the open question. */
  ask() {
    const { game, seen } = this;
    const { names, seat } = seen;
    const state = game.stateAfter(game.turns.length - 1);
    const { answer = null } = this.chosen ?? {};
    const told = answer && outlook(game, answer, seen, state);
    const asked = game.naming && game.decision !== "keep" ? "naming" : game.decision;
    const clan = game.seats.words.slots[game.asks("asking_slot")] ?? "";
    const question = (QUESTIONS[asked] ?? asked)
      .replace("{party}", names.words.party)
      .replace("{limit}", counted(game.asks("limit"), "card"))
      .replace("{clan}", capital(spoken(clan)));
    const about = `${counted(state.prestige[seat] ?? 0, "point")}, ${counted(state.hands[seat]?.length ?? 0, "card")}. ${holding(state, seat, names)}`;
    this.lay(
      question,
      make(
        "div",
        { class: "seat-table" },
        regionTiles(state, { ...seen, ghost: told?.region }),
        poolTile(state, seen, game.decision === "turn" ? "take one" : ""),
        rivalsTile(state, seen),
        this.log(),
        make(
          "section",
          { class: "dock", "aria-labelledby": "asked" },
          make(
            "div",
            { class: "hand" },
            make("h3", {}, person(seat, names), " ", make("span", {}, about)),
            make("ul", { id: "hand", class: "cards", "aria-label": "Your hand" }, ...this.hand()),
          ),
          make("div", { id: "choice" }, ...this.choice(told?.lines ?? [])),
          make(
            "div",
            { class: "acts" },
            ...this.acts(),
            make("p", { id: "advice", "aria-live": "polite" }, this.advice),
          ),
        ),
      ),
    );
    this.point();
    const first = this.box.querySelector(
      this.chosen ? ".go" : "#hand button, #choice button, .acts button",
    );
    /** @type {HTMLElement | null} */ (first)?.focus({ preventScroll: true });
  }

  /** What happened since the person's last turn, and everything before it on demand. */
  log() {
    const { game, seen } = this;
    const { turns, seat } = game;
    const own = turns.findLastIndex(
      (events, turn) => turn < turns.length - 1 && events?.[0]?.player === seat,
    );
    const lines = (/** @type {number} */ from, /** @type {number} */ to) =>
      turns.slice(from, to).flatMap((events, i) => {
        const state = game.stateAfter(from + i);
        return events.flatMap((event) => logLine(event, state, seen) ?? []);
      });
    const earlier = make("details", {}, make("summary", {}, "Earlier"));
    earlier.addEventListener("toggle", () => {
      if (earlier.childElementCount === 1)
        earlier.append(make("ol", {}, ...lines(0, Math.max(0, own))));
    });
    const recent = make("ol", {}, ...lines(Math.max(0, own), turns.length));
    return make(
      "section",
      { class: "box log" },
      make("h2", {}, "Since your last turn"),
      make(
        "div",
        { class: "roll", role: "log", tabindex: 0, "aria-label": "What happened" },
        ...(own > 0 ? [earlier] : []),
        recent,
      ),
    );
  }

  /** The kind of thing that an action names, and its number. @param {number} action */
  target(action) {
    const { deck, no, yes, choice, card, lead, alone, cards } = this.seats.actions;
    if (action === deck || action === no || action === yes) return { kind: "word", which: action };
    if (action < card) return { kind: "choice", which: action - choice };
    if (action < lead) return { kind: "card", which: action - card };
    return { kind: action < alone ? "group" : "alone", which: (action - lead) % cards };
  }

  /** @param {Option} option */
  act({ action }) {
    this.chosen = null;
    if (this.game.act(action)) this.next();
    else this.ask();
  }

  /** The options that lead a party, by the card that leads it. */
  leading() {
    const led = /** @type {Map<number, Option[]>} */ (new Map());
    for (const option of this.game.options) {
      const { kind, which } = this.target(option.action);
      if (["group", "alone"].includes(kind)) led.set(which, [...(led.get(which) ?? []), option]);
    }
    return led;
  }

  /** The cards of a party's option. @param {Option} option */
  cardsOf({ answer }) {
    return answer
      ? cardsIn(BigInt(`0x${answer.once}`), BigInt(`0x${answer.twice}`), this.seats.words)
      : [];
  }

  /** The person's hand; cards that may lead, join or be kept are buttons. */
  hand() {
    const { game, seen, chosen } = this;
    const { words } = this.seats;
    const [once, twice] = ["hand_once", "hand_twice"].map((name) =>
      game.engine.get("VIEW_DTYPE", game.question, name),
    );
    const cards = sortedCards(cardsIn(once, twice, words), seen.names);
    const joined = chosen ? this.cardsOf(chosen) : [...game.named];
    const leader = chosen ? words.cards[this.target(chosen.action).which] : "";
    const led = this.leading();
    const byCard = new Map(game.options.map((option) => [this.pointedAt(option), option]));
    let leads = false;
    return cards.map((card) => {
      const place = joined.indexOf(card);
      if (place >= 0) joined.splice(place, 1);
      const isLeader = !leads && place >= 0 && card === leader;
      leads ||= isLeader;
      const mark = cardMark(
        card,
        seen.names,
        place < 0 ? "tall" : isLeader ? "tall in leads" : "tall in",
      );
      if (place >= 0) mark.append(make("em", {}, isLeader ? "leads" : "joins"));
      const option = byCard.get(card);
      if (option && (led.size || place < 0)) {
        const options = led.get(this.target(option.action).which);
        const pick = () => (options ? this.choose(options) : this.act(option));
        this.pointAt(mark, pick).setAttribute("aria-pressed", String(place >= 0));
      }
      return mark;
    });
  }

  /** Choose the party of one of these options: the largest, or one like the party that is chosen. @param {Option[]} options */
  choose(options) {
    const size = (/** @type {Option} */ option) => this.cardsOf(option).length;
    const now = this.chosen ? String(this.cardsOf(this.chosen)) : "";
    const alike = now && options.find((option) => String(this.cardsOf(option)) === now);
    const [largest] = [...options].sort((a, b) => size(b) - size(a));
    this.chosen = alike || largest || null;
    if (this.chosen && !this.chosen.answer) this.act(this.chosen);
    else this.ask();
  }

  /** Make an element a button. @param {Element} element @param {() => unknown} act */
  pointAt(element, act) {
    const button = makeButton([...element.childNodes], act, { "data-pick": true });
    element.replaceChildren(button);
    element.classList.add("point");
    return button;
  }

  /** The card of the hand on which an option has its button, if any. @param {Option} option */
  pointedAt({ action }) {
    const { kind, which } = this.target(action);
    const inHand = this.game.naming || this.game.decision === "keep";
    if (kind === "group" || kind === "alone" || (kind === "card" && inHand))
      return this.seats.words.cards[which];
    return undefined;
  }

  /** What the chosen party brings, with the other parties that it could be; or a question's answers.
      @param {[string, (Node | string)[]][]} lines */
  choice(lines) {
    const { chosen, game, seen } = this;
    const rows = lines.map(([term, said]) =>
      make("div", {}, make("dt", {}, term), make("dd", {}, ...said)),
    );
    if (!chosen?.answer) {
      const options = game.options.filter(
        (option) =>
          this.pointedAt(option) === undefined && this.target(option.action).kind !== "word",
      );
      const shown = game.decision === "turn" || game.decision.endsWith("card") ? [] : options;
      return shown.map((option) => this.button(option, this.label(option)));
    }
    const { words } = this.seats;
    const led = this.leading();
    const cards = String(this.cardsOf(chosen));
    /** @param {Option} option @param {string} label */
    const pick = (option, label) => {
      const pressed = String(option === chosen);
      return makeButton([label], () => (option.answer ? this.choose([option]) : this.act(option)), {
        "data-pick": true,
        "aria-pressed": pressed,
        class: "pill",
      });
    };
    const leaders = [...led].flatMap(([which, options]) => {
      const option = options.find((one) => String(this.cardsOf(one)) === cards);
      return option ? [pick(option, capital(cardWords(words.cards[which] ?? "")))] : [];
    });
    const own = led.get(this.target(chosen.action).which) ?? [];
    const groups = own.map((option) =>
      pick(
        option,
        option.answer
          ? partyName(this.cardsOf(option), words.cards[option.answer.leader] ?? "")
          : "one by one",
      ),
    );
    const [clan = ""] = (words.cards[chosen.answer.leader] ?? "").split(":");
    const size = this.cardsOf(chosen).length;
    const powerWords = (seen.names.powers[clan] ?? "").replace(/\bX\b/, String(size));
    return [
      make("h3", {}, `${counted(size, "card")}, led by`),
      make("div", { class: "pills", role: "group", "aria-label": "Leader" }, ...leaders),
      ...(groups.length > 1
        ? [make("div", { class: "pills", role: "group", "aria-label": "Cards" }, ...groups)]
        : []),
      make("p", { class: "power" }, make("b", {}, `${capital(spoken(clan))}: `), `${powerWords}.`),
      make("dl", {}, ...rows),
    ];
  }

  /** The buttons below the hand. */
  acts() {
    const { chosen, game } = this;
    const play = chosen?.answer
      ? [this.button(chosen, "Play this party".replace("party", this.names.words.party), "go")]
      : [];
    const words = game.options.filter(({ action }) => this.target(action).kind === "word");
    const rest = words.map((option) =>
      this.button(option, this.label(option), play.length || game.decision === "turn" ? "" : "go"),
    );
    const cost = makeButton(["My last move?"], () => this.say(this.cost()), { id: "cost" });
    /** @type {HTMLButtonElement} */ (cost).disabled = !game.lastTurn;
    return [
      ...play,
      ...rest,
      makeButton(["Advice"], () => this.say(this.hint()), { id: "hint", title: "Key: ?" }),
      cost,
    ];
  }

  /** @param {string} text */
  say(text) {
    part("advice").textContent = text;
  }

  /** A button for an option. @param {Option} option @param {string} label @param {string} [kind] */
  button(option, label, kind = "") {
    const { kind: target, which } = this.target(option.action);
    const card = target === "card" && this.game.decision !== "choose";
    const color = card ? (this.seats.words.cards[which]?.split(":")[1] ?? null) : null;
    return makeButton([label], () => this.act(option), {
      class: kind || null,
      "data-color": color,
      "data-pick": true,
    });
  }

  /** @param {Option} option */
  label({ action, answer }) {
    const { game, names } = this;
    const { no, yes, deck } = this.seats.actions;
    const { kind, which } = this.target(action);
    const count = game.named.length;
    if (action === deck) return "Draw a card";
    if (action === no) {
      if (game.decision === "keep") return count ? `Keep ${count}` : "Keep none";
      if (game.naming) return `Play the ${names.words.party} of ${count}`;
      return game.decision === "second_party" ? `No more ${names.words.parties}` : "No";
    }
    if (action === yes) return game.decision === "keep" ? "Keep all" : "Yes";
    if (kind === "card" && game.decision === "choose") return this.chosenWords(which);
    return answer ? capital(this.words(answer)) : "";
  }

  /** The label of a custom power's option, of which the page knows only the number. @param {number} which */
  chosenWords(which) {
    const { game } = this;
    const options = /** @type {bigint} */ (
      game.engine.get("VIEW_DTYPE", game.question, "offered_once")
    );
    if (options === 1n && game.asks("may_decline")) return "Yes";
    const { colors, cards } = this.seats.words;
    return colors[which]
      ? `${which} (${colors[which]}, ${shortName(which, this.seen.names) || `P${which}`})`
      : `${which} (${cardWords(cards[which] ?? "")})`;
  }

  /** The words for an answer to a question. @param {Answer} answer @param {string} [decision] @param {number} [view] its open record */
  words(answer, decision = this.game.decision, view = this.game.question) {
    const { kind, leader, choice, once, twice } = answer;
    const { kinds, words } = this.seats;
    const cards = cardsIn(BigInt(`0x${once}`), BigInt(`0x${twice}`), words);
    if (kind === kinds.deck) return "draw from the deck";
    if (kind === kinds.pool) return `take the ${cardWords(words.cards[choice] ?? "")}`;
    if (kind === kinds.party) return `play ${partyName(cards, words.cards[leader] ?? "")}`;
    if (kind === kinds.cards) return `keep ${cards.map(cardWords).join(", ") || "nothing"}`;
    if (kind === kinds.decline)
      return decision === "second_party"
        ? "no more parties"
        : decision === "keep"
          ? "keep nothing"
          : "no";
    if (REGIONS.includes(decision)) return regionWords(words.colors[choice] ?? "", this.names);
    if (decision === "token") {
      const slot = Number(this.game.engine.get("VIEW_DTYPE", view, "asking_slot"));
      return `token ${this.game.asks("rules.tie_break_tokens", slot, choice)}`;
    }
    if (decision === "bruno_leader") return spoken(words.slots[choice] ?? "");
    if (decision === "choose") return this.chosenWords(choice);
    return decision.startsWith("bruno_") && decision !== "bruno_steal"
      ? cardWords(words.cards[choice] ?? "")
      : "yes";
  }

  /** Put buttons on the cards of the pool, on Bruno's columns and on regions. */
  point() {
    const { game } = this;
    const { colors, cards } = this.seats.words;
    for (const option of game.options) {
      const { kind, which } = this.target(option.action);
      let where = "";
      if (kind === "choice" && REGIONS.includes(game.decision))
        where = `.tile[data-color="${colors[which]}"] h3`;
      else if (kind === "card" && !this.pointedAt(option) && game.decision !== "choose") {
        where = `.${game.decision === "bruno_release" ? "columns" : "pool"} [data-card="${cards[which]}"]`;
      }
      for (const place of where ? this.box.querySelectorAll(where) : [])
        this.pointAt(place, () => this.act(option));
    }
  }

  /** Take the last answer back. */
  back() {
    const { game } = this;
    if (this.chosen) this.chosen = null;
    else if (game.naming) game.startOver();
    else if (game.answers.length) {
      game.back();
      this.told = Math.min(this.told, this.agesOver());
      return this.next();
    }
    return this.ask();
  }

  /** What `learned` would answer now; for a turn, with the chance to win. */
  hint() {
    const { game } = this;
    const answer = game.expertAnswer(game.question);
    if (game.decision !== "turn") return `learned would answer: ${this.words(answer)}.`;
    const [values = []] = game.chancesAfter(game.question, [answer]);
    return `learned would ${this.words(answer)}: a chance to win of ${percent(meanOf(values)[0] ?? 0)}.`;
  }

  /** The cost of the person's last move. */
  cost() {
    const turn = this.game.lastTurn;
    if (!turn) return "";
    const { chance, other, cost, error, better } = this.game.verdict(turn.view, turn.answer);
    const own = `Your move (${this.words(turn.answer, "turn")}) left a chance to win of ${percent(chance)}`;
    if (this.game.sameAnswer(turn.answer, better))
      return `${own}; learned would have done the same.`;
    const found =
      cost > error
        ? `it cost ${percent(cost)} ± ${percent(error)}`
        : cost < -error
          ? `yours was better by ${percent(-cost)} ± ${percent(error)}`
          : `no difference beyond ± ${percent(error)}`;
    return `${own}; learned would ${this.words(better, "turn")} (${percent(other)}): ${found}.`;
  }

  /** Show the account of an age, which waits for a key. @param {number} age */
  account(age) {
    const { game, seen } = this;
    const { names } = seen;
    const account = game.account(age);
    const { event, before } = account;
    const who =
      event.third_dragon < 0
        ? ""
        : `: ${shortName(event.third_dragon, names)} drew the last dragon`;
    const more = !(game.over && age === this.agesOver());
    const first = game.turns
      .flat()
      .find((one) => one.event === "age" && one.age === age + 1)?.first_player;
    const begins =
      first === undefined
        ? []
        : [
            make(
              "p",
              { class: "soft" },
              `${shortName(first, names)} ${first === game.seat ? "begin" : "begins"} ${names.words.age} ${age + 1}.`,
            ),
          ];
    const go = makeButton(
      [more ? `Go on to ${names.words.age} ${age + 1}` : "Go on to the result"],
      () => {
        this.told = age;
        this.next();
      },
      { class: "go", "data-pick": true },
    );
    this.lay(
      `${capital(names.words.age)} ${age} is over${who}`,
      make(
        "div",
        { class: "two" },
        make("div", { class: "box" }, ageAccount(account, names)),
        make(
          "div",
          { class: "box" },
          make("h3", {}, `After ${names.words.age} ${age}`),
          standingBars(before, event.prestige, names),
          ...begins,
          go,
        ),
      ),
    );
    go.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  /** Show the end: the result, what of it was luck, the dearest moves, the standing and the chances. */
  end() {
    const { game, seen } = this;
    const { names, seat } = seen;
    const last = game.turns.flat().at(-1);
    const state = game.stateAfter(game.turns.length - 1);
    const save = make(
      "a",
      { id: "save", class: "button", download: `game-${game.deal}.jsonl` },
      "Save the game",
    );
    save.setAttribute(
      "href",
      `data:application/x-ndjson,${encodeURIComponent(`${JSON.stringify(game.trace)}\n`)}`,
    );
    const points = state.prestige[seat] ?? 0;
    const again = { seat, deal: game.deal, strategies: game.strategies };
    const copy = makeButton([`Copy a link: “I had ${points}; beat it”`], () => this.copy(points), {
      id: "challenge",
    });
    this.lay(
      resultWords(/** @type {any} */ (last), seat, names),
      make(
        "div",
        { class: "two" },
        make("div", { class: "box" }, make("h3", {}, "Was it luck?"), make("div", { id: "luck" })),
        make(
          "div",
          { class: "box" },
          make("h3", {}, "Your five dearest moves"),
          make("ol", { id: "dearest" }),
          make("div", { class: "scroll" }, finalTable(state, names)),
        ),
      ),
      make(
        "div",
        { class: "box" },
        make("h3", {}, "Chances to win"),
        make("div", { id: "course" }),
      ),
      make(
        "p",
        { class: "acts" },
        makeButton(["New deal"], () => this.seat({ ...again, deal: randomDeal() }), {
          class: "go",
          id: "new-deal",
        }),
        makeButton(["The same deal again"], () => this.seat(again), { id: "again" }),
        ...[copy, save],
        make("span", { id: "copied", role: "status" }),
      ),
    );
    /** @type {HTMLElement | null} */ (this.box.querySelector("#new-deal"))?.focus({
      preventScroll: true,
    });
    window.scrollTo(0, 0);
  }

  /** Play on from the game's moments, also while the person thinks, without holding the page up. */
  count() {
    clearTimeout(this.counting);
    const { luck } = this;
    if (!luck || this.box.hidden) return;
    const [all = 0, decisive = 0, greatest = 0] = GAMES;
    let done = luck.advance(all, SLICE) / 3;
    if (done * 3 === 1) done += luck.advance(decisive, SLICE, luck.decisive) / 3;
    if (done * 3 === 2) done += luck.advance(greatest, SLICE, luck.greatest(this.game.seat)) / 3;
    const box = document.getElementById("luck");
    if (box && done < 1)
      box.textContent = `Playing on from every moment of the game: ${Math.floor(100 * done)} %`;
    if (box && done === 1) this.tellLuck(luck);
    if (done < 1) this.counting = window.setTimeout(() => this.count(), document.hidden ? 500 : 5);
  }

  /** Tell the parts of the result. @param {Luck} luck */
  tellLuck(luck) {
    const { seat } = this.seen;
    const sum = (
      /** @type {Step["kind"]} */ kind,
      /** @type {(player: number) => boolean} */ by = () => true,
    ) => luck.sumOf(seat, (step) => step.kind === kind && by(step.player));
    const mine = (/** @type {number} */ player) => player === seat;
    const others = (/** @type {number} */ player) => !mine(player);
    const own = sum("answer", mine);
    const sums = [sum("cards"), sum("dragons"), sum("answer", others), own];
    const start = chanceAt(luck.fair, seat);
    const tenths = inTenths([start, ...sums.map(({ value }) => value)]);
    const [fair = 0, cards = 0, dragons = 0, theirs = 0, moves = 0] = tenths;
    const result = tenths.reduce((total, value) => total + value, 0);
    const [won, chance] = [result > fair, cards + dragons];
    const points = (/** @type {number} */ value) => signed(100 * value, 1);
    const dear = luck.dearest(seat);
    const cost = dear.reduce((total, step) => total + luck.change(step, seat), 0);
    const draws = `your draws ${points(sum("cards", mine).value)}, all others ${points(sum("cards", others).value)}`;
    const rows = [
      { label: this.seats.words.solo ? "A usual deal" : "A fair share", note: "", value: fair },
      { label: "Cards", note: draws, value: cards },
      { label: "Dragons", note: "", value: dragons },
      { label: "Rivals’ moves", note: "", value: theirs },
      { label: "Your moves", note: `the ${dear.length} dearest: ${points(cost)}`, value: moves },
      { label: won ? "You won" : "You lost", note: "", value: Math.abs(result) },
    ];
    const said = `Cards and dragons ${chance < 0 ? "cost" : "gave"} you ${Math.abs(chance).toFixed(1)} of 100, your moves ${moves < 0 ? "cost" : "gave"} ${Math.abs(moves).toFixed(1)}.`;
    const lucky = won ? chance > theirs + moves : chance < theirs + moves;
    const [luckiest] = luck.draws(seat);
    const most = Math.max(...sums.map(({ error }) => error));
    part("luck").replaceChildren(
      make("p", {}, make("strong", {}, lucky ? "Yes, mostly. " : "No, mostly the moves. "), said),
      waterfall(rows),
      make(
        "p",
        { class: "soft" },
        `Points of the chance to win, of 100, each ± ${(100 * most).toFixed(0)} at most; they add up. A move is compared with that of learned. `,
        ...(luckiest ? ["Luckiest: ", this.link(luckiest), "."] : []),
      ),
    );
    const listed = dear.map((step) => make("li", {}, this.link(step)));
    const none = make("li", {}, "None cost anything.");
    part("dearest").replaceChildren(...(listed.length ? listed : [none]));
    this.drawCourse(luck);
  }

  /** Draw the chances to win at the game's moments. @param {Luck} luck */
  drawCourse(luck) {
    const { names } = this.seen;
    const sure = { error: 0, cost: 0, cost_error: 0, best: "", best_chance: 0 };
    const chances = luck.steps.flatMap(({ to }, i) =>
      names.players.map((_, player) => ({
        step: i + 1,
        turn: i,
        player,
        chance: chanceAt(to, player),
        ...sure,
      })),
    );
    const ages = luck.steps.flatMap(({ age }, i) =>
      age > 0 && age !== luck.steps[i - 1]?.age
        ? [{ step: i + 1, label: `${capital(names.words.age)} ${age}` }]
        : [],
    );
    const box = part("course");
    const { svg } = drawCurve(
      chances,
      names.players,
      ages,
      luck.steps.length,
      Math.max(280, box.clientWidth),
    );
    box.replaceChildren(
      svg,
      make(
        "p",
        { class: "legend" },
        ...names.players.flatMap((_, player) => [person(player, names), " "]),
      ),
    );
  }

  /** A link to the position at which a step happened. @param {Step} step */
  link(step) {
    const change = this.luck?.change(step, this.game.seat) ?? 0;
    const label = [make("b", {}, signed(100 * change, 1)), ` ${this.eventWords(step)}`];
    return makeButton(label, () => this.review(step), { class: "link" });
  }

  /** Where and what a step was. @param {Step} step */
  eventWords({ kind, player, place, age: then }) {
    const { names } = this.seen;
    const { age = 1, turn = 0, answer, decision = "", view = 0 } = this.game.questions[place] ?? {};
    if (player < 0) return then ? `the deal of ${names.words.age} ${then}` : "the end";
    const what =
      kind === "answer" && answer
        ? this.words(answer, decision, view)
        : kind === "dragons"
          ? "the dragons"
          : this.drawnWords(turn, player);
    return `${capital(names.words.age)} ${age}, turn ${turn}: ${shortName(player, names)} ${what}`;
  }

  /** The cards that a player drew in a turn. @param {number} turn @param {number} player */
  drawnWords(turn, player) {
    const drawn = (this.game.turns[turn] ?? []).flatMap((event) => [
      ...(event.event === "recruit" && event.source === "deck" && event.card ? [event.card] : []),
      ...(event.event === "party" ? event.drawn : []),
    ]);
    const does = player === this.game.seat ? "draw" : "draws";
    return drawn.length ? `${does} ${drawn.map(cardWords).join(", ")}` : "turns cards to the pool";
  }

  /** Show the position of a step, with what was done and what `learned` would have done. @param {Step} step */
  review(step) {
    const { game, seen, luck } = this;
    const question = game.questions[step.place];
    if (!question || !luck) return;
    const { decision, answer, view, player } = question;
    const state = game.stateAt(question);
    const better = game.expertAnswer(view);
    const told =
      step.kind === "answer"
        ? `${shortName(player, seen.names)}: ${this.words(answer, decision, view)}. learned would: ${this.words(better, decision, view)}.`
        : `${this.eventWords(step)}.`;
    const back = makeButton(["Back to the result"], () => this.end(), {
      class: "go",
      "data-pick": true,
    });
    const hand = sortedCards(state.hands[player] ?? [], seen.names).map((card) =>
      cardMark(card, seen.names, "tall"),
    );
    this.lay(
      `${this.eventWords(step)}: ${signed(100 * luck.change(step, game.seat), 1)}`,
      make(
        "div",
        { class: "seat-table reviewed" },
        ...[regionTiles(state, seen), poolTile(state, seen, ""), rivalsTile(state, seen)],
        make(
          "section",
          { class: "dock" },
          make(
            "div",
            { class: "hand" },
            make("h3", {}, "Hand of ", person(player, seen.names)),
            make("ul", { class: "cards" }, ...hand),
          ),
          make("div", { id: "choice" }, make("p", {}, told)),
          make("div", { class: "acts" }, back),
        ),
      ),
    );
    back.focus({ preventScroll: true });
  }

  /** Copy a link that seats somebody else at this deal. @param {number} points */
  async copy(points) {
    const { deal, seat, strategies } = this.game;
    const said = new URLSearchParams(
      writeKept(location.hash, { deal, chair: seat, rivals: strategies, answers: [] }).slice(1),
    );
    said.set("beat", String(points));
    const address = `${location.href.split("#")[0]}#${said}`;
    try {
      await navigator.clipboard.writeText(address);
      part("copied").textContent = "Copied.";
    } catch {
      part("copied").replaceChildren(
        make("a", { href: address }, "The browser copies nothing; this is the link."),
      );
    }
  }

  /** Handle the keys of a person at the table: arrows move between choices, ? asks for advice, and z
      takes an answer back.
      @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (this.box.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(SELECT|INPUT)$/.test(target.tagName) || target.closest("[popover]")) return;
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const step = steps[/** @type {"ArrowLeft"} */ (event.key)];
    if (step) {
      const all = /** @type {HTMLButtonElement[]} */ ([...this.box.querySelectorAll("button")]);
      const buttons = all.filter((button) => !button.disabled && button.checkVisibility());
      const place = buttons.indexOf(/** @type {HTMLButtonElement} */ (target));
      buttons[(place + step + buttons.length) % buttons.length]?.focus();
    } else if (event.key === "?" && document.getElementById("hint")) this.say(this.hint());
    else if (event.key === "z" && !this.game.over) this.back();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** The number of a random deal. */
const randomDeal = () => Math.floor(Math.random() * MOST_DEALS);
