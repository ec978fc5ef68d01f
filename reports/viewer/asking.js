/* The open question of a person at the table: what can be chosen, and what each choice means. */

import { make, makeButton } from "../rendering/templates/elements.js";
import { cardMark, sortedCards } from "./board.js";
import { cardsIn } from "./seen.js";
import {
  capital,
  cardsWords,
  cardWords,
  counted,
  partyName,
  regionWords,
  shortName,
  spoken,
} from "./words.js";

/** @import { Card } from "./events.js" */
/** @import { Line } from "./outlook.js" */
/** @import { Chair } from "./seat.js" */
/** @import { Answer, Option, Sitting } from "./sitting.js" */
/** @import { Names } from "./words.js" */

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
/** As many cards are named in an answer; more are counted. */
const MOST_NAMED = 3;

/** The words for an answer to the open question, or to one that was answered.
    @param {Sitting} game @param {Answer} answer @param {Names} names
    @param {{decision: string, view: number}} asked the question, with its open record */
export function answerWords(game, answer, names, { decision, view } = game.now) {
  const { kind, leader, choice } = answer;
  const { kinds, words } = game.seats;
  const cards = cardsIn(answer.once, answer.twice, words);
  const card = cardWords(words.cards[choice] ?? "");
  if (kind === kinds.deck) return "draw a card";
  if (kind === kinds.pool) return `take the ${card}`;
  if (kind === kinds.party) return `play ${partyName(cards, words.cards[leader] ?? "")}`;
  if (kind === kinds.cards)
    return `keep ${cards.length > MOST_NAMED ? `${cards.length} cards` : cardsWords(cards) || "nothing"}`;
  if (kind === kinds.decline) {
    if (decision === "second_party") return `no more ${names.words.parties}`;
    return decision === "keep" ? "keep nothing" : "no";
  }
  if (REGIONS.includes(decision)) return regionWords(words.colors[choice] ?? "", names);
  if (decision === "token") {
    const slot = Number(game.engine.get("VIEW_DTYPE", view, "asking_slot"));
    return `token ${game.asks("rules.tie_break_tokens", slot, choice)}`;
  }
  if (decision === "bruno_leader") return spoken(words.slots[choice] ?? "");
  if (decision === "choose") return chosenWords(game, choice, names);
  return decision.startsWith("bruno_") && decision !== "bruno_steal" ? card : "yes";
}

/** What a custom power's option may mean, of which the page knows only the number.
    @param {Sitting} game @param {number} which @param {Names} names */
function chosenWords(game, which, names) {
  const options = game.engine.get("VIEW_DTYPE", game.now.view, "offered_once");
  if (options === 1n && game.asks("may_decline")) return "yes";
  const { colors, cards } = game.seats.words;
  return colors[which]
    ? `${which} (${colors[which]}, ${shortName(which, names) || `P${which}`})`
    : `${which} (${cardWords(cards[which] ?? "")})`;
}

/** The open question, with the party that is chosen. */
export class Asking {
  /** @param {Chair} chair which acts when an option or a party is chosen @param {Names} names */
  constructor(chair, names) {
    this.chair = chair;
    this.game = chair.game;
    this.names = names;
    this.words = this.game.seats.words;
    /** The option of the chosen party. */
    this.chosen = chair.chosen;
  }

  get question() {
    const { game, names, words } = this;
    const asked = game.naming && game.now.decision !== "keep" ? "naming" : game.now.decision;
    return (QUESTIONS[asked] ?? asked)
      .replace("{party}", () => names.words.party)
      .replace("{limit}", () => counted(game.asks("limit"), "card"))
      .replace("{clan}", () => capital(spoken(words.slots[game.asks("asking_slot")] ?? "")));
  }

  /** Where an option has its button: below the hand, on a card of the hand, or among the choices. Choices
      also have one on the board, at `on`. `card` is the number of the card that is named.
      @param {Option} option @returns {{where: "acts" | "hand" | "choice", card?: number, on?: string}} */
  placeOf({ action }) {
    const { naming, now, seats } = this.game;
    const { actions } = seats;
    const { decision } = now;
    if ([actions.deck, actions.no, actions.yes].includes(action)) return { where: "acts" };
    if (action >= actions.lead)
      return { where: "hand", card: (action - actions.lead) % actions.cards };
    if (action >= actions.card && decision !== "choose") {
      const card = action - actions.card;
      if (naming || decision === "keep") return { where: "hand", card };
      const row = decision === "bruno_release" ? "columns" : "pool";
      return { where: "choice", card, on: `.${row} [data-card="${this.words.cards[card]}"]` };
    }
    const color = this.words.colors[action - actions.choice];
    const on = `.tile[data-color="${color}"] h3`;
    return REGIONS.includes(decision) ? { where: "choice", on } : { where: "choice" };
  }

  /** The options that have their button in a place. @param {"acts" | "hand" | "choice"} place */
  optionsIn(place) {
    return this.game.options.filter((option) => this.placeOf(option).where === place);
  }

  /** The cards of a party's option. @param {Option | null} option */
  cardsOf(option) {
    const { once = 0n, twice = 0n } = option?.answer ?? {};
    return cardsIn(once, twice, this.words);
  }

