/* The end of a person's game: the result, what of it was luck, the dearest moves, and their positions. */

import { make, makeButton, part } from "../rendering/templates/elements.js";
import { inTenths, standingTable, waterfall } from "./account.js";
import { answerWords } from "./asking.js";
import { cardRow, person } from "./board.js";
import { drawCurve } from "./chances.js";
import { chanceAt } from "./luck.js";
import { capital, cardsWords, does, resultWords, shortName, signed } from "./words.js";

/** @typedef {import("./luck.js").Luck} Luck */
/** @typedef {import("./luck.js").Step} Step */
/** @typedef {import("./seat.js").Chair} Chair */

/** A number of points of the chance to win. @param {number} value */
const points = (value) => signed(100 * value, 1);

/** Show the result, and room for what is told when enough games are played on. @param {Chair} chair */
export function showEnd(chair) {
  const { game, seen } = chair;
  const { names } = seen;
  const last = game.turns.flat().at(-1);
  const state = game.stateAfter(game.turns.length - 1);
  const own = state.prestige[game.seat] ?? 0;
  const saved = encodeURIComponent(`${JSON.stringify(game.trace)}\n`);
  const file = {
    ...{ id: "save", class: "button", download: `game-${game.deal}.jsonl` },
    href: `data:application/x-ndjson,${saved}`,
  };
  /** @param {string} title @param {...Node} content */
  const box = (title, ...content) =>
    make("div", { class: "box" }, make("h3", {}, title), ...content);
  const fresh = makeButton(["New deal"], () => chair.again(true), { class: "go", id: "new-deal" });
  chair.lay(
    last ? resultWords(last, game.seat, names) : "",
    make(
      "div",
      { class: "two" },
      box("Was it luck?", make("div", { id: "luck" })),
      box("Your five dearest moves", make("ol", { id: "dearest" }), standingTable(state, names)),
    ),
    box("Chances to win", make("div", { id: "course" })),
    make(
      "p",
      { class: "acts" },
      fresh,
      makeButton(["The same deal again"], () => chair.again(false), { id: "again" }),
      makeButton([`Copy a link: “I had ${own}; beat it”`], () => copyLink(chair.challenge(own)), {
        id: "challenge",
      }),
      make("a", file, "Save the game"),
      make("span", { id: "copied", role: "status" }),
    ),
  );
  fresh.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** Copy the address that seats somebody else at this deal. @param {string} address */
async function copyLink(address) {
  try {
    await navigator.clipboard.writeText(address);
    part("copied").textContent = "Copied.";
  } catch {
    const words = "The browser copies nothing; this is the link.";
    part("copied").replaceChildren(make("a", { href: address }, words));
  }
}

/** The parts of a result, and what is said about them. @param {Luck} luck @param {number} seat @param {boolean} solo */
function partsOf(luck, seat, solo) {
  const mine = (/** @type {number} */ player) => player === seat;
  const others = (/** @type {number} */ player) => !mine(player);
  /** @param {Step["kind"]} kind @param {(player: number) => boolean} [by] */
  const sum = (kind, by = () => true) =>
    luck.sumOf(seat, (step) => step.kind === kind && by(step.player));
  const sums = [sum("cards"), sum("dragons"), sum("answer", others), sum("answer", mine)];
  const tenths = inTenths([chanceAt(luck.fair, seat), ...sums.map(({ value }) => value)]);
  const [fair = 0, cards = 0, dragons = 0, theirs = 0, moves = 0] = tenths;
  const result = tenths.reduce((total, value) => total + value, 0);
  const [won, chance] = [result > fair, cards + dragons];
  const dear = luck.dearest(seat);
  const cost = dear.reduce((total, step) => total + luck.change(step, seat), 0);
  const [ownDraws, allDraws] = [sum("cards", mine).value, sum("cards", others).value];
  const gave = (/** @type {number} */ value) => (value < 0 ? "cost" : "gave");
  return {
    dear,
    most: Math.max(...sums.map(({ error }) => error)),
    lucky: won ? chance > theirs + moves : chance < theirs + moves,
    said: `Cards and dragons ${gave(chance)} you ${Math.abs(chance).toFixed(1)} of 100, your moves ${gave(moves)} ${Math.abs(moves).toFixed(1)}.`,
    rows: [
      { label: solo ? "A usual deal" : "A fair share", value: fair },
      {
        ...{ label: "Cards", value: cards },
        note: `your draws ${points(ownDraws)}, all others ${points(allDraws)}`,
      },
      { label: "Dragons", value: dragons },
      { label: "Rivals’ moves", value: theirs },
      { label: "Your moves", note: `the ${dear.length} dearest: ${points(cost)}`, value: moves },
      { label: won ? "You won" : "You lost", value: Math.abs(result) },
    ],
  };
}

/** Tell luck from moves. @param {Chair} chair @param {Luck} luck */
export function tellLuck(chair, luck) {
  const { seat, seats } = chair.game;
  const { rows, said, lucky, most, dear } = partsOf(luck, seat, seats.words.solo);
  const [luckiest] = luck.draws(seat);
  const how = `Points of the chance to win, of 100, each ± ${(100 * most).toFixed(0)} at most; they add up. A move is compared with that of learned. `;
  part("luck").replaceChildren(
    make("p", {}, make("strong", {}, lucky ? "Yes, mostly. " : "No, mostly the moves. "), said),
    waterfall(rows),
    make(
      "p",
      { class: "soft" },
      how,
      ...(luckiest ? ["Luckiest: ", stepLink(chair, luck, luckiest), "."] : []),
    ),
  );
  const listed = dear.map((step) => make("li", {}, stepLink(chair, luck, step)));
  const none = make("li", {}, "None cost anything.");
  part("dearest").replaceChildren(...(listed.length ? listed : [none]));
  drawCourse(luck, chair.seen.names);
}

/** Draw the chances to win at the game's moments. @param {Luck} luck @param {import("./words.js").Names} names */
function drawCourse({ steps }, names) {
  const sure = { error: 0, cost: 0, cost_error: 0, best: "", best_chance: 0 };
  const players = [...names.players.keys()];
  const chances = steps.flatMap(({ to }, turn) =>
    players.map((player) => ({
      ...{ step: turn + 1, turn, player, chance: chanceAt(to, player) },
      ...sure,
    })),
  );
  const ages = steps.flatMap(({ age }, i) =>
    age > 0 && age !== steps[i - 1]?.age
      ? [{ step: i + 1, label: `${capital(names.words.age)} ${age}` }]
      : [],
  );
  const box = part("course");
  const width = Math.max(280, box.clientWidth);
  const { svg } = drawCurve(chances, names.players, ages, steps.length, width);
  const legend = players.flatMap((player) => [person(player, names), " "]);
  box.replaceChildren(svg, make("p", { class: "legend" }, ...legend));
}

/** A link to the position at which a step happened. @param {Chair} chair @param {Luck} luck @param {Step} step */
function stepLink(chair, luck, step) {
  const change = points(luck.change(step, chair.game.seat));
  const label = [make("b", {}, change), ` ${stepWords(chair, step)}`];
  return makeButton(label, () => review(chair, luck, step), { class: "link" });
}

/** Where and what a step was. @param {Chair} chair @param {Step} step */
function stepWords({ game, seen: { names } }, { kind, player, place, age: then }) {
  const { age = 1, turn = 0, answer, decision = "", view = 0 } = game.questions[place] ?? {};
  if (player < 0) return then ? `the deal of ${names.words.age} ${then}` : "the end";
  const drawn = (game.turns[turn] ?? []).flatMap((event) => [
    ...(event.event === "recruit" && event.source === "deck" && event.card ? [event.card] : []),
    ...(event.event === "party" ? event.drawn : []),
  ]);
  const who = shortName(player, names);
  const what =
    kind === "answer" && answer
      ? `${who}: ${answerWords(game, answer, names, decision, view)}`
      : kind === "dragons"
        ? `${does(player, "meet", names)} the dragons`
        : drawn.length
          ? `${does(player, "draw", names)} ${cardsWords(drawn)}`
          : `${does(player, "turn", names)} cards to the pool`;
  return `${capital(names.words.age)} ${age}, turn ${turn}: ${what}`;
}

/** Show the position of a step, with what was done and what `learned` would have done.
    @param {Chair} chair @param {Luck} luck @param {Step} step */
function review(chair, luck, step) {
  const { game, seen } = chair;
  const question = game.questions[step.place];
  if (!question) return;
  const { decision, answer, view, player } = question;
  const state = game.stateAt(question);
  const what = stepWords(chair, step);
  const words = (/** @type {import("./sitting.js").Answer} */ one) =>
    answerWords(game, one, seen.names, decision, view);
  const better = ` learned would: ${words(game.expertAnswer(view))}.`;
  const told = `${shortName(player, seen.names)}: ${words(answer)}.${better}`;
  const back = makeButton(["Back to the result"], () => chair.next(), {
    class: "go",
    "data-pick": true,
  });
  chair.layTable(`${what}: ${points(luck.change(step, game.seat))}`, state, seen, {
    head: ["Hand of ", person(player, seen.names)],
    hand: cardRow(state.hands[player] ?? [], seen.names, ""),
    choice: [make("p", {}, step.kind === "answer" ? told : `${what}.`)],
    acts: [back],
  });
  back.focus({ preventScroll: true });
}
