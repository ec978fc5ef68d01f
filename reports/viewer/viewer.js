/* The script of a game's page: it shows the table at any step, plays the game, and offers a seat. */

import { NEEDS, supported } from "../live/engine.js";
import { make, part } from "../rendering/templates/elements.js";
import { readAddress, writeAddress } from "./address.js";
import { chancesAt, costliest, drawCurve, percent, resultOf, stepAt, turnAt } from "./chances.js";
import { Chair } from "./seat.js";
import { statesOf } from "./state.js";
import {
  badge,
  capital,
  middle,
  playerSide,
  regions,
  shortName,
  standing,
  strategyName,
} from "./table.js";
import { eventWords } from "./words.js";

/** @typedef {import("./chances.js").TurnChance} TurnChance */

const MOST_COSTLY = 8;
const PAUSE = 900;

/**
 * The page's game; only the names if the game is yet to be played.
 * @type {{
 *   events: import("./state.js").Event[], tokens: Record<string, number[]>, changes: any[],
 *   names: import("./table.js").Names, chances: TurnChance[],
 * }}
 */
const game = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("game")).textContent);
/** @type {{step: number, seat: number | null}} */
const place = { step: 1, seat: null };
let playing = 0;

const slider = /** @type {HTMLInputElement} */ (part("step"));
const view = /** @type {HTMLSelectElement} */ (part("seat"));
const speed = /** @type {HTMLSelectElement} */ (part("speed"));

const seating = JSON.parse(part("live").textContent || "{}");
/** The page's game; null if it is yet to be played. */
const film = /** @type {ReturnType<typeof ownFilm>} */ (game.changes ? ownFilm() : null);
/** @type {ReturnType<typeof drawCurve> | null} */
let curve = null;

/** The game as a series of steps, which count from 1: the table after each, what happened, and who moved. */
function ownFilm() {
  const { events, names } = game;
  const states = statesOf(game.changes);
  const end = states.at(-1);
  const result =
    game.chances.length && end?.winners
      ? resultOf(end.winners, states[0]?.hands.length ?? 0, states.length, end.turn)
      : [];
  return {
    names,
    tokens: game.tokens,
    steps: states.length,
    chances: [...game.chances, ...result],
    turns: states.map((state) => state.turn),
    ages: events.flatMap((event, i) =>
      event.event === "age"
        ? [{ step: i + 1, label: `${capital(names.words.age)} ${event.age}` }]
        : [],
    ),
    /** @param {number} step */
    state: (step) => /** @type {import("./state.js").State} */ (states[step - 1]),
    /** @param {number} step */
    text: (step) =>
      eventWords(/** @type {import("./state.js").Event} */ (events[step - 1]), names, place.seat),
    /** @param {number} step */
    actor: (step) => {
      const event = events[step - 1];
      if (event?.event.startsWith("bruno")) return 1;
      return typeof event?.player === "number" ? event.player : null;
    },
  };
}

/** The first step of the next turn (1) or of the turn before (-1). @param {1 | -1} direction */
function nextTurn(direction) {
  const { turns, steps } = film;
  const now = turns[place.step - 1];
  let step = place.step + direction;
  while (step > 1 && step < steps && turns[step - 1] === now) step += direction;
  if (direction < 0) {
    const turn = turns[step - 1];
    while (step > 1 && turns[step - 2] === turn) step -= 1;
  }
  return step;
}

/** @param {number} step @param {number | null} [seat] */
function go(step, seat = place.seat) {
  take({ step: Math.min(film.steps, Math.max(1, step)), seat });
  history.replaceState(null, "", writeAddress(place.step, place.seat));
}

/** Show a step from a seat. @param {{step: number, seat: number | null}} wanted */
function take(wanted) {
  const turned = wanted.seat !== place.seat;
  Object.assign(place, wanted);
  if (turned && curve) layCurve();
  show();
}

function pause() {
  clearInterval(playing);
  playing = 0;
  part("play").textContent = "Play";
}

function play() {
  if (playing) return pause();
  if (place.step === film.steps) go(1);
  part("play").textContent = "Pause";
  playing = window.setInterval(() => {
    if (place.step === film.steps) pause();
    else go(place.step + 1);
  }, PAUSE / Number(speed.value));
}

/** The chances that the reader may see; from a seat, only the chances of its player. */
const knownChances = () =>
  place.seat === null ? film.chances : film.chances.filter((turn) => turn.player === place.seat);

/** A sentence on the chances at a step. @param {number} step */
function judgement(step) {
  const turn = turnAt(knownChances(), step);
  if (!turn || film.state(step).winners) return "";
  const who = film.names.players[turn.player];
  const after = `Turn ${turn.turn}: ${who} then has a chance to win of ${percent(turn.chance)} ± ${percent(turn.error)}.`;
  if (turn.cost - turn.cost_error <= 0) return after;
  return `${after} Better was: ${turn.best} (${percent(turn.best_chance)}); the move cost ${percent(turn.cost)} ± ${percent(turn.cost_error)}.`;
}

function show() {
  const { step, seat } = place;
  const { names, steps } = film;
  const state = film.state(step);
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", `step ${step} of ${steps}`);
  view.value = seat === null ? "all" : String(seat);
  const last = film.turns.at(-1);
  part("where").textContent =
    `${capital(names.words.age)} ${state.age} of ${names.ages} · turn ${state.turn} of ${last} · step ${step} of ${steps}`;
  part("event").textContent = film.text(step);
  part("told").hidden = seat !== null;
  markStory(step);
  part("judgement").textContent = judgement(step);
  const acting = film.actor(step);
  part("table").replaceChildren(
    ...(state.winners ? [standing(state, names)] : []),
    regions(state, step > 1 ? film.state(step - 1) : undefined, film.tokens, names),
    middle(state, names),
    make(
      "div",
      { class: "sides" },
      ...names.players.map((_, player) =>
        playerSide(state, player, { names, seat, acting: player === acting }),
      ),
    ),
  );
  curve?.moveTo(step);
  tellChances(step);
}

