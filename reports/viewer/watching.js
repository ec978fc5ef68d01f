/* Watch a game: the table after each turn, what happened, and the judgement of the page. */

import { make, part } from "../rendering/templates/elements.js";
import { ageAccount, standingTable } from "./account.js";
import { readTurn } from "./address.js";
import { logLines, person, playersTile, poolTile, regionTiles } from "./board.js";
import { drawCourse, percent, turnAt } from "./chances.js";
import { betterWords, doneWords, judge, points, stepWords } from "./judging.js";
import { GAMES, Luck } from "./luck.js";
import { Sitting } from "./sitting.js";
import { capital } from "./words.js";

/** The time for which a turn is shown while the game plays by itself, in milliseconds. */
const PAUSE = 1500;

/** @type {Record<string, string>} */
const KEYS = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "forward", End: "last" };

const HOW = `A chance is the share of wins when learned plays on in all seats with the unseen cards in other orders: ${GAMES[0]} games from each turn, ${GAMES[1]} around moves, ${GAMES[2]} around the dearest moves and the luckiest draws. All hands count as known. Bars are what draws changed for the player who drew.`;

/** The page's own game, turn by turn. */
export class Watching {
  /**
   * @param {import("../live/engine.js").Engine} engine @param {import("./sitting.js").Seats} seats
   * @param {import("./words.js").Names} names @param {import("./sitting.js").Given[]} given all answers
   */
  constructor(engine, seats, names, given) {
    const game = new Sitting(engine, seats, { ...seats, seat: -1 }, [], given);
    this.game = game;
    this.names = names;
    this.states = game.turns.map((_, turn) => game.stateAfter(turn));
    this.look = {
      ...{ names, seat: null, tokens: game.trace.prestige_tokens },
      levels: names.players.map((name) => name.split(" ").slice(1).join(" ")),
      rules: { ...seats.head.rules, players: seats.head.players },
    };
    this.turn = 0;
    this.last = game.turns.length - 1;
    this.playing = 0;
    /** The games played on from the game's moments. @type {Map<string, number[][]>} */
    this.known = new Map();
    /** @type {Luck | null} */
    this.luck = null;
    /** Moves the line on the curves, once they are drawn. @type {ReturnType<typeof drawCourse> | null} */
    this.moveTo = null;
    this.stopJudging = () => {};
    this.slider = /** @type {HTMLInputElement} */ (part("turn"));
    this.slider.max = String(this.last);
    this.listen();
  }

