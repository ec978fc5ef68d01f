/* The end of a person's game: the result, what of it was luck, the dearest moves, and their positions. */

import { make, makeButton, part } from "../rendering/templates/elements.js";
import { inTenths, standingTable, waterfall } from "./account.js";
import { cardRow, person } from "./board.js";
import { drawCourse } from "./chances.js";
import { betterWords, doneWords, points, stepWords, whereWords } from "./judging.js";
import { chanceAt } from "./luck.js";
import { resultWords } from "./words.js";

/** @import { Luck, Step } from "./luck.js" */
/** @import { Chair } from "./seat.js" */

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
    box("Chances to win", make("div", { id: "chart" })),
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
  const [won, chance, skill] = [result > fair, cards + dragons, theirs + moves];
  const lucky = won ? chance > skill : chance < skill;
  const most = Math.max(...sums.map(({ error }) => error));
  const dear = luck.dearest([seat]);
  const cost = dear.reduce((total, step) => total + luck.change(step, seat), 0);
  const [ownDraws, allDraws] = [sum("cards", mine).value, sum("cards", others).value];
  const gave = (/** @type {number} */ value) => (value < 0 ? "cost" : "gave");
  const size = (/** @type {number} */ value) => Math.abs(value).toFixed(1);
  return {
    dear,
    most,
    verdict:
      Math.abs(skill - chance) < 100 * most
        ? "Hard to say. "
        : lucky
          ? "Yes, mostly. "
          : "No, mostly the moves. ",
    said: `Cards and dragons ${gave(chance)} you ${size(chance)} of 100, your moves ${gave(moves)} ${size(moves)}${solo ? "" : `, your rivals’ moves ${gave(theirs)} ${size(theirs)}`}.`,
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
  const { rows, said, verdict, most, dear } = partsOf(luck, seat, seats.words.solo);
  const [luckiest] = luck.draws(seat);
  const how = `Points of the chance to win, of 100, each ± ${(100 * most).toFixed(0)} at most; they add up. A move is compared with that of learned. `;
  part("luck").replaceChildren(
    make("p", {}, make("strong", {}, verdict), said),
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
  const { names } = chair.seen;
  const box = part("chart");
  drawCourse(luck, names, box);
  const legend = names.players.flatMap((_, player) => [person(player, names), " "]);
  box.append(make("p", { class: "legend" }, ...legend));
}

/** A link to the position at which a step happened. @param {Chair} chair @param {Luck} luck @param {Step} step */
function stepLink(chair, luck, step) {
  const change = points(luck.change(step, chair.game.seat));
  const label = [make("b", {}, change), ` ${stepWords(chair.game, step, chair.seen.names)}`];
  return makeButton(label, () => review(chair, luck, step), { class: "link" });
}

/** Show the position of a step, with what was done and what `learned` would have done.
    @param {Chair} chair @param {Luck} luck @param {Step} step */
function review(chair, luck, step) {
  const { game, seen } = chair;
  const question = game.questions[step.place];
  if (!question) return;
  const { player } = question;
  const state = game.stateAt(question);
  const back = makeButton(["Back to the result"], () => chair.next(), {
    class: "go",
    "data-pick": true,
  });
  const cost = `${points(luck.change(step, game.seat))} of 100`;
  const own = player === game.seat;
  chair.layTable(`${whereWords(game, step, seen.names)}: ${cost}`, state, seen, {
    head: own ? ["Your hand"] : ["Hand of ", person(player, seen.names)],
    hand: cardRow(state.hands[player] ?? [], seen.names, ""),
    choice: [
      make("p", {}, `${doneWords(game, step, seen.names)}. ${betterWords(game, step, seen.names)}`),
    ],
    acts: [back],
  });
  back.focus({ preventScroll: true });
}
