/* What the address of a game's page says: the turn that is watched, "#turn=37", or the game of a person at the table, "#deal=417&chair=0&rivals=learned,greedy&answers=1_2.3.4.f". */

/** @import { Answer } from "./sitting.js" */
/**
 * A person's game: the deal, the person's seat, the strategies by seat, the answers so far, and the points
 * of somebody else at this deal, which stay in the address (0 for none).
 * @typedef {{deal: number, seat: number, strategies: string[], answers: Answer[], beat?: number}} Kept
 */

/** The fields of an answer, in the order in which they are written. */
export const FIELDS = /** @type {const} */ (["kind", "leader", "choice", "once", "twice"]);

/** @param {string} hash */
const saidIn = (hash) => new URLSearchParams(hash.replace(/^#/, ""));

/** Read the turn from an address; turn 0 if it is wrong. @param {string} hash @param {number} last turn
    @param {number} first the turn if the address says none */
export function readTurn(hash, last, first = 0) {
  const turn = Number(saidIn(hash).get("turn") ?? first);
  return Number.isInteger(turn) ? Math.min(last, Math.max(0, turn)) : 0;
}

/** Write into an address, beside what else it says; "" takes a word out. @param {string} hash @param {Record<string, string | number>} words */
export function writeWords(hash, words) {
  const said = saidIn(hash);
  for (const [word, value] of Object.entries(words))
    if (value === "") said.delete(word);
    else said.set(word, String(value));
  return `#${said}`;
}

/** Answers in hexadecimal digits (`person_name` in simulator/stepping/person.py). @param {Answer[]} answers */
export const writeAnswers = (answers) =>
  answers
    .map((answer) => FIELDS.map((field) => answer[field].toString(16)).join("."))
    .map((written) => written.replace(/(\.0)+$/, ""))
    .join("_");

/** @param {string} written @returns {Answer[]} */
export const readAnswers = (written) =>
  written.split("_").flatMap((answer) => {
    if (!/^[0-9a-f]+(\.-?[0-9a-f]+){0,2}(\.[0-9a-f]+){0,2}$/.test(answer)) return [];
    const fields = answer.split(".");
    const [kind = 0, leader = 0, choice = 0] = fields.map((field) => Number.parseInt(field, 16));
    const [once = 0n, twice = 0n] = fields.slice(3).map((field) => BigInt(`0x${field}`));
    return { kind, leader, choice, once, twice };
  });

/** Read a person's game from an address; null if it says none. @param {string} hash @returns {Kept | null} */
export function readKept(hash) {
  const said = saidIn(hash);
  const [deal, seat] = [Number(said.get("deal")), Number(said.get("chair"))];
  if (!said.has("deal") || !Number.isSafeInteger(deal) || deal < 0) return null;
  const strategies = (said.get("rivals") ?? "").split(",").filter(Boolean);
  const answers = readAnswers(said.get("answers") ?? "");
  return { deal, seat, strategies, answers, beat: Number(said.get("beat")) };
}

/** Write a person's game into an address, beside what else it says. @param {string} hash @param {Kept} kept */
export const writeKept = (hash, { deal, seat, strategies, answers }) =>
  writeWords(hash, {
    ...{ turn: "", deal, chair: seat, rivals: strategies.join(",") },
    answers: writeAnswers(answers),
  });