  /** The options on the same card of the hand as another one. @param {Option} option */
  onItsCard(option) {
    const { card } = this.placeOf(option);
    return this.optionsIn("hand").filter((other) => this.placeOf(other).card === card);
  }

  /** Choose what a card of the hand offers: its largest party, or one like the party that is chosen.
      @param {Option} option on this card */
  choose(option) {
    const options = this.onItsCard(option);
    const now = String(this.cardsOf(this.chosen));
    const alike = now && options.find((other) => String(this.cardsOf(other)) === now);
    const size = (/** @type {Option} */ other) => this.cardsOf(other).length;
    const [largest = option] = options.sort((a, b) => size(b) - size(a));
    this.chair.choose(alike || largest);
  }

  /** The person's hand; cards that may lead, join or be kept are buttons. @param {Card[]} cards */
  hand(cards) {
    const { game, chosen, words } = this;
    const joined = chosen ? this.cardsOf(chosen) : [...game.named];
    let leader = chosen ? words.cards[this.placeOf(chosen).card ?? 0] : "";
    const byCard = new Map(
      this.optionsIn("hand").map((option) => [words.cards[this.placeOf(option).card ?? 0], option]),
    );
    return sortedCards(cards, this.names).map((card) => {
      const place = joined.indexOf(card);
      if (place >= 0) joined.splice(place, 1);
      const leads = place >= 0 && card === leader;
      if (leads) leader = "";
      const kind = place < 0 ? "" : leads ? "in leads" : "in";
      const mark = cardMark(card, this.names, kind);
      if (place >= 0) mark.append(make("em", {}, leads ? "leads" : "joins"));
      const option = byCard.get(card);
      if (option && (place < 0 || !game.naming))
        pointAt(mark, () => this.choose(option)).setAttribute("aria-pressed", String(place >= 0));
      return mark;
    });
  }

  /** What the chosen party brings, with the other parties that it could be; or a question's answers. @param {Line[]} lines */
  choice(lines) {
    const { chosen, game } = this;
    if (chosen?.answer) return this.party(chosen, chosen.answer, lines);
    if (game.now.decision === "turn" || game.now.decision.endsWith("card")) return [];
    return this.optionsIn("choice").map((option) => this.button(option));
  }

  /** The chosen party: other parties with its leader, its power, and what it brings.
      @param {Option} chosen @param {Answer} answer @param {Line[]} lines */
  party(chosen, answer, lines) {
    const { words, names } = this;
    const party = this.cardsOf(chosen);
    const led = words.cards[answer.leader] ?? "";
    const groups = this.onItsCard(chosen).map((option) => {
      const label = option.answer ? partyName(this.cardsOf(option), led) : "one by one";
      return makeButton([label], () => this.chair.choose(option), {
        "data-pick": true,
        "aria-pressed": String(option === chosen),
        class: "pill",
      });
    });
    const about = { class: "pills", role: "group", "aria-label": "Cards" };
    const [clan = ""] = led.split(":");
    const power = (names.powers[clan] ?? "").replace(/\bX\b/, String(party.length));
    const rows = lines.map(([term, said]) =>
      make("div", {}, make("dt", {}, term), make("dd", {}, ...said)),
    );
    return [
      make("h3", {}, `${counted(party.length, "card")}, led by the ${cardWords(led)}`),
      ...(groups.length > 1 ? [make("div", about, ...groups)] : []),
      make("p", { class: "power" }, make("b", {}, `${capital(spoken(clan))}: `), `${power}.`),
      make("dl", {}, ...rows),
    ];
  }

  /** The buttons below the hand: to play the chosen party, and answers in words. */
  acts() {
    const { chosen, game, names } = this;
    const main = chosen?.answer || game.now.decision === "turn" ? "" : "go";
    const rest = this.optionsIn("acts").map((option) => this.button(option, main));
    const play = `Play this ${names.words.party}`;
    return [...(chosen?.answer ? [this.button(chosen, "go", play)] : []), ...rest];
  }

  /** A button for an option. @param {Option} option @param {string} [kind] @param {string} [label] */
  button(option, kind = "", label = undefined) {
    const { card, on } = this.placeOf(option);
    const color = on && card !== undefined ? this.words.cards[card]?.split(":")[1] : null;
    const said = option.answer ? capital(answerWords(this.game, option.answer, this.names)) : "";
    return makeButton([label ?? said], () => this.chair.act(option), {
      class: kind || null,
      "data-color": color ?? null,
      "data-pick": true,
    });
  }

  /** Put buttons on the cards of the pool, on Bruno's columns and on regions. @param {Element} board */
  point(board) {
    for (const option of this.game.options) {
      const { on } = this.placeOf(option);
      // A clan with twice the cards has two options with the same name: the first is as good.
      for (const place of on ? board.querySelectorAll(`${on}:not(.point)`) : [])
        pointAt(place, () => this.chair.act(option));
    }
  }
}

/** Make an element a button. @param {Element} element @param {() => unknown} act */
function pointAt(element, act) {
  const button = makeButton([...element.childNodes], act, { "data-pick": true });
  element.replaceChildren(button);
  element.classList.add("point");
  return button;
}
