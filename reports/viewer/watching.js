/* Watch a game that is over: the table after each turn, what happened, and the judgement of the page. */

import { make, part } from "../rendering/templates/elements.js";
import { ageAccount, standingTable } from "./account.js";
import { readTurn, writeWords } from "./address.js";
import { answerWords } from "./asking.js";
import { logLines, person, playersTile, poolTile, regionTiles } from "./board.js";
import { drawCourse, percent, turnAt } from "./chances.js";
import { GAMES, Luck } from "./luck.js";
import { capital, cardsWords, does, shortName, signed } from "./words.js";

/** @import { Step } from "./luck.js" */
/** @import { Sitting } from "./sitting.js" */

/** The time for which a turn is shown while the game plays by itself, in milliseconds. */
const PAUSE = 1500;
/** The pauses before games are played on, and between, in milliseconds. */
const [BEFORE, BETWEEN] = [300, 5];

/** @type {Record<string, string>} */
const KEYS = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "forward", End: "last" };

const HOW = `A chance is the share of wins when learned plays on in all seats with the unseen cards in other orders: ${GAMES[0]} games from each turn, ${GAMES[1]} around moves, ${GAMES[2]} around the dearest moves and the luckiest draws. All hands count as known. Bars are what draws changed for the player who drew.`;

/** The key that was pressed, or "" if the browser or a field uses it. @param {KeyboardEvent} event */
export function freeKey({ key, ctrlKey, metaKey, altKey, target }) {
  const { tagName } = /** @type {HTMLElement} */ (target);
  return ctrlKey || metaKey || altKey || /^(SELECT|INPUT)$/.test(tagName) ? "" : key;
}

/** A game turn by turn. */
export class Watching {
  /**
   * @param {Sitting} game
   * @param {import("./board.js").Seen} seen the names at the table and its rules; all hands are open
   */
  constructor(game, seen) {
    this.game = game;
    this.names = seen.names;
    this.look = { ...seen, seat: null };
    this.luck = new Luck(game);
    this.last = game.turns.length - 1;
    /** The turn that is shown; the last one at first, if a person played the game. */
    this.turn = game.seat < 0 ? 0 : this.last;
    this.playing = 0;
    this.timer = 0;
    /** Moves the line on the curves, once they are drawn. @type {ReturnType<typeof drawCourse> | null} */
    this.moveTo = null;
    /** Stops listening. */
    this.shown = new AbortController();
    this.slider = /** @type {HTMLInputElement} */ (part("turn"));
  }

