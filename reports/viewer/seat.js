/* The seat of a person: the form to sit down, the table at a question, and the account of an age. */

import { focusOn, make, makeButton, part } from "../rendering/templates/elements.js";
import { ageAccount } from "./account.js";
import { readKept, readTurn, writeKept, writeWords } from "./address.js";
import { Asking, answerWords } from "./asking.js";
import { holding, logLines, person, playersTile, poolTile, regionTiles } from "./board.js";
import { showEnd, tellLuck } from "./ended.js";
import { glance, outlook } from "./outlook.js";
import { Sitting } from "./sitting.js";
import { freeKey, Watching } from "./watching.js";
import { counted, overWords } from "./words.js";

/** @import { Engine } from "../live/engine.js" */
/** @import { Seen } from "./board.js" */
/** @import { Answer, Option, Seats } from "./sitting.js" */
/** @import { State } from "./seen.js" */
/** @typedef {{seat: number, deal: number, strategies: string[]}} Chosen a person's seat, and who plays at which deal */

const RIVALS = ["Mara", "Otto", "Ines", "Juri", "Lena"];

/** The strategies of rivals, and the levels at which they play. @type {Record<string, string>} */
const LEVELS = { greedy: "beginner", warden: "patient", champion: "good", learned: "strong" };
/** The strategies of rivals that nobody chose, in their order. */
const USUAL_RIVALS = ["learned", "warden", "champion", "greedy", "learned"];

/** The highest number of a deal. */
const MOST_DEALS = 1_000_000_000;

