/* The panel of a person at the table: it asks questions, takes answers, and gives advice. */

import { openEngine } from "../live/engine.js";
import { make, makeButton, part } from "../rendering/templates/elements.js";
import { readKept, writeKept } from "./address.js";
import { percent } from "./chances.js";
import { cardsIn } from "./seen.js";
import { meanOf, Sitting, sameAnswer } from "./sitting.js";
import { capital, cardMark, sortedCards, spoken } from "./table.js";
import { cardWords, eventWords, partyWords, regionWords } from "./words.js";

/** @typedef {import("./sitting.js").Answer} Answer */
/** @typedef {import("./sitting.js").Option} Option */
/** @typedef {import("./table.js").Names} Names */

/** The question of each decision. `{limit}` is a number of cards, `{clan}` the clan whose power asks. */
const QUESTIONS = /** @type {Record<string, string>} */ ({
  turn: "Your turn: take a card, draw, or lead a {party} from your hand.",
  second_party: "Another {party}? Point at the card that leads it.",
  naming: "Point at the cards that join the {party}.",
  region: "Where does your marker go?",
  sea_region: "An extra marker: where does it go?",
  token: "Which tie-break token do you take?",
  settle: "Put a marker on your settlement board?",
  keep: "Point at the cards that you keep: {limit} at most.",
  draw: "Draw {limit}?",
  empty_board: "Empty your settlement board, with {limit} on it?",
  ten_wild: "Show your wild cards and win at once?",
  bruno_card: "Which card does Bruno get?",
  bruno_leader: "Who leads Bruno's {party}?",
  bruno_region: "Where does Bruno's marker go?",
  bruno_release: "Which card leaves Bruno's columns?",
  bruno_steal: "Take that card into your hand?",
  use_power: "Use the leader's power?",
  choose: "{clan}: what do you choose?",
});

/** The highest number of a deal. */
const MOST_DEALS = 1_000_000_000;

const REGIONS = ["region", "sea_region", "bruno_region"];

/** The panel. `film` makes the person's game into a film, which the page shows in place of its own. */
export class Chair {
  /**
   * @param {any} live the engine's data
   * @param {import("./sitting.js").Seats} seats
   * @param {Names} names of the page's game
   * @param {(film: import("./viewer.js").Film | null) => void} show shows a film; null for the page's own game
   */
  constructor(live, seats, names, show) {
    this.seats = seats;
    this.names = names;
    this.show = show;
    this.opening = openEngine(live);
    /** @type {Sitting | null} */
    this.sitting = null;
    /** @type {number | null} */
    this.leader = null;
    this.mark = 0;
    this.fillForm();
    const actions = /** @type {Record<string, () => unknown>} */ ({
      ...{ "sit-down": () => this.sit(), again: () => this.sit(), leave: () => this.leave() },
      ...{ "new-deal": () => this.sitAnew(), "go-on": () => this.next() },
      ...{ "take-back": () => this.back(), hint: () => this.hint(), cost: () => this.cost() },
    });
    for (const [id, act] of Object.entries(actions)) part(id).addEventListener("click", act);
    document.addEventListener("keydown", (event) => this.key(event));
    this.kept = readKept(location.hash);
    if (this.kept) this.resume(this.kept);
  }

  /** Fill the form with the seats and rivals to choose from. */
  fillForm() {
    const { strategies, deal } = this.seats;
    for (const [seat, name] of strategies.entries()) {
      part("chair").append(make("option", { value: seat }, `P${seat}, in place of ${name}`));
    }
    const others = [...new Set(strategies)].filter((name) => name !== "learned");
    part("rivals").append(
      make("option", { value: "" }, "the players of this game"),
      ...(others.length ? [make("option", { value: "learned" }, "learned")] : []),
    );
    this.field("deal").value = String(deal);
    part("sit").hidden = false;
  }

  /** Sit down at a random deal. */
  sitAnew() {
    this.field("deal").value = String(Math.floor(Math.random() * MOST_DEALS));
    return this.sit();
  }

  /** Go on with a game that the address keeps, or with its beginning if its answers do not fit.
      @param {import("./address.js").Kept} kept */
  async resume({ deal, chair, rivals, answers }) {
    const { players } = this.seats.head;
    const known = this.seats.strategies.map((name, seat) => rivals[seat] || name);
    this.field("deal").value = String(Math.min(deal, MOST_DEALS));
    this.field("chair").value = String(chair < players ? chair : 0);
    try {
      await this.seated(known, answers);
    } catch {
      await this.sit();
    }
  }

  /** @param {string} id */
  field(id) {
    return /** @type {HTMLInputElement} */ (part(id));
  }