  /** Let the reader's clicks, keys and addresses move through the game. */
  listen() {
    /** @type {Record<string, () => void>} */
    const controls = {
      first: () => this.go(0),
      back: () => this.go(this.turn - 1),
      play: () => this.play(),
      forward: () => this.go(this.turn + 1),
      last: () => this.go(this.last),
    };
    for (const [id, act] of Object.entries(controls)) part(id).addEventListener("click", act);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    window.addEventListener("hashchange", () => this.read());
    document.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const act = controls[KEYS[event.key] ?? ""];
      if (!act || part("viewer").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
      const busy = /^(BUTTON|A|SUMMARY)$/.test(target.tagName) && event.key === " ";
      if (busy || /^(SELECT|INPUT)$/.test(target.tagName)) return;
      event.preventDefault();
      act();
    });
    const box = part("course");
    /** @param {MouseEvent} event */
    const turnUnder = (event) => {
      const { left, width } = box.getBoundingClientRect();
      return turnAt(event.clientX - left, width, this.last);
    };
    box.addEventListener("click", (event) => this.go(turnUnder(event)));
    box.addEventListener("pointermove", (event) => this.tellChances(turnUnder(event)));
    box.addEventListener("pointerleave", () => this.tellChances(this.turn));
    new ResizeObserver(() => this.drawCourse()).observe(box);
    const whole = part("whole");
    whole.addEventListener("toggle", () => {
      if (!part("story").childElementCount) this.tellStory();
    });
  }

  /** Show the game again after somebody sat at its table, and go on judging it. */
  begin() {
    this.game.replay();
    this.read();
    this.luck = new Luck(this.game, this.known);
    const sides = [...this.names.players.keys()];
    let rounds = 0;
    this.stopJudging = judge(this.luck, sides, (done) => {
      const share = percent(done);
      part("judging").textContent = done < 1 ? `Judging every turn of the game: ${share}` : HOW;
      if (Math.floor(3 * done) > rounds) this.tellJudgement();
      rounds = Math.floor(3 * done);
    });
  }

  /** Leave the engine to somebody who sits down. */
  end() {
    this.stopJudging();
    this.pause();
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
    history.replaceState(null, "", `#turn=${this.turn}`);
    this.show();
  }

  /** Show the turn that the address says. */
  read() {
    this.turn = readTurn(location.hash, this.last);
    this.show();
  }

  /** Show the table after the turn, and what happened in it. */
  show() {
    const { turn, last, names, look, states } = this;
    const state = /** @type {import("./state.js").State} */ (states[turn]);
    const events = this.game.turns[turn] ?? [];
    this.slider.value = String(turn);
    part("where").textContent =
      `${capital(names.words.age)} ${state.age} of ${names.ages} · turn ${turn} of ${last}`;
    part("event").replaceChildren(...logLines(this.game, look, turn, turn + 1));
    const over = events.find(({ event }) => event === "age_end");
    const marked = names.colors.filter(
      (color) => turn && String(state.markers[color]) !== String(states[turn - 1]?.markers[color]),
    );
    const account = over && ageAccount(this.game.account(over.age), names);
    part("table").replaceChildren(
      make(
        "div",
        { class: "over" },
        ...(account ? [make("div", { class: "scroll" }, account)] : []),
        ...(state.winners ? [standingTable(state, names)] : []),
      ),
      regionTiles(state, { ...look, marked }),
      poolTile(state, look),
      playersTile(state, look, "Players", [...names.players.keys()]),
    );
    for (const line of part("story").children)
      line.classList.toggle("now", line.id === `turn-${turn}`);
    this.moveTo?.(turn);
    this.tellChances(turn);
    this.tellTurn();
  }

  /** Draw the curves as wide as the page allows. */
  drawCourse() {
    if (!this.luck || !this.known.size) return;
    this.moveTo = drawCourse(this.luck, this.names, part("course"));
    this.moveTo(this.turn);
  }

  /** Tell what is known of the game by now: the curves, the dearest moves, and the turn that is shown. */
  tellJudgement() {
    const { luck, names } = this;
    if (!luck) return;
    this.drawCourse();
    const dear = luck.dearest([...names.players.keys()]).map((step) => {
      const words = stepWords(this.game, step, names);
      const cost = make("b", {}, points(luck.change(step, step.player)));
      return make("li", {}, make("a", { href: `#turn=${step.turn}` }, cost, ` ${words}`));
    });
    part("costly").replaceChildren(
      ...(dear.length ? dear : [make("li", {}, "None cost anything.")]),
    );
    this.tellChances(this.turn);
    this.tellTurn();
  }

  /** Tell the chance of each player after a turn. @param {number} turn */
  tellChances(turn) {
    if (!this.moveTo || !this.luck) return;
    const rows = this.luck
      .chancesAfter(turn)
      .map((chance, player) =>
        make("li", {}, person(player, this.names), " ", make("b", {}, percent(chance))),
      );
    part("legend").replaceChildren(...rows);
  }

  /** Tell what draws and moves of the turn changed. */
  tellTurn() {
    const { luck, names, game } = this;
    if (!this.moveTo || !luck) return;
    const steps = luck.steps.filter(({ turn, player }) => turn === this.turn && player >= 0);
    const lines = steps.map((step) => {
      const { value, error } = luck.sumOf(step.player, (one) => one === step);
      const sure = ` ± ${(100 * error).toFixed(0)} of 100. `;
      const words = doneWords(game, step, names);
      return make(
        "li",
        {},
        `${words}: `,
        make("b", {}, points(value)),
        sure,
        betterWords(game, step, names),
      );
    });
    part("judgement").replaceChildren(...lines);
  }

  /** Tell the whole game, each turn with a link to it. */
  tellStory() {
    const turns = this.game.turns.map((_, turn) =>
      make(
        "li",
        { id: `turn-${turn}`, class: turn === this.turn ? "now" : null },
        make("a", { href: `#turn=${turn}` }, turn ? `Turn ${turn}` : "Deal"),
        make("ol", {}, ...logLines(this.game, this.look, turn, turn + 1)),
      ),
    );
    part("story").replaceChildren(...turns);
  }
}
