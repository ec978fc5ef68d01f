/* Plays games to their end by random choices of what the page offers, and prints their traces.
   stdin: {lives: Live[], games: {live, seats, seat, deal, strategies, dice}[]}. */

import { readFileSync } from "node:fs";

const [engineFile, sittingFile] = process.argv.slice(2);
const { openEngine } = await import(engineFile);
const { Sitting } = await import(sittingFile);
const { lives, games } = JSON.parse(readFileSync(0));
const engines = await Promise.all(lives.map(openEngine));

/** Numbers from 0 to 1, the same for the same seed. @param {number} state */
function diceOf(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

let slowest = 0;
for (const { live, seats, dice, ...chosen } of games) {
  const engine = engines[live];
  const mark = engine.top;
  const game = new Sitting(engine, seats, chosen);
  const roll = diceOf(dice);
  const asked = [];
  while (!game.over) {
    asked.push({ decision: game.now.decision, events: game.turns.flat(), state: game.stateAfter(game.turns.length - 1) });
    const ends = game.options.find(({ action }) => action === seats.actions.no);
    const taken = ends && roll() < 1 / 3 ? ends : game.options[Math.floor(roll() * game.options.length)];
    const begun = performance.now();
    game.act(taken);
    slowest = Math.max(slowest, performance.now() - begun);
    if (roll() < 0.02 && game.answers.length) game.back();
  }
  console.log(JSON.stringify({ trace: game.trace, asked, state: game.stateAfter(game.turns.length - 1) }));
  engine.release(mark);
}
console.log(JSON.stringify({ slowest }));