  /** Begin the chosen deal. */
  sit() {
    const rivals = this.field("rivals").value;
    return this.seated(this.seats.strategies.map((name) => rivals || name));
  }

  /** Seat the person with some answers given. @param {string[]} strategies by seat @param {Answer[]} [answers] */
  async seated(strategies, answers = []) {
    const engine = await this.opening;
    if (this.mark) engine.release(this.mark);
    this.mark = engine.mark();
    const deal = this.field("deal");
    deal.value = String(Math.min(MOST_DEALS, Math.max(0, Math.floor(Number(deal.value) || 0))));
    const chosen = { seat: Number(this.field("chair").value), deal: Number(deal.value) };
    this.sitting = new Sitting(engine, this.seats, { ...chosen, strategies }, answers);
    this.next();
  }

  /** Leave the table; the page shows its own game again. */
  leave() {
    document.body.classList.remove("sitting");
    part("turn").hidden = true;
    part("sit").hidden = false;
    part("go-on").hidden = this.game.over || this.game.answers.length === 0;
    this.show(null);
    part(part("go-on").hidden ? "sit-down" : "go-on").focus();
  }

  get game() {
    if (!this.sitting) throw new Error("nobody sits");
    return this.sitting;
  }

  /** Show the game after an answer, and ask the next question. */
  next() {
    this.leader = null;
    part("advice").textContent = "";
    part("turn").hidden = false;
    part("sit").hidden = true;
    document.body.classList.toggle("sitting", !this.game.over);
    const { deal, seat, strategies, answers } = this.game;
    const kept = { deal, chair: seat, rivals: strategies, answers };
    history.replaceState(null, "", writeKept(location.hash, kept));
    this.show(this.film());
    if (this.game.over) window.scrollTo(0, 0);
    this.ask();
  }

  /** The game as a film with one step per turn. */
  film() {
    const { game, seats } = this;
    const { turns, seat, over } = game;
    const players = this.names.players.map((name, side) => {
      const who = name.split(" ")[0];
      if (side === seat) return `${who} you`;
      return side < seats.words.players ? `${who} ${game.strategies[side]?.split(":")[0]}` : name;
    });
    const names = { ...this.names, players };
    const sentences = (/** @type {number} */ turn) =>
      (turns[turn] ?? []).map((event) => eventWords(event, names, over ? null : seat));
    const actor = (/** @type {number} */ turn) => turns[turn]?.[0]?.player ?? null;
    const own = turns.findLastIndex((_, turn) => turn && actor(turn) === seat);
    return {
      names,
      tokens: game.trace.prestige_tokens,
      steps: turns.length,
      locked: over ? null : seat,
      chances: [],
      turns: [...turns.keys()],
      ages: turns.flatMap((events, turn) =>
        events
          .filter((event) => event.event === "age")
          .map((event) => ({ step: turn + 1, label: `${capital(names.words.age)} ${event.age}` })),
      ),
      state: (/** @type {number} */ step) => game.stateAfter(step - 1),
      text: (/** @type {number} */ step) => {
        const first = step === turns.length ? Math.max(0, own) : step - 1;
        return [...turns.keys()].slice(first, step).flatMap(sentences).join("\n");
      },
      actor: (/** @type {number} */ step) =>
        step === turns.length && !over ? seat : actor(step - 1),
    };
  }

  /** Ask the open question. */
  ask() {
    const { game } = this;
    const asked = game.naming && game.decision !== "keep" ? "naming" : game.decision;
    const clan = game.seats.words.slots[game.asks("asking_slot")] ?? "";
    part("question").textContent = game.over
      ? "The game is over."
      : (QUESTIONS[asked] ?? asked)
          .replace("{party}", this.names.words.party)
          .replace("{limit}", `${game.asks("limit")} card${game.asks("limit") === 1 ? "" : "s"}`)
          .replace("{clan}", capital(spoken(clan)));
    part("hand").replaceChildren(...(game.over ? [] : this.hand()));
    part("choices").replaceChildren(...this.buttons(), ...this.parties());
    this.point();
    for (const id of ["take-back", "cost"]) {
      /** @type {HTMLButtonElement} */ (part(id)).disabled = game.answers.length === 0;
    }
    for (const id of ["again", "new-deal", "save"]) part(id).hidden = !game.over;
    for (const id of ["hint", "hint-key"]) part(id).hidden = game.over;
    if (game.over) this.save();
    const first = /** @type {HTMLElement | null} */ (part("turn").querySelector("button"));
    first?.focus({ preventScroll: true });
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
    if (this.game.act(action)) this.next();
    else this.ask();
  }

