/* Tells luck from moves in games of strategies; prints what each kind of step changed for
   each seat, and how far each age's first dragon lies below the place where the first may lie.
   stdin: {lives: Live[], games: {live, seats, strategies, deals: number[], each}[]}. */

import { readFileSync } from "node:fs";

const [engineFile, sittingFile, luckFile] = process.argv.slice(2);
const { openEngine } = await import(engineFile);
const { Sitting } = await import(sittingFile);
const { chanceAt, Luck } = await import(luckFile);
const { lives, games } = JSON.parse(readFileSync(0));
const engines = await Promise.all(lives.map(openEngine));
for (const { live, seats, strategies, deals, each } of games) {
  const engine = engines[live];
  const mark = engine.top;
  for (const deal of deals) {
    engine.release(mark);
    const luck = new Luck(new Sitting(engine, seats, { seat: -1, deal, strategies }));
    luck.advance(each);
    const sums = Array.from({ length: luck.sides }, (_, seat) => {
      const of = (kind, mine) =>
        luck.sumOf(seat, (step) => step.kind === kind && (kind !== "answer" || (step.player === seat) === mine)).value;
      return {
        ...{ fair: chanceAt(luck.fair, seat), cards: of("cards"), dragons: of("dragons") },
        ...{ own: of("answer", true), others: of("answer", false), result: luck.game.winsIn()[seat] },
      };
    });
    const erring = [...new Set(luck.steps.filter(({ kind }) => kind === "answer").map(({ player }) => player))];
    const spare = luck.orders.map(({ order, bottom }) => order.indexOf(63) - bottom);
    console.log(JSON.stringify({ sums, erring, spare }));
  }
}
