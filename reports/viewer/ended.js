/* The end of a person's game: the result, and what of it was luck. */

import { make, makeButton, part } from "../rendering/templates/elements.js";
import { inTenths, waterfall } from "./account.js";
import { chanceAt } from "./luck.js";
import { resultWords } from "./words.js";

/** @import { Luck, Step } from "./luck.js" */
/** @import { Chair } from "./seat.js" */

/** Show the result, and room for what is told when enough games are played on. @param {Chair} chair */
export function showEnd(chair) {
  const { game, seen } = chair;
  const last = game.turns.flat().at(-1);
  const own = last?.prestige[game.seat] ?? 0;
  const saved = encodeURIComponent(`${JSON.stringify(game.trace)}\n`);
  const file = {
    ...{ id: "save", class: "button", download: `game-${game.deal}.jsonl` },
    href: `data:application/x-ndjson,${saved}`,
  };
  const fresh = makeButton(["New deal"], () => chair.again(true), { class: "go", id: "new-deal" });
  const invite = [`Copy a link: “I had ${own}; beat it”`];
  chair.lay(
    last ? resultWords(last, game.seat, seen.names) : "",
    make(
      "p",
      { class: "acts" },
      fresh,
      makeButton(["The same deal again"], () => chair.again(false), { id: "again" }),
      makeButton(invite, () => copyLink(chair.challenge(own)), { id: "challenge" }),
      make("a", file, "Save the game"),
      make("span", { id: "copied", role: "status" }),
    ),
    make(
      "div",
      { class: "box" },
      make("h3", {}, "Was it luck?"),
      make("div", { id: "luck" }, "The page judges every turn of the game first."),
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

/** Tell luck from moves. @param {Luck} luck */
export function tellLuck(luck) {
  const { seat, seats } = luck.game;
  const { solo } = seats.words;
  /** @type {Record<string, (step: Step) => boolean>} */
  const parts = {
    Cards: ({ kind }) => kind === "cards",
    Dragons: ({ kind }) => kind === "dragons",
    "Rivals’ moves": ({ kind, player }) => kind === "answer" && player !== seat,
    "Your moves": ({ kind, player }) => kind === "answer" && player === seat,
  };
  const sums = Object.values(parts).map((wanted) => luck.sumOf(seat, wanted));
  const tenths = inTenths([chanceAt(luck.fair, seat), ...sums.map(({ value }) => value)]);
  const [fair = 0, cards = 0, dragons = 0, theirs = 0, moves = 0] = tenths;
  const result = tenths.reduce((total, value) => total + value, 0);
  const [won, chance, skill] = [result > fair, cards + dragons, theirs + moves];
  const lucky = won ? chance > skill : chance < skill;
  const most = 100 * Math.max(...sums.map(({ error }) => error));
  const verdict = lucky ? "Yes, mostly. " : "No, mostly the moves. ";
  const gave = (/** @type {number} */ value) => (value < 0 ? "cost" : "gave");
  const size = (/** @type {number} */ value) => Math.abs(value).toFixed(1);
  const rivals = solo ? "" : `, your rivals’ moves ${gave(theirs)} ${size(theirs)}`;
  const said = `Cards and dragons ${gave(chance)} you ${size(chance)} of 100, your moves ${gave(moves)} ${size(moves)}${rivals}.`;
  const how = `Points of the chance to win, of 100, each ± ${most.toFixed(0)} at most; they add up. A move is compared with that of learned.`;
  const shown = Math.abs(skill - chance) < most ? "Hard to say. " : verdict;
  part("luck").replaceChildren(
    make("p", {}, make("strong", {}, shown), said),
    waterfall([
      { label: solo ? "A usual deal" : "A fair share", value: fair },
      ...Object.keys(parts).map((label, i) => ({ label, value: tenths[i + 1] ?? 0 })),
      { label: won ? "You won" : "You lost", value: Math.abs(result) },
    ]),
    make("p", { class: "soft" }, how),
  );
}