  /** The person's hand, with buttons on cards that may lead a party or be named. */
  hand() {
    const { game, names } = this;
    const { words } = this.seats;
    const [once, twice] = ["hand_once", "hand_twice"].map((name) =>
      game.engine.get("VIEW_DTYPE", game.question, name),
    );
    const named = [...game.named];
    const byCard = new Map(game.options.map((option) => [this.pointedAt(option), option]));
    return sortedCards(cardsIn(once, twice, words), names).map((card) => {
      const taken = named.indexOf(card);
      if (taken >= 0) named.splice(taken, 1);
      const option = byCard.get(card);
      const leads = option && this.target(option.action).kind !== "card";
      const chosen =
        taken >= 0 || (leads && this.leader !== null && words.cards[this.leader] === card);
      const mark = cardMark(card, names, chosen ? "chosen" : "");
      if (!option || taken >= 0) return mark;
      const act = () => {
        if (!leads) return this.act(option);
        this.leader = this.target(option.action).which;
        this.ask();
        /** @type {HTMLElement | null} */ (part("choices").querySelector(".party"))?.focus();
      };
      this.pointAt(mark, act).setAttribute("aria-pressed", String(Boolean(chosen)));
      return mark;
    });
  }

  /** Make an element a button. @param {Element} element @param {() => unknown} act */
  pointAt(element, act) {
    const button = makeButton([...element.childNodes], act);
    element.replaceChildren(button);
    element.classList.add("point");
    return button;
  }

  /** The card of the hand on which an option has its button, if any. @param {Option} option */
  pointedAt({ action }) {
    const { kind, which } = this.target(action);
    const inHand = this.game.naming || this.game.decision === "keep";
    if (kind === "group" || kind === "alone" || (kind === "card" && inHand)) {
      return this.seats.words.cards[which];
    }
    return undefined;
  }

  /** A button for an option. @param {Option} option @param {string} label @param {string} [kind] */
  button(option, label, kind = "") {
    const { kind: target, which } = this.target(option.action);
    const card = target === "card" && this.game.decision !== "choose";
    const color = card ? (this.seats.words.cards[which]?.split(":")[1] ?? null) : null;
    const about = { class: kind || null, "data-color": color };
    return makeButton([label], () => this.act(option), about);
  }

  /** The buttons of all options that have no button in the hand. */
  buttons() {
    return this.game.options
      .filter((option) => this.pointedAt(option) === undefined)
      .map((option) => this.button(option, this.label(option)));
  }

  /** The buttons of the parties that the chosen card leads, each with the place of its marker. */
  parties() {
    const { game, names, leader } = this;
    if (leader === null) return [];
    return game.options
      .filter(({ action }) => ["group", "alone"].includes(this.target(action).kind))
      .filter(({ action }) => this.target(action).which === leader)
      .map((option) => {
        const { answer } = option;
        if (!answer) return this.button(option, "Choose its cards one by one", "party");
        const words = capital(this.words(answer));
        const event = game.tried(answer);
        const region = event?.region ? `in ${regionWords(event.region, names)}` : "";
        const where = event?.asks === "region" ? "where you choose" : region;
        return this.button(
          option,
          `${words}: ${where ? `a marker ${where}` : "no marker"}`,
          "party",
        );
      });
  }

  /** @param {Option} option */
  label({ action, answer }) {
    const { game, names } = this;
    const { no, yes } = this.seats.actions;
    const { kind, which } = this.target(action);
    const count = game.named.length;
    if (action === no) {
      if (game.decision === "keep") return count ? `Keep ${count}` : "Keep none";
      if (game.naming) return `Play the ${names.words.party} of ${count}`;
      return game.decision === "second_party" ? `No more ${names.words.parties}` : "No";
    }
    if (action === yes) return game.decision === "keep" ? "Keep all" : "Yes";
    if (kind === "card" && game.decision === "choose") return this.chosen(which);
    return answer ? capital(this.words(answer)) : "";
  }

  /** The label of a custom power's option, of which the page knows only the number. @param {number} which */
  chosen(which) {
    const { game } = this;
    const options = /** @type {bigint} */ (
      game.engine.get("VIEW_DTYPE", game.question, "offered_once")
    );
    if (options === 1n && game.asks("may_decline")) return "Yes";
    const { colors, cards } = this.seats.words;
    return colors[which]
      ? `${which} (${colors[which]}, P${which})`
      : `${which} (${cardWords(cards[which] ?? "")})`;
  }

