/* Plays games again from the answers of all seats; prints the events, the table after each turn, and
   the prestige by source.
   stdin: {lives: Live[], games: {live, seats, answers: string[]}[]}. */

import { readFileSync } from "node:fs";

const [engineFile, sittingFile, addressFile] = process.argv.slice(2);
const { openEngine } = await import(engineFile);
const { Sitting } = await import(sittingFile);
const { readAnswers } = await import(addressFile);
const { lives, games } = JSON.parse(readFileSync(0));
const engines = await Promise.all(lives.map(openEngine));
for (const { live, seats, answers } of games) {
  const given = answers.flatMap((written, player) => readAnswers(written).map((answer) => ({ player, answer })));
  const game = new Sitting(engines[live], seats, { ...seats, seat: -1 }, [], given);
  const states = game.turns.map((_, turn) => game.stateAfter(turn));
  const names = ["regions", "sea", "largest", "settlement", "parties", "powers"];
  const sources = Object.fromEntries(names.map((name) => [name, game.paidBy(name)]));
  console.log(JSON.stringify({ turns: game.turns, states, sources }));
}
