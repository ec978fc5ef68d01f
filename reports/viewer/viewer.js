/* The page of a game: shows its table at any step, plays it, and says what moves cost. */

import { make } from "../rendering/templates/elements.js";
import { readAddress, writeAddress } from "./address.js";
import { chancesAt, costliest, drawCurve, percent, resultOf, stepAt, turnAt } from "./chances.js";
import { statesOf } from "./state.js";
import { capital, middle, playerSide, regions, shortName, standing } from "./table.js";

/** @typedef {import("./chances.js").TurnChance} TurnChance */

const MOST_COSTLY = 8;
const PAUSE = 900;

/**
 * @type {{
 *   events: import("./state.js").Event[], tokens: Record<string, number[]>, changes: any[],
 *   names: import("./table.js").Names, chances: TurnChance[],
 * }}
 */
const game = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("game")).textContent);
const { events, names } = game;
const states = statesOf(game.changes);
const steps = states.length;
/** @type {{step: number, seat: number | null}} */
const place = { step: 1, seat: null };
let playing = 0;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const slider = /** @type {HTMLInputElement} */ (part("step"));
const view = /** @type {HTMLSelectElement} */ (part("seat"));
const speed = /** @type {HTMLSelectElement} */ (part("speed"));

const seats = states[0]?.hands.length ?? 0;
const winners = states.at(-1)?.winners;
const chances =
  game.chances.length && winners
    ? [...game.chances, ...resultOf(winners, seats, steps, states.at(-1)?.turn ?? 0)]
    : game.chances;
const turnOf = states.map((state) => state.turn);
const ages = events.flatMap((event, i) =>
  event.event === "age" ? [{ step: i + 1, label: `${capital(names.words.age)} ${event.age}` }] : [],
);
/** @type {ReturnType<typeof drawCurve> | null} */
let curve = null;

/**
 * Whose move an event is; null for what nobody does.
 * @param {number} step
 */
function actorOf(step) {
  const event = events[step - 1];
  if (event?.event.startsWith("bruno")) return 1;
  return typeof event?.player === "number" ? event.player : null;
}

/** The step that begins the turn after, or before, the one shown. @param {1 | -1} direction */
function nextTurn(direction) {
  const now = turnOf[place.step - 1];
  let step = place.step + direction;
  while (step > 1 && step < steps && turnOf[step - 1] === now) step += direction;
  if (direction < 0) {
    const turn = turnOf[step - 1];
    while (step > 1 && turnOf[step - 2] === turn) step -= 1;
  }
  return step;
}

/** @param {number} step @param {number | null} [seat] */
function go(step, seat = place.seat) {
  take({ step: Math.min(steps, Math.max(1, step)), seat });
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
  if (place.step === steps) go(1);
  part("play").textContent = "Pause";
  playing = window.setInterval(() => {
    if (place.step === steps) pause();
    else go(place.step + 1);
  }, PAUSE / Number(speed.value));
}

/** The chances that the chosen view may know: from a seat, that player's own. */
const knownChances = () =>
  place.seat === null ? chances : chances.filter((turn) => turn.player === place.seat);

/** What the chances say of a step. @param {number} step */
function judgement(step) {
  const turn = turnAt(knownChances(), step);
  if (!turn || states[step - 1]?.winners) return "";
  const who = names.players[turn.player];
  const after = `Turn ${turn.turn}: ${who} then has a chance to win of ${percent(turn.chance)} ± ${percent(turn.error)}.`;
  if (turn.cost - turn.cost_error <= 0) return after;
  return `${after} Better was: ${turn.best} (${percent(turn.best_chance)}); the move cost ${percent(turn.cost)} ± ${percent(turn.cost_error)}.`;
}