  /** Let the reader's clicks, keys and addresses move through the game. @param {AbortSignal} signal ends it */
  listen(signal) {
    /** @type {Record<string, () => void>} */
    const controls = {
      first: () => this.go(0),
      back: () => this.go(this.turn - 1),
      play: () => this.play(),
      forward: () => this.go(this.turn + 1),
      last: () => this.go(this.last),
    };
    for (const [id, act] of Object.entries(controls))
      part(id).addEventListener("click", act, { signal });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)), { signal });
    window.addEventListener("hashchange", () => this.read(), { signal });
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const act = controls[KEYS[freeKey(event)] ?? ""];
      const { tagName } = /** @type {HTMLElement} */ (event.target);
      if (!act || (event.key === " " && /^(BUTTON|A|SUMMARY)$/.test(tagName))) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed, { signal });
    const box = part("course");
    const pointed = (/** @type {MouseEvent} */ event) => {
      const { left, width } = box.getBoundingClientRect();
      this.go(turnAt(event.clientX - left, width, this.last));
    };
    box.addEventListener("click", pointed, { signal });
    const resized = new ResizeObserver(() => this.drawCourse());
    resized.observe(box);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  /** Show the game, and judge it, or go on with both after somebody sat at its table.
      @param {() => void} [tell] called when the sums are known, and when they are known better */
  begin(tell = () => {}) {
    this.shown = new AbortController();
    this.game.replay();
    this.slider.max = String(this.last);
    for (const id of ["course", "legend", "judgement", "costly"]) part(id).replaceChildren();
    part("viewer").hidden = false;
    part("facts").hidden = this.game.seat >= 0;
    this.listen(this.shown.signal);
    this.read();
    this.timer = window.setTimeout(() => this.judge(tell), BEFORE);
  }

  /** Hide the game, and neither judge it nor listen any longer. */
  end() {
    clearTimeout(this.timer);
    this.pause();
    this.shown.abort();
    part("viewer").hidden = true;
  }

  /** Judge the game in short slices, between which the page answers.
      @param {() => void} tell @param {number} [known] the rounds of games that were told */
  judge(tell, known = 0) {
    const done = this.luck.proceed();
    part("judging").textContent =
      done < 1 ? `Judging every turn of the game: ${percent(done)}` : HOW;
    const rounds = Math.floor(3 * done);
    if (rounds !== known) {
      this.tellJudgement();
      if (rounds > 1) tell();
    }
    const pause = document.hidden ? BEFORE : BETWEEN;
    if (done < 1) this.timer = window.setTimeout(() => this.judge(tell, rounds), pause);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    part("play").textContent = "Play";
  }

  /** Play the game by itself, or stop it. */
  play() {
    if (this.playing) return this.pause();
    if (this.turn === this.last) this.go(0);
    part("play").textContent = "Pause";
    this.playing = window.setInterval(() => {
      this.go(this.turn + 1);
      if (this.turn === this.last) this.pause();
    }, PAUSE);
  }

  /** @param {number} turn */
  go(turn) {
    this.turn = Math.min(this.last, Math.max(0, turn));
    history.replaceState(null, "", this.address(this.turn));
    this.show();
  }

  /** The address of a turn; a person's game stays in it. @param {number} turn */
  address(turn) {
    return writeWords(this.game.seat < 0 ? "" : location.hash, { turn });
  }

  /** Show the turn that the address says. */
  read() {
    this.turn = readTurn(location.hash, this.last, this.turn);
    this.show();
  }

  /** Show the table after the turn, and what happened in it. */
  show() {
    const { turn, last, names, look } = this;
    const state = this.game.stateAfter(turn);
    const before = this.game.stateAfter(Math.max(0, turn - 1));
    const events = this.game.turns[turn] ?? [];
    this.slider.value = String(turn);
    part("where").textContent =
      `${capital(names.words.age)} ${state.age} of ${state.ages} · turn ${turn} of ${last}`;
    part("event").replaceChildren(...logLines(this.game, look, turn, turn + 1));
    const over = events.find(({ event }) => event === "age_end");
    const marked = names.colors.filter(
      (color) => String(state.markers[color]) !== String(before.markers[color]),
    );
    const account = over && ageAccount(this.game.account(over.age), names);
    part("table").replaceChildren(
      make(
        "div",
        { class: "over" },
        ...(account ? [account] : []),
        ...(state.winners ? [standingTable(this.game, state, names)] : []),
      ),
      regionTiles(state, { ...look, marked }),
      poolTile(state, look),
      playersTile(state, look),
    );
    this.tellTurn();
  }

  /** Draw the curves as wide as the page allows. */
  drawCourse() {
    if (!this.luck.moments.at(-1)?.wins.length) return;
    this.moveTo = drawCourse(this.luck, this.names, part("course"));
    this.tellTurn();
  }

  /** Tell what is known of the game by now: the curves, the dearest moves, and the turn that is shown. */
  tellJudgement() {
    const { luck, names } = this;
    this.drawCourse();
    const dear = luck.dearest().map((step) => {
      const { age, turn } = step.question;
      const words = ` ${capital(names.words.age)} ${age}, turn ${turn}: ${this.doneWords(step)}`;
      const cost = make("b", {}, points(luck.change(step, step.player)));
      return make("li", {}, make("a", { href: this.address(turn) }, cost, words));
    });
    part("costly").replaceChildren(
      ...(dear.length ? dear : [make("li", {}, "None cost anything.")]),
    );
  }

  /** Tell the chance of each player after the turn, and what its draws and moves changed. */
  tellTurn() {
    const { luck, names } = this;
    if (!this.moveTo) return;
    this.moveTo(this.turn);
    const rows = luck
      .chancesAfter(this.turn)
      .map((chance, player) =>
        make("li", {}, person(player, names), " ", make("b", {}, percent(chance))),
      );
    part("legend").replaceChildren(...rows);
    const steps = luck.steps.filter(({ turn, player }) => turn === this.turn && player >= 0);
    const lines = steps.map((step) => {
      const { value, error } = luck.sumOf(step.player, (one) => one === step);
      const sure = ` ± ${(100 * error).toFixed(0)} of 100. `;
      const changed = make("b", {}, points(value));
      return make("li", {}, `${this.doneWords(step)}: `, changed, sure, this.betterWords(step));
    });
    part("judgement").replaceChildren(...lines);
  }

  /** What somebody did or drew in a step. @param {Step} step */
  doneWords({ kind, player, turn, question }) {
    const { game, names } = this;
    if (kind === "answer")
      return `${shortName(player, names)}: ${answerWords(game, question.answer, names, question)}`;
    if (kind === "dragons") return `${does(player, "meet", names)} the dragons`;
    const drawn = (game.turns[turn] ?? []).flatMap((event) => [
      ...(event.event === "recruit" && event.source === "deck" && event.card ? [event.card] : []),
      ...(event.event === "party" ? event.drawn : []),
    ]);
    return drawn.length
      ? `${does(player, "draw", names)} ${cardsWords(drawn)}`
      : `${does(player, "turn", names)} cards to the pool`;
  }

  /** What `learned` would have answered in a step. @param {Step} step */
  betterWords({ kind, question }) {
    const { game, names } = this;
    if (kind !== "answer") return "";
    const answer = game.expertAnswer(question.view);
    return `learned would: ${answerWords(game, answer, names, question)}.`;
  }
}

/** A number of points of the chance to win. @param {number} value */
const points = (value) => signed(100 * value, 1);