  /** The words for an answer to the open question. @param {Answer} answer */
  words(answer, decision = this.game.decision) {
    const { kind, leader, choice, once, twice } = answer;
    const { kinds, words } = this.seats;
    const cards = cardsIn(BigInt(`0x${once}`), BigInt(`0x${twice}`), words);
    if (kind === kinds.deck) return "draw from the deck";
    if (kind === kinds.pool) return `take ${cardWords(words.cards[choice] ?? "")}`;
    if (kind === kinds.party) return partyWords(cards, words.cards[leader] ?? "", this.names);
    if (kind === kinds.cards) return `keep ${cards.map(cardWords).join(", ") || "nothing"}`;
    if (kind === kinds.decline) return "no";
    if (REGIONS.includes(decision)) return regionWords(words.colors[choice] ?? "", this.names);
    if (decision === "token") {
      return `token ${this.game.asks("rules.tie_break_tokens", this.game.asks("asking_slot"), choice)}`;
    }
    if (decision === "bruno_leader") return spoken(words.slots[choice] ?? "");
    if (decision === "choose") return this.chosen(choice);
    return decision.startsWith("bruno_") && decision !== "bruno_steal"
      ? cardWords(words.cards[choice] ?? "")
      : "yes";
  }

  /** Put buttons on the cards of the pool, on Bruno's columns and on regions. */
  point() {
    const { game } = this;
    for (const before of document.querySelectorAll("#table .point")) {
      before.replaceChildren(...(before.firstElementChild?.childNodes ?? []));
      before.classList.remove("point");
    }
    const { colors, cards } = this.seats.words;
    for (const option of game.options) {
      const { kind, which } = this.target(option.action);
      let where = "";
      if (kind === "choice" && REGIONS.includes(game.decision)) {
        where = `.region[data-color="${colors[which]}"] h3`;
      } else if (kind === "card" && !this.pointedAt(option) && game.decision !== "choose") {
        const place = game.decision === "bruno_release" ? ".columns" : ".pool";
        where = `${place} [data-card="${cards[which]}"]`;
      }
      for (const place of where ? document.querySelectorAll(where) : []) {
        this.pointAt(place, () => this.act(option));
      }
    }
  }

  /** Take the last answer back. */
  back() {
    if (this.game.naming) {
      this.game.startOver();
      this.ask();
    } else if (this.game.answers.length > 0) {
      this.game.back();
      this.next();
    }
  }

  /** Show what `learned` would answer now; for a turn, with the chance to win. */
  hint() {
    const { game } = this;
    const answer = game.expertAnswer(game.question);
    let chance = "";
    if (game.decision === "turn") {
      const [values = []] = game.chancesAfter(game.question, [answer]);
      const [mean = 0] = meanOf(values);
      chance = `: a chance to win of ${percent(mean)}`;
    }
    part("advice").textContent = `learned would answer: ${this.words(answer)}${chance}.`;
  }

  /** Show the cost of the person's last move. */
  cost() {
    const turn = this.game.lastTurn;
    if (!turn) return;
    const { chance, other, cost, error, better } = this.game.verdict(turn.view, turn.answer);
    const own = `Your last move (${this.words(turn.answer, "turn")}) left a chance to win of ${percent(chance)}`;
    const same = sameAnswer(turn.answer, better);
    const expert = same
      ? "learned would have done the same."
      : `learned would have done this: ${this.words(better, "turn")} (${percent(other)}). ${
          cost > error
            ? `Your move cost ${percent(cost)} ± ${percent(error)}.`
            : cost < -error
              ? `Yours was better by ${percent(-cost)} ± ${percent(error)}.`
              : `No difference beyond ± ${percent(error)} was found.`
        }`;
    part("advice").textContent = `${own}; ${expert}`;
  }

  /** Let the link save the game as a file. */
  save() {
    const link = /** @type {HTMLAnchorElement} */ (part("save"));
    const text = `${JSON.stringify(this.game.trace)}\n`;
    link.href = `data:application/x-ndjson,${encodeURIComponent(text)}`;
    link.download = `game-${this.game.deal}.jsonl`;
  }

  /** Handle the keys of a person at the table: arrows move between choices, ? asks for advice, and z
      takes an answer back.
      @param {KeyboardEvent} event */
  key(event) {
    if (!this.sitting || part("turn").hidden || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const step = steps[/** @type {"ArrowLeft"} */ (event.key)];
    if (step) {
      const target = /** @type {HTMLElement} */ (event.target);
      if (/^(SELECT|INPUT)$/.test(target.tagName)) return;
      const buttons = /** @type {HTMLButtonElement[]} */ ([
        ...document.querySelectorAll("#table .point button, #turn button"),
      ]).filter((button) => !button.disabled && button.checkVisibility());
      const place = buttons.indexOf(/** @type {HTMLButtonElement} */ (target));
      buttons[(place + step + buttons.length) % buttons.length]?.focus();
    } else if (event.key === "?" && !part("hint").hidden) this.hint();
    else if (event.key === "z") this.back();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
