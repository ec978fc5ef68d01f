/* Judge a game while its page is used, and say what each step of it was. */

import { answerWords } from "./asking.js";
import { capital, cardsWords, does, shortName, signed } from "./words.js";

/** @import { Luck, Step } from "./luck.js" */
/** @import { Sitting } from "./sitting.js" */
/** @import { Names } from "./words.js" */

/** The pauses before games are played on, and between, in milliseconds. */
const [BEFORE, BETWEEN] = [300, 5];

/**
 * Judge a game in short slices, between which the page answers.
 * @param {Luck} luck
 * @param {(done: number) => void} tell called after each slice with the part of all that is done
 * @returns {() => void} stops
 */
export function judge(luck, tell) {
  const slice = () => {
    const done = luck.proceed();
    tell(done);
    if (done < 1) timer = setTimeout(slice, document.hidden ? BEFORE : BETWEEN);
  };
  let timer = setTimeout(slice, BEFORE);
  return () => clearTimeout(timer);
}

/** A number of points of the chance to win. @param {number} value */
export const points = (value) => signed(100 * value, 1);

/** What somebody did or drew in a step. @param {Sitting} game @param {Step} step @param {Names} names */
export function doneWords(game, { kind, player, place, turn }, names) {
  const { answer, decision, view } = game.questions[place] ?? {};
  if (kind === "answer" && answer)
    return `${shortName(player, names)}: ${answerWords(game, answer, names, decision, view)}`;
  if (kind === "dragons") return `${does(player, "meet", names)} the dragons`;
  const drawn = (game.turns[turn] ?? []).flatMap((event) => [
    ...(event.event === "recruit" && event.source === "deck" && event.card ? [event.card] : []),
    ...(event.event === "party" ? event.drawn : []),
  ]);
  return drawn.length
    ? `${does(player, "draw", names)} ${cardsWords(drawn)}`
    : `${does(player, "turn", names)} cards to the pool`;
}

/** Where and what a step was: "Age 1, turn 22: Mara: draw a card".
    @param {Sitting} game @param {Step} step @param {Names} names */
export function stepWords(game, step, names) {
  const age = `${capital(names.words.age)} ${game.questions[step.place]?.age ?? 1}`;
  return `${age}, turn ${step.turn}: ${doneWords(game, step, names)}`;
}

/** What `learned` would have answered in a step. @param {Sitting} game @param {Step} step @param {Names} names */
export function betterWords(game, step, names) {
  const question = game.questions[step.place];
  if (step.kind !== "answer" || !question) return "";
  const { decision, view } = question;
  return `learned would: ${answerWords(game, game.expertAnswer(view), names, decision, view)}.`;
}