/** The seat of a person at a page's table. */
export class Chair {
  /**
   * @param {Engine} engine
   * @param {{seats: Seats, names: import("./words.js").Names}} page the table and the names
   * @param {import("./sitting.js").Given[] | null} given all answers of the page's own game
   */
  constructor(engine, { seats, names }, given) {
    this.engine = engine;
    this.seats = seats;
    this.names = names;
    /** The page's own game. */
    this.own =
      given &&
      new Watching(new Sitting(engine, seats, { ...seats, seat: -1 }, [], given), {
        ...{ names, seat: null, rules: seats.head.rules },
      });
    /** The game that is watched now. @type {Watching | null} */
    this.watching = null;
    this.mark = engine.top;
    this.fields = engine.live.rules[seats.key]?.fields ?? [];
    this.known = Object.keys(engine.live.entries[seats.key]?.[seats.head.players] ?? {});
    /** @type {Sitting | null} */
    this.sitting = null;
    /** The option of the party that is chosen, but not played yet. @type {Option | null} */
    this.chosen = null;
    /** The ages whose account was shown. */
    this.told = 0;
    /** The points to beat, if a link seats the person. */
    this.points = 0;
    this.box = part("seated");
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Go on with the game that the address keeps, or show the form. */
  open() {
    const { hash } = location;
    const kept = readKept(hash);
    if (!kept) return this.leave();
    this.resume(kept);
    const { watching } = this;
    return watching?.go(readTurn(hash, watching.last, watching.last));
  }

  /** Show the form: the seat, and the rivals with their levels. */
  form() {
    const { strategies, deal, head } = this.seats;
    const { own, sitting } = this;
    /** @param {string} name @param {Record<string, string>} about @param {Element[]} options */
    const select = (name, about, options) =>
      make("label", {}, `${name} `, make("select", about, ...options));
    const chairs = strategies.map((name, seat) =>
      make("option", { value: seat }, `P${seat}, in place of ${name}`),
    );
    const alike = own !== null && strategies.every((name) => this.known.includes(name));
    const rivals = RIVALS.slice(0, head.players - 1).map((name, place) => {
      const options = Object.entries(LEVELS).map(([strategy, level]) => {
        const selected = !alike && strategy === USUAL_RIVALS[place];
        return make("option", { value: strategy, selected }, level);
      });
      const same = alike ? [make("option", { value: "" }, "as in this game")] : [];
      return select(name, { class: "level" }, [...same, ...options]);
    });
    const begun = sitting && !sitting.over && sitting.answers.length;
    const on = () => {
      sitting?.replay();
      this.next();
    };
    part("sit").replaceChildren(
      ...(own ? [make("b", {}, "Play yourself:")] : []),
      ...(own && head.players > 1 ? [select("Your seat", { id: "chair" }, chairs)] : []),
      ...rivals,
      ...(begun
        ? [makeButton([`Go on with deal ${sitting.deal}`], on, { id: "go-on", class: "go" })]
        : []),
      makeButton(["Sit down"], () => this.sit(own ? deal : randomDeal()), {
        ...{ id: "sit-down", class: "go" },
      }),
      ...(own ? [makeButton(["Another deal"], () => this.sit(randomDeal()))] : []),
    );
    this.show(false);
    if (sitting || !own) focusOn(document, "#sit .go");
  }

  /** Show the seat in place of the form and of a game to be watched, or the form. @param {boolean} on */
  show(on) {
    this.watching?.end();
    this.watching = null;
    document.body.classList.toggle("sitting", on);
    part("sit").hidden = on;
    this.box.hidden = !on;
  }

  /** Get up: offer to sit down again, and show the page's own game. */
  leave() {
    this.form();
    if (this.sitting) history.replaceState(null, "", this.address(this.game.answers));
    this.watching = this.own;
    this.own?.begin();
  }

  /** Go on with a game that the address keeps, or with its beginning if its answers do not fit.
      @param {import("./address.js").Kept} kept */
  resume({ deal, seat: chair, strategies: kept, answers, beat = 0 }) {
    this.points = beat;
    const strategies = this.seats.strategies.map(
      (name, seat) => [kept[seat] ?? "", name].find((one) => this.known.includes(one)) ?? "learned",
    );
    const seat = chair < strategies.length ? chair : 0;
    const chosen = { seat, deal: Math.min(deal, MOST_DEALS), strategies };
    try {
      this.seat(chosen, answers);
    } catch {
      this.seat(chosen);
    }
  }

  /** Sit down as the form says. @param {number} deal */
  sit(deal) {
    const form = part("sit");
    const chair = /** @type {HTMLSelectElement | null} */ (form.querySelector("#chair"));
    const fields = /** @type {NodeListOf<HTMLSelectElement>} */ (form.querySelectorAll(".level"));
    const levels = [...fields].map((field) => field.value);
    const seat = Number(chair?.value ?? 0);
    const strategies = this.seats.strategies.map((name, side) =>
      side === seat ? name : levels[side - Number(side > seat)] || name,
    );
    return this.seat({ seat, deal, strategies });
  }

  /** Seat the person, with some answers given. @param {Chosen} chosen @param {Answer[]} [answers] */
  seat(chosen, answers = []) {
    this.engine.release(this.mark);
    this.sitting = new Sitting(this.engine, this.seats, chosen, answers);
    this.told = this.agesOver;
    this.next();
  }

  /** Play with the same seat and rivals: the same deal, or a new one. @param {boolean} fresh */
  again(fresh) {
    const { seat, deal, strategies } = this.game;
    return this.seat({ seat, deal: fresh ? randomDeal() : deal, strategies });
  }

  get game() {
    if (!this.sitting) throw new Error("nobody sits");
    return this.sitting;
  }

  /** How many ages are over. */
  get agesOver() {
    return this.game.turns.flat().filter((event) => event.event === "age_end").length;
  }

  /** The table as this person sees it. @returns {Seen} */
  get seen() {
    const { game, seats } = this;
    const rivals = [...RIVALS];
    const players = this.names.players.map((name, side) => {
      if (side === game.seat) return "You";
      const strategy = game.strategies[side];
      return strategy === undefined ? name : `${rivals.shift()} ${LEVELS[strategy] ?? strategy}`;
    });
    return { names: { ...this.names, players }, seat: game.seat, rules: seats.head.rules };
  }

  /** What the address keeps of the game. @param {Answer[]} answers */
  address(answers) {
    const { deal, seat, strategies } = this.game;
    return writeKept(location.hash, { deal, seat, strategies, answers });
  }

  /** The address that seats somebody else at this deal. @param {number} points to beat */
  challenge(points) {
    return location.href.split("#")[0] + writeWords(this.address([]), { beat: points });
  }

  /** Show the game after an answer: an age's account, the end, or the next question. */
  next() {
    history.replaceState(null, "", this.address(this.game.answers));
    this.show(true);
    this.chosen = null;
    if (this.told < this.agesOver) return this.account(this.told + 1);
    this.told = this.agesOver;
    if (this.game.over) return this.end();
    return this.ask();
  }

  /** Show the result and the whole game, and judge it. */
  end() {
    const { game, seen } = this;
    const watching = new Watching(game, seen);
    showEnd(this);
    this.watching = watching;
    watching.begin(() => tellLuck(watching.luck));
  }

  /** Fill the seat: a bar with what is always there, and the rest. @param {string} title @param {...(Node | string)} content */
  lay(title, ...content) {
    const { game, seen } = this;
    const beat = this.points ? `, beat ${this.points}` : "";
    const about = { id: "take-back", title: "Key: z", disabled: !game.answers.length };
    this.box.replaceChildren(
      make(
        "div",
        { class: "bar" },
        make("h2", { id: "asked" }, title),
        make("span", { class: "soft" }, `deal ${game.deal}${beat}`),
        make("button", { type: "button", popovertarget: "rules" }, "Rules"),
        makeButton(["Take back"], () => this.back(), about),
        makeButton(["Get up"], () => this.leave(), { id: "leave" }),
      ),
      ...content,
      glance(seen.names, this.seats, this.fields),
    );
  }

  /** Ask the open question: the board, and below it the hand and what can be chosen. */
  ask() {
    const { game, seen, chosen } = this;
    const asking = new Asking(this, seen.names);
    const state = game.stateAfter(game.turns.length - 1);
    const told = chosen?.answer && outlook(game, chosen.answer, seen, state);
    const hint = this.game.now.decision === "turn" ? "take one" : "";
    this.lay(
      asking.question,
      make(
        "div",
        { class: "seat-table" },
        regionTiles(state, { ...seen, marked: told?.marked }),
        poolTile(state, seen, hint),
        playersTile(state, seen),
        this.log(),
        this.dock(asking, state, told?.lines ?? []),
      ),
    );
    asking.point(this.box);
    const first = chosen ? ".go" : "#hand button, #choice button, .acts button";
    focusOn(this.box, first, { preventScroll: true });
  }

  /** The person's hand, with what can be chosen. @param {Asking} asking @param {State} state @param {import("./outlook.js").Line[]} lines on the chosen party */
  dock(asking, state, lines) {
    const { game, seen } = this;
    const held = state.hands[game.seat] ?? [];
    const points = counted(state.prestige[game.seat] ?? 0, "point");
    const cards = counted(held.length, "card");
    const about = `${points}, ${cards}. ${holding(state, game.seat, seen)}`;
    const hand = { id: "hand", class: "cards", "aria-label": "Your hand" };
    return make(
      "section",
      { class: "dock", "aria-labelledby": "asked" },
      make(
        "div",
        { class: "hand" },
        make("h3", {}, person(game.seat, seen.names), " ", make("span", {}, about)),
        make("ul", hand, ...asking.hand(held)),
      ),
      make("div", { id: "choice" }, ...asking.choice(lines)),
      make(
        "div",
        { class: "acts" },
        ...asking.acts(),
        makeButton(["Advice"], () => this.hint(), { id: "hint", title: "Key: ?" }),
        make("p", { id: "advice", "aria-live": "polite" }),
      ),
    );
  }

  /** What happened since the person's last turn, and everything before it on demand. */
  log() {
    const { game, seen } = this;
    const { turns, seat } = game;
    const own = turns.findLastIndex(
      (events, turn) => turn < turns.length - 1 && events?.[0]?.player === seat,
    );
    const begin = Math.max(0, own);
    const earlier = make("details", {}, make("summary", {}, "Earlier"));
    earlier.addEventListener("toggle", () => {
      if (earlier.childElementCount === 1)
        earlier.append(make("ol", {}, ...logLines(game, seen, 0, begin)));
    });
    const recent = make("ol", {}, ...logLines(game, seen, begin, turns.length));
    const roll = { class: "roll", role: "log", tabindex: 0, "aria-label": "What happened" };
    return make(
      "section",
      { class: "box log" },
      make("h2", {}, "Since your last turn"),
      make("div", roll, ...(own > 0 ? [earlier] : []), recent),
    );
  }

  /** Carry out an option. @param {Option} option */
  act(option) {
    this.game.act(option);
    this.next();
  }

  /** Show what a party brings, or let its cards be named one by one. @param {Option} option */
  choose(option) {
    if (!option.answer) return this.act(option);
    this.chosen = option;
    this.ask();
  }

  /** Take the last answer back. */
  back() {
    const { game } = this;
    if (game.naming) game.startOver();
    else if (!this.chosen && game.answers.length) {
      game.back();
      this.told = Math.min(this.told, this.agesOver);
    }
    this.next();
  }

  /** Say what `learned` would do now. */
  hint() {
    const { game } = this;
    const answer = game.expertAnswer(game.now.view);
    part("advice").textContent = `learned would ${answerWords(game, answer, this.seen.names)}.`;
  }

  /** Show the account of an age, which waits for a key. @param {number} age */
  account(age) {
    const { game } = this;
    const { names } = this.seen;
    const account = game.account(age);
    const more = !(game.over && age === this.agesOver);
    const go = makeButton(
      [more ? `Go on to ${names.words.age} ${age + 1}` : "Go on to the result"],
      () => {
        this.told = age;
        this.next();
      },
      { class: "go", "data-pick": true },
    );
    this.lay(
      overWords(account.event, names),
      make("div", { class: "box" }, ageAccount(account, names)),
      make("p", { class: "bar" }, go),
    );
    go.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  /** Handle the keys of a person at the table: arrows move between choices, ? asks for advice, and z
      takes an answer back.
      @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (this.box.hidden || this.watching || target.closest("[popover]")) return;
    const key = freeKey(event);
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    if (step) {
      const all = /** @type {HTMLButtonElement[]} */ ([...this.box.querySelectorAll("button")]);
      const buttons = all.filter((button) => !button.disabled && button.checkVisibility());
      const place = buttons.indexOf(/** @type {HTMLButtonElement} */ (target));
      buttons[(place + step + buttons.length) % buttons.length]?.focus();
    } else if (key === "?" && document.getElementById("hint")) this.hint();
    else if (key === "z") this.back();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** The number of a random deal. */
const randomDeal = () => Math.floor(Math.random() * MOST_DEALS);