/** Show the chance of each player at a step; from a seat, only the chance of its player. @param {number} step */
function tellChances(step) {
  const { chances, names } = film;
  if (!chances.length) return;
  const known = place.seat === null ? undefined : turnAt(knownChances(), step);
  const shown = chancesAt(chances, film.state(1).hands.length, step);
  /** @param {number} player */
  const chanceOf = (player) => {
    if (place.seat === null) return `${shown[player]} %`;
    return known?.player === player ? percent(known.chance) : "";
  };
  part("legend").replaceChildren(
    ...names.players.map((_, player) =>
      make(
        "li",
        {},
        ...[
          badge(player, names),
          ` ${strategyName(player, names)} `,
          make("b", {}, chanceOf(player)),
        ],
      ),
    ),
  );
}

/** Draw the curve as wide as the page allows. */
function layCurve() {
  const box = part("curve");
  const width = Math.max(280, box.clientWidth);
  curve = drawCurve(knownChances(), film.names.players, film.ages, film.steps, width);
  curve.moveTo(place.step);
  box.replaceChildren(curve.svg);
}

/** Go to the step of a click on the curve, and show the chances under the pointer. */
function listenToCurve() {
  const box = part("curve");
  /** @param {MouseEvent} event */
  const stepUnder = (event) => {
    const { left, width } = box.getBoundingClientRect();
    return stepAt(event.clientX - left, width, film.steps);
  };
  box.addEventListener("click", (event) => go(stepUnder(event)));
  box.addEventListener("pointermove", (event) => tellChances(stepUnder(event)));
  box.addEventListener("pointerleave", () => tellChances(place.step));
  new ResizeObserver(layCurve).observe(box);
}

/** Mark the line of a step in the story, and scroll the story to it. @param {number} step */
function markStory(step) {
  const box = part("story");
  box.querySelector(".now")?.classList.remove("now");
  const line = /** @type {HTMLElement | null} */ (box.querySelector(`[data-step="${step}"]`));
  if (!line) return;
  line.classList.add("now");
  const top = line.offsetTop;
  if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 60) {
    box.scrollTop = top - box.clientHeight / 3;
  }
}

/** List the turns that cost most, with links to their steps. */
function listCostly() {
  const turns = costliest(film.chances, MOST_COSTLY);
  const rows = turns.map((turn) =>
    make(
      "li",
      {},
      make(
        "a",
        { href: writeAddress(turn.step, null) },
        `Turn ${turn.turn}, ${shortName(turn.player, film.names)}`,
      ),
      ` cost ${percent(turn.cost)} ± ${percent(turn.cost_error)}; better: ${turn.best}`,
    ),
  );
  part("costly").replaceChildren(
    ...(rows.length ? rows : [make("li", {}, "No move was clearly worse than another.")]),
  );
}

/** @type {Record<string, () => void>} */
const CONTROLS = {
  first: () => go(1),
  "turn-back": () => go(nextTurn(-1)),
  back: () => go(place.step - 1),
  play,
  forward: () => go(place.step + 1),
  "turn-forward": () => go(nextTurn(1)),
  last: () => go(film.steps),
};

/** @type {Record<string, string>} */
const KEYS = {
  Home: "first",
  PageUp: "turn-back",
  ArrowLeft: "back",
  " ": "play",
  ArrowRight: "forward",
  PageDown: "turn-forward",
  End: "last",
};

/** Show the page's game, and let the reader step through it. */
function watch() {
  const players = game.names.players.filter((name) => name !== "Bruno");
  for (const [player, name] of players.entries()) {
    view.append(make("option", { value: player }, `${name} sees`));
  }
  slider.max = String(film.steps);
  for (const id of ["chances", "costs"]) part(id).hidden = film.chances.length === 0;
  part("viewer").hidden = false;
  if (film.chances.length) {
    listenToCurve();
    listCostly();
  }
  for (const [id, act] of Object.entries(CONTROLS)) part(id).addEventListener("click", act);
  slider.addEventListener("input", () => go(Number(slider.value)));
  view.addEventListener("change", () =>
    go(place.step, view.value === "all" ? null : Number(view.value)),
  );
  speed.addEventListener("change", () => {
    if (!playing) return;
    pause();
    play();
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const busy = /^(SELECT|INPUT|BUTTON|A|SUMMARY)$/.test(target.tagName);
    const control = KEYS[event.key];
    if (!control || part("viewer").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (busy && (event.key === " " || target.tagName === "SELECT")) return;
    event.preventDefault();
    CONTROLS[control]?.();
  });
  const read = () => take(readAddress(location.hash, film.steps, players.length));
  window.addEventListener("hashchange", read);
  read();
}

/** Offer a seat if the page has an engine and the browser can run it. */
function seatPerson() {
  const { live, seats } = seating;
  if (!live) return;
  if (!supported()) {
    part("unseated").textContent = NEEDS;
    return;
  }
  new Chair(live, seats, game.names, film !== null);
}

if (film) watch();
else {
  document.title = game.names.title;
  part("title").textContent = game.names.title;
}
seatPerson();