function show() {
  const { step, seat } = place;
  const state = states[step - 1];
  if (!state) return;
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", `step ${step} of ${steps}`);
  view.value = seat === null ? "all" : String(seat);
  const last = turnOf.at(-1);
  part("where").textContent =
    `${capital(names.words.age)} ${state.age} of ${names.ages} · turn ${state.turn} of ${last} · step ${step} of ${steps}`;
  const told = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#story [data-step]")]);
  for (const line of told) line.classList.toggle("now", line.dataset.step === String(step));
  const now = told.find((line) => line.dataset.step === String(step));
  part("event").textContent = eventText(step, now);
  if (now) keepInSight(now);
  part("told").hidden = seat !== null;
  part("judgement").textContent = judgement(step);
  const acting = actorOf(step);
  part("table").replaceChildren(
    ...(state.winners ? [standing(state, names)] : []),
    regions(state, states[step - 2], game.tokens, names),
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

/** Each player's chance at a step, beside the player's color; from a seat its own. @param {number} step */
function tellChances(step) {
  if (!chances.length) return;
  const own = place.seat === null ? undefined : turnAt(knownChances(), step);
  const shown = chancesAt(chances, seats, step);
  /** @param {number} player */
  const told = (player) => {
    if (place.seat === null) return `${shown[player]} %`;
    return own?.player === player ? percent(own.chance) : "";
  };
  part("legend").replaceChildren(
    ...names.players.map((name, player) =>
      make(
        "li",
        {},
        make("span", { class: `who player-${player}` }, shortName(player, names)),
        ` ${name.split(" ").slice(1).join(" ")} `,
        make("b", {}, told(player)),
      ),
    ),
  );
}

/** Draw the curve as wide as there is room for. */
function layCurve() {
  const box = part("curve");
  const width = Math.max(280, box.clientWidth);
  curve = drawCurve(knownChances(), names.players, ages, steps, width);
  curve.moveTo(place.step);
  box.replaceChildren(curve.svg);
}

/** Let the curve be clicked on, and tell chances under the pointer. */
function listenToCurve() {
  const box = part("curve");
  /** @param {MouseEvent} event */
  const stepUnder = (event) => {
    const { left, width } = box.getBoundingClientRect();
    return stepAt(event.clientX - left, width, steps);
  };
  box.addEventListener("click", (event) => go(stepUnder(event)));
  box.addEventListener("pointermove", (event) => tellChances(stepUnder(event)));
  box.addEventListener("pointerleave", () => tellChances(place.step));
  new ResizeObserver(layCurve).observe(box);
}

/**
 * What happened, as the story tells it; from a seat, without what was hidden from it.
 * @param {number} step
 * @param {HTMLElement | undefined} told
 */
function eventText(step, told) {
  const event = events[step - 1];
  const lines = (told?.textContent ?? "").split("\n").filter((line) => line.trim());
  if (event?.event === "age_end") return lines.join("\n");
  const words = lines.map((line) =>
    line
      .replaceAll(/={3,}/g, "")
      .replace(/\s+(?=\d+ in hand)/, ", ")
      .trim()
      .replaceAll(/\s+/g, " "),
  );
  if (event?.event === "game_end") return words.at(-1) ?? "";
  if (place.seat === null) return words.join("\n");
  if (event?.event === "age") return words.filter((line) => !/^First hands/.test(line)).join("\n");
  if (event && event.player !== place.seat && event.event === "recruit") {
    return `${states[step - 1]?.turn} ${names.players[event.player]} ${recruited(event)}`;
  }
  if (event && event.player !== place.seat && event.event === "party") return words[0] ?? "";
  return words.join("\n");
}

/** A rival's recruit, as everybody sees it. @param {import("./state.js").Event} event */
function recruited(event) {
  const dragons = event.dragons ? `meets ${event.dragons} of the dragons and ` : "";
  const [clan, color] = (event.card ?? ":").split(":");
  if (event.source === "pool") return `takes ${color} ${clan.replaceAll("_", " ")}`;
  return `${dragons}draws ${event.card === null ? "no card" : "a card"}`;
}

/** Scroll the story alone, never the page. @param {HTMLElement} line */
function keepInSight(line) {
  const box = part("story");
  const top = line.offsetTop;
  if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 60) {
    box.scrollTop = top - box.clientHeight / 3;
  }
}

/** The turns that cost most, each a way to its step. */
function listCostly() {
  const found = costliest(chances, MOST_COSTLY);
  const rows = found.map((turn) =>
    make(
      "li",
      {},
      make(
        "a",
        { href: writeAddress(turn.step, null) },
        `Turn ${turn.turn}, ${shortName(turn.player, names)}`,
      ),
      ` cost ${percent(turn.cost)} ± ${percent(turn.cost_error)}; better: ${turn.best}`,
    ),
  );
  part("costly").replaceChildren(
    ...(rows.length ? rows : [make("li", {}, "No turn was surely worse than another one.")]),
  );
}

/** @type {Record<string, () => void>} */
const DOES = {
  first: () => go(1),
  "turn-back": () => go(nextTurn(-1)),
  back: () => go(place.step - 1),
  play,
  forward: () => go(place.step + 1),
  "turn-forward": () => go(nextTurn(1)),
  last: () => go(steps),
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

function begin() {
  slider.max = String(steps);
  names.players.forEach((name, player) => {
    if (player < seats) view.append(make("option", { value: player }, `${name} sees`));
  });
  for (const id of ["chances", "costs"]) part(id).hidden = chances.length === 0;
  part("viewer").hidden = false;
  if (chances.length) {
    listenToCurve();
    listCostly();
  }
  for (const [id, act] of Object.entries(DOES)) part(id).addEventListener("click", act);
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
    const does = KEYS[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    if (busy && (event.key === " " || target.tagName === "SELECT")) return;
    event.preventDefault();
    DOES[does]?.();
  });
  const read = () => {
    take(readAddress(location.hash, steps, seats));
  };
  window.addEventListener("hashchange", read);
  read();
}

begin();
