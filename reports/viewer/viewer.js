/* The script of a game's page: it shows the table at any step, plays the game, and offers a seat. */

import { NEEDS, openEngine, supported } from "../live/engine.js";
import { make, part } from "../rendering/templates/elements.js";
import { unpackedText } from "../rendering/templates/packed.js";
import { standingTable } from "./account.js";
import { readAddress, writeAddress } from "./address.js";
import { logLine, person, playersTile, poolTile, regionTiles } from "./board.js";
import { chancesAt, costliest, drawCurve, percent, resultOf, stepAt, turnAt } from "./chances.js";
import { Luck, SLICE } from "./luck.js";
import { Chair } from "./seat.js";
import { Sitting } from "./sitting.js";
import { capital, shortName, signed } from "./words.js";

/** @typedef {import("./chances.js").TurnChance} TurnChance */
/** @typedef {import("./state.js").Event} Event */
/** @typedef {import("./state.js").State} State */

const MOST_COSTLY = 8;
const PAUSE = 900;

/** How many games are played on from each moment to tell the luck of draws, one number after another. */
const LUCK_GAMES = [40, 160, 400];

/**
 * The page's game; only the names if the game is yet to be played.
 * @type {{
 *   events: Event[], tokens: Record<string, number[]>, states: string, rules: Record<string, any>,
 *   names: import("./words.js").Names, chances: TurnChance[],
 * }}
 */
const game = JSON.parse(part("game").textContent);
const { names } = game;
const { live, seats } = JSON.parse(part("live").textContent || "{}");
/** The table after each event; steps count from 1. */
const states = /** @type {State[]} */ (
  game.states ? JSON.parse(await unpackedText(game.states)) : []
);
const end = states.at(-1);
/** The chances at the turns and, in the end, the result. */
const chances = end?.winners && game.chances.length ? allChances(end, end.winners) : [];
/** The seats that have a person or a strategy, without Bruno. */
const players = [...names.players.keys()].filter((player) => names.players[player] !== "Bruno");
/** The luck of each draw so far. @type {import("./chances.js").Draw[]} */
let draws = [];
/** @type {{step: number, seat: number | null}} */
const place = { step: 1, seat: null };
let playing = 0;
let counting = 0;
/** @type {ReturnType<typeof drawCurve> | null} */
let curve = null;

const slider = /** @type {HTMLInputElement} */ (part("step"));
const view = /** @type {HTMLSelectElement} */ (part("seat"));
const speed = /** @type {HTMLSelectElement} */ (part("speed"));

/** @param {State} last @param {number[]} winners */
function allChances(last, winners) {
  return [...game.chances, ...resultOf(winners, last.hands.length, states.length, last.turn)];
}

const stateAt = (/** @type {number} */ step) => /** @type {State} */ (states[step - 1]);
const eventAt = (/** @type {number} */ step) => /** @type {Event} */ (game.events[step - 1]);

/** The first step of the next turn (1) or of the turn before (-1). @param {1 | -1} direction */
function nextTurn(direction) {
  const turn = stateAt(place.step).turn;
  const later = states.findIndex((state) => state.turn > turn);
  if (direction > 0) return later < 0 ? states.length : later + 1;
  const before = states.findLast((state) => state.turn < turn)?.turn ?? 0;
  return states.findIndex((state) => state.turn === before) + 1;
}

/** @param {number} step @param {number | null} [seat] */
function go(step, seat = place.seat) {
  take({ step: Math.min(states.length, Math.max(1, step)), seat });
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
  if (place.step === states.length) go(1);
  part("play").textContent = "Pause";
  playing = window.setInterval(() => {
    if (place.step === states.length) pause();
    else go(place.step + 1);
  }, PAUSE / Number(speed.value));
}

/** What the reader may see: from a seat, only what belongs to its player. @template {{player: number}} T @param {T[]} all */
const seen = (all) => all.filter(({ player }) => place.seat === null || player === place.seat);

