/* What a reader chooses: edition, mode, players, who plays, and clans; all of the page follows. */

import { make } from "./elements.js";
import { drawn, tableOf } from "./figures.js";
import { strongest, sureEffects, worths } from "./interactions.js";
import { fixed } from "./numbers.js";

/** @typedef {import("./interactions.js").Choice} Choice */
/** @typedef {{edition: string, mode: string, players: number, who: string}} Table */
/** @typedef {Table & {clans: string[]}} Chosen */

const MOST_EFFECTS = 4;
const NAMES = { edition: "Edition", mode: "Mode", players: "Players", who: "Played by" };

/** @param {Table} table @returns {Table} */
const tableOfChoice = ({ edition, mode, players, who }) => ({ edition, mode, players, who });

/**
 * What an address chooses: "#2nd edition;standard;4;learned;fox,koi"; null for any other.
 * @param {string} hash
 * @returns {Chosen | null}
 */
export function readChoice(hash) {
  const parts = hash.slice(1).split(";").map(decodeURIComponent);
  const [edition, mode, players, who, clans = ""] = parts;
  if (!edition || !mode || !players || !who) return null;
  const named = [...new Set(clans.split(",").filter(Boolean))];
  return { edition, mode, players: Number(players), who, clans: named };
}

/** @param {Chosen} chosen */
export const writeChoice = ({ edition, mode, players, who, clans }) =>
  `#${[edition, mode, players, who, clans.join(",")].map(encodeURIComponent).join(";")}`;

/**
 * The choice of a table; undefined for one that was not played.
 * @param {Choice[]} all
 * @param {Table} chosen
 */
export const found = (all, chosen) =>
  all.find((each) =>
    Object.entries(tableOfChoice(chosen)).every(
      ([key, value]) => each[/** @type {keyof Table} */ (key)] === value,
    ),
  );

/**
 * What is missing, in words, and the nearest table that was played.
 * @param {Choice[]} all
 * @param {Table} chosen
 */
export function missing(all, chosen) {
  const mode = chosen.mode === "standard" ? "" : `, ${chosen.mode}`;
  const text = `${chosen.who} did not play the ${chosen.edition}${mode} with ${chosen.players} players.`;
  /** @param {Choice} each */
  const distance = (each) =>
    8 * Number(each.edition !== chosen.edition) +
    8 * Number(each.mode !== chosen.mode) +
    8 * Number(each.players !== chosen.players) +
    Number(each.who !== chosen.who);
  const nearest = [...all].sort((a, b) => distance(a) - distance(b))[0];
  return { text, nearest };
}

/**
 * Buttons for what may be chosen of one kind, or a list where that is long.
 * @param {Choice[]} all
 * @param {Chosen} chosen
 * @param {keyof Table} key
 * @param {(change: Partial<Chosen>) => void} choose
 */
function control(all, chosen, key, choose) {
  const options = [...new Set(all.map((each) => each[key]))];
  if (key === "players") options.sort();
  if (options.length < 2) return [];
  /** @param {string} text */
  const value = (text) => ({ [key]: key === "players" ? Number(text) : text });
  if (key === "who") {
    const list = /** @type {HTMLSelectElement} */ (
      make(
        "select",
        { name: key },
        ...options.map((option) =>
          make("option", { value: option, selected: option === chosen[key] }, option),
        ),
      )
    );
    list.addEventListener("change", () => choose(value(list.value)));
    return [make("label", {}, `${NAMES[key]} `, list)];
  }
  const buttons = options.map((option) => {
    const pressed = String(option === chosen[key]);
    const button = make(
      "button",
      { type: "button", "aria-pressed": pressed, "data-key": `${key}-${option}` },
      option,
    );
    button.addEventListener("click", () => choose(value(String(option))));
    return button;
  });
  return [
    make(
      "div",
      { role: "group", "aria-label": NAMES[key] },
      make("span", {}, NAMES[key]),
      ...buttons,
    ),
  ];
}

/**
 * Which clans may be the strongest, as a sentence: ties are told as ties.
 * @param {string[]} best
 * @param {number} all how many clans there are
 */
export function bestOf(best, all) {
  const last = best.at(-1) ?? "";
  if (best.length === 1) return `${last} is the strongest of these.`;
  if (best.length === all) return "No clan stands out: their intervals all reach the first one's.";
  return `${best.slice(0, -1).join(", ")} or ${last} is the strongest: too close to tell.`;
}

