/* The script of a game's page: it shows a game that was played, if the page has one, and offers a seat. */

import { NEEDS, openEngine, supported } from "../live/engine.js";
import { part } from "../rendering/templates/elements.js";
import { readAnswers } from "./address.js";
import { Chair } from "./seat.js";

/** The names at the table. @type {import("./words.js").Names} */
const names = JSON.parse(part("names").textContent);
/** The engine, the table, and each seat's answers if the page has a game. */
const { live, seats, answers } = JSON.parse(part("live").textContent);

/** Open the engine, show the page's game and offer a seat. */
async function open() {
  const engine = await openEngine(live);
  const given = answers?.flatMap((/** @type {string} */ written, /** @type {number} */ player) =>
    readAnswers(written).map((answer) => ({ player, answer })),
  );
  new Chair(engine, { seats, names }, given ?? null).open();
}

if (!answers) {
  document.title = names.title;
  part("title").textContent = names.title;
}
if (supported()) open();
else part("unseated").textContent = NEEDS;