/** Sentences on the luck and the chances at a step. @param {number} step */
function judgement(step) {
  const drawn = place.seat === null && draws.find((one) => one.step === step);
  const luck = drawn
    ? `Luck of this draw for ${shortName(drawn.player, names)}: ${signed(100 * drawn.value)} of 100. `
    : "";
  const turn = turnAt(seen(chances), step);
  if (!turn || stateAt(step).winners) return luck;
  const who = names.players[turn.player];
  const after = `${luck}Turn ${turn.turn}: ${who} then has a chance to win of ${percent(turn.chance)} ± ${percent(turn.error)}.`;
  if (turn.cost - turn.cost_error <= 0) return after;
  return `${after} Better was: ${turn.best} (${percent(turn.best_chance)}); the move cost ${percent(turn.cost)} ± ${percent(turn.cost_error)}.`;
}

/** The regions where the markers differ from those a step before. @param {number} step */
function changedRegions(step) {
  const markers = (/** @type {number} */ at) => states[at - 1]?.markers ?? {};
  return names.colors.filter(
    (color) => step > 1 && String(markers(step)[color]) !== String(markers(step - 1)[color]),
  );
}

function show() {
  const { step, seat } = place;
  const [state, event] = [stateAt(step), eventAt(step)];
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", `step ${step} of ${states.length}`);
  view.value = seat === null ? "all" : String(seat);
  const age = `${capital(names.words.age)} ${state.age} of ${names.ages}`;
  part("where").textContent =
    `${age} · turn ${state.turn} of ${end?.turn} · step ${step} of ${states.length}`;
  part("told").hidden = seat !== null;
  markStory(step);
  part("judgement").textContent = judgement(step);
  const levels = names.players.map((name) => name.split(" ").slice(1).join(" "));
  const look = { names, seat, levels, rules: game.rules, tokens: game.tokens };
  part("event").replaceChildren(logLine(event, state, look));
  const over = event.event.endsWith("_end") ? [standingTable(state, names)] : [];
  const all = [...names.players.keys()];
  part("table").replaceChildren(
    ...over,
    regionTiles(state, { ...look, marked: changedRegions(step) }),
    poolTile(state, look),
    playersTile(state, look, "Players", all),
  );
  curve?.moveTo(step);
  tellChances(step);
}

/** Show the chance of each player at a step; from a seat, only the chance of its player. @param {number} step */
function tellChances(step) {
  if (!chances.length) return;
  const own = turnAt(seen(chances), step);
  const shown = chancesAt(chances, players.length, step);
  /** @param {number} player */
  const chanceOf = (player) => {
    if (place.seat === null) return `${shown[player]} %`;
    return own?.player === player ? percent(own.chance) : "";
  };
  const rows = names.players.map((_, player) =>
    make("li", {}, person(player, names), " ", make("b", {}, chanceOf(player))),
  );
  part("legend").replaceChildren(...rows);
}

/** Draw the curve as wide as the page allows. */
function layCurve() {
  const box = part("curve");
  const width = Math.max(280, box.clientWidth);
  const ages = game.events.flatMap(({ event, age }, i) =>
    event === "age" ? [{ step: i + 1, label: `${capital(names.words.age)} ${age}` }] : [],
  );
  const luck = place.seat === null ? draws : [];
  curve = drawCurve(seen(chances), names.players, ages, states.length, width, luck);
  curve.moveTo(place.step);
  box.replaceChildren(curve.svg);
}