/**
 * What is said of the reader's clans, or how many to add or take away.
 * @param {Choice} choice
 * @param {string[]} clans
 * @param {number} width
 */
function answer(choice, clans, width) {
  /** @param {string} clan */
  const name = (clan) => choice.clans[clan] ?? clan;
  const more = choice.size - clans.length;
  if (more) {
    const what = `${Math.abs(more)} ${more > 0 ? "more" : "fewer"}`;
    return [
      make("p", {}, `Choose ${what}: ${choice.players} players play with ${choice.size} clans.`),
    ];
  }
  const values = worths(choice, clans);
  const marks = values.map(({ clan, worth: [value, half] }) => ({
    label: name(clan),
    series: "",
    across: null,
    hollow: Math.abs(value) < half,
    number: { value, low: value - half, high: value + half, games: 0, unit: "share_difference" },
  }));
  /** @type {import("./figures.js").Figure} */
  const figure = {
    kind: "intervals",
    title: "What your clans are worth",
    axis: "games of 100, against the average of these clans",
    across: "",
    middle: 0,
    band: 0,
    marks,
  };
  const best = strongest(values).map(({ clan }) => name(clan));
  const effects = sureEffects(choice, clans)
    .slice(0, MOST_EFFECTS)
    .map(({ clan, other, effect: [value, half] }) => {
      const size = `${fixed(100 * Math.abs(value), 1)} of 100 games (±\u00a0${fixed(100 * half, 1)})`;
      return `${name(other)} at the table makes ${name(clan)} ${value > 0 ? "stronger" : "weaker"}: by ${size}.`;
    });
  const silent = clans.filter((clan) => !choice.worth[clan]).map(name);
  if (silent.length) effects.push(`Of ${silent.join(", ")} too little was played.`);
  if (!best.length) return effects.map((text) => make("p", {}, text));
  return [
    make("p", {}, make("b", {}, bestOf(best, values.length))),
    drawn(figure, width),
    make("details", {}, make("summary", {}, "Numbers"), tableOf(figure)),
    ...effects.map((text) => make("p", {}, text)),
    make(
      "p",
      { class: "note" },
      `From a model over ${choice.sets} clan sets; each line is a 95 % interval of its own.`,
    ),
  ];
}

/**
 * The bar of choices and the reader's clans.
 * @param {Choice[]} all
 * @param {Chosen} chosen
 * @param {boolean} open whether the clans are shown
 * @param {(change: Partial<Chosen>, open?: boolean) => void} choose
 */
export function bar(all, chosen, open, choose) {
  const keys = /** @type {(keyof Table)[]} */ (["edition", "mode", "players", "who"]);
  const parts = keys.flatMap((key) => control(all, chosen, key, choose));
  const choice = found(all, chosen);
  if (!choice || !Object.keys(choice.worth).length) {
    const who = all.find((each) => Object.keys(each.worth).length)?.who;
    const only = who ? [make("span", { class: "note" }, `My clans: as “${who}” plays them.`)] : [];
    return [make("div", { class: "bar" }, ...parts, ...only)];
  }
  const toggle = make(
    "button",
    { type: "button", "aria-expanded": String(open), "data-key": "clans" },
    "My clans",
  );
  toggle.addEventListener("click", () => choose({}, !open));
  const top = make("div", { class: "bar" }, ...parts, toggle);
  return open ? [top, clansOf(choice, chosen, choose)] : [top];
}

/**
 * Boxes for the clans, and what is said of those that are ticked.
 * @param {Choice} choice
 * @param {Chosen} chosen
 * @param {(change: Partial<Chosen>, open?: boolean) => void} choose
 */
function clansOf(choice, chosen, choose) {
  const mine = chosen.clans.filter((clan) => clan in choice.clans);
  const boxes = Object.entries(choice.clans).map(([clan, label]) => {
    const box = make("input", {
      type: "checkbox",
      checked: mine.includes(clan),
      "data-key": `clan-${clan}`,
    });
    box.addEventListener("change", () =>
      choose({
        clans: mine.includes(clan) ? mine.filter((other) => other !== clan) : [...mine, clan],
      }),
    );
    return make("label", {}, box, ` ${label}`);
  });
  const legend = make("legend", {}, `My clans: ${mine.length} of ${choice.size}`);
  const width = Math.min(640, document.documentElement.clientWidth - 48);
  return make(
    "section",
    { id: "my-clans", "aria-live": "polite" },
    make("fieldset", {}, legend, ...boxes),
    ...answer(choice, mine, width),
  );
}