/** Go to the step of a click on the curve, and show the chances under the pointer. */
function listenToCurve() {
  const box = part("curve");
  /** @param {MouseEvent} event */
  const stepUnder = (event) => {
    const { left, width } = box.getBoundingClientRect();
    return stepAt(event.clientX - left, width, states.length);
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
  const rows = costliest(chances, MOST_COSTLY).map((turn) => {
    const words = `Turn ${turn.turn}, ${shortName(turn.player, names)}`;
    const link = make("a", { href: writeAddress(turn.step, null) }, words);
    const cost = ` cost ${percent(turn.cost)} ± ${percent(turn.cost_error)}; better: ${turn.best}`;
    return make("li", {}, link, cost);
  });
  const none = make("li", {}, "No move was clearly worse than another.");
  part("costly").replaceChildren(...(rows.length ? rows : [none]));
}

/** Play on from the game's moments while it is watched, and tell the luck of each draw. @param {import("../live/engine.js").Engine} engine */
function countLuck(engine) {
  if (part("viewer").hidden) return;
  const replayed = new Sitting(engine, seats, { ...seats, seat: -1 });
  // A strategy that draws lots, or answers of a person, may not play the same game again.
  if (JSON.stringify(replayed.turns.flat()) !== JSON.stringify(game.events)) return;
  const luck = new Luck(replayed);
  let round = 0;
  clearTimeout(counting);
  const count = () => {
    const games = LUCK_GAMES[round];
    if (games === undefined || part("viewer").hidden) return;
    if (luck.advance(games, SLICE) === 1) {
      round += 1;
      markLuck(luck);
    }
    counting = window.setTimeout(count, SLICE);
  };
  count();
}

/** Draw the luck of each draw for the player who drew. @param {Luck} luck */
function markLuck(luck) {
  draws = states.flatMap(({ turn }, i) => {
    if (turn === states[i - 1]?.turn) return [];
    const drawn = luck.steps.filter(
      ({ kind, player, place: at }) =>
        kind !== "answer" && player >= 0 && luck.game.questions[at]?.turn === turn,
    );
    const player = drawn[0]?.player ?? 0;
    const value = drawn.reduce((sum, step) => sum + luck.change(step, player), 0);
    return drawn.length ? [{ step: i + 1, player, value }] : [];
  });
  part("chances").hidden = false;
  layCurve();
  part("judgement").textContent = judgement(place.step);
}

/** @type {Record<string, () => void>} */
const CONTROLS = {
  first: () => go(1),
  "turn-back": () => go(nextTurn(-1)),
  back: () => go(place.step - 1),
  play,
  forward: () => go(place.step + 1),
  "turn-forward": () => go(nextTurn(1)),
  last: () => go(states.length),
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

/** Step by keys, unless a control needs the key itself. @param {KeyboardEvent} event */
function listenToKeys(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const busy = /^(SELECT|INPUT|BUTTON|A|SUMMARY)$/.test(target.tagName);
  const control = KEYS[event.key];
  if (!control || part("viewer").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (busy && (event.key === " " || target.tagName === "SELECT")) return;
  event.preventDefault();
  CONTROLS[control]?.();
}

/** Show the page's game, and let the reader step through it. */
function watch() {
  view.append(
    ...players.map((player) => make("option", { value: player }, `${names.players[player]} sees`)),
  );
  slider.max = String(states.length);
  for (const id of ["chances", "costs"]) part(id).hidden = chances.length === 0;
  part("viewer").hidden = false;
  listenToCurve();
  listCostly();
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
  document.addEventListener("keydown", listenToKeys);
  const read = () => take(readAddress(location.hash, states.length, players.length));
  window.addEventListener("hashchange", read);
  read();
}

/** Offer a seat if the page has an engine and the browser can run it. */
async function seatPerson() {
  if (!live) return;
  if (!supported()) {
    part("unseated").textContent = NEEDS;
    return;
  }
  const opening = openEngine(live);
  const watched = states.length > 0;
  const chair = new Chair(opening, { live, seats, names, watched });
  if (!watched) return;
  chair.onLeaving = countLuck;
  countLuck(await opening);
}

if (states.length) watch();
else {
  document.title = names.title;
  part("title").textContent = names.title;
}
seatPerson();
