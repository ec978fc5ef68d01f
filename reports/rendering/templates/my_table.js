/* The bar that decides what the page shows, and what it answers about the reader's own clans. */

import { points, readChoice, sureEffects, worths, writeChoice } from "./company.js";
import { make } from "./elements.js";
import { showSections } from "./following.js";

/** @typedef {import("./company.js").Choice} Choice */

const MOST_EFFECTS = 6;

/**
 * A list to choose from.
 * @param {string} name
 * @param {[string, string][]} options values and what they are called
 * @param {string} chosen
 */
function select(name, options, chosen) {
  const list = /** @type {HTMLSelectElement} */ (
    make(
      "select",
      { name },
      ...options.map(([value, text]) =>
        make("option", { value, selected: value === chosen }, text),
      ),
    )
  );
  return list;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The rows of a table of clans: a bar from nothing to the worth, and both in numbers.
 * @param {Choice} choice
 * @param {string[]} clans
 */
function worthTable(choice, clans) {
  const found = worths(choice, clans);
  const most = Math.max(0.01, ...found.map(({ worth: [value, half] }) => value + half));
  const seen = found.some(({ played }) => played);
  const heads = [
    "Clan",
    "Worth, points of winning chance",
    "",
    ...(seen ? ["Played in this set"] : []),
  ];
  const rows = found.map(({ clan, worth, played }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, choice.clans[clan] ?? clan),
      make("td", {}, points(worth)),
      make("td", { class: "bar" }, bar(worth, most)),
      ...(seen ? [make("td", {}, played ? points(played) : "\u2013")] : []),
    ),
  );
  return make(
    "table",
    {},
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        ...heads.map((head) => make(head ? "th" : "td", head ? { scope: "col" } : {}, head)),
      ),
    ),
    make("tbody", {}, ...rows),
  );
}

/**
 * @param {import("./company.js").Pair} worth
 * @param {number} most
 */
function bar([value, half], most) {
  /** @param {number} share */
  const percent = (share) => `${Math.min(100, Math.max(0, (100 * share) / most)).toFixed(1)}%`;
  return make(
    "span",
    { class: "worth", "aria-hidden": "true" },
    make("span", { class: "value", style: `width: ${percent(value)}` }),
    make("span", {
      class: "interval",
      style: `left: ${percent(value - half)}; right: calc(100% - ${percent(value + half)})`,
    }),
  );
}

/** As many decimals as the interval deserves. @param {number} value @param {number} half */
function shownCount(value, half) {
  const decimals = half < 0.01 ? 3 : 2;
  return `${value.toFixed(decimals)} ± ${half.toFixed(decimals)}`;
}

/**
 * Sentences about a set: company, seats, length, winners.
 * @param {Choice} choice
 * @param {string[]} clans
 */
function sentences(choice, clans) {
  /** @param {string} clan */
  const name = (clan) => choice.clans[clan] ?? clan;
  const lines = sureEffects(choice, clans)
    .slice(0, MOST_EFFECTS)
    .map(
      ({ clan, other, effect }) =>
        `${name(other)} at the table ${effect[0] > 0 ? "helps" : "hurts"} ${name(clan)}: ${points(effect)} points.`,
    );
  if (choice.seat) {
    lines.push(`Who acts first wins ${points(choice.seat)} points against a fair share.`);
  }
  if (choice.turns) {
    const [turns, half] = choice.turns;
    const each = (turns / choice.players).toFixed(0);
    lines.push(`A game takes ${turns.toFixed(0)} ± ${half.toFixed(1)} turns, ${each} a player.`);
  }
  for (const [label, value, half] of choice.ways) {
    if (Math.abs(value) <= half) continue;
    lines.push(
      `${label}: winners ${shownCount(Math.abs(value), half)} ${value > 0 ? "more" : "fewer"} than losers.`,
    );
  }
  for (const clan of clans) {
    const gap = choice.gaps[clan];
    if (gap && Math.abs(gap[0]) > gap[1]) {
      lines.push(
        `Winners lead ${name(clan)} ${gap[0] > 0 ? "more" : "less"} often: ${points(gap)} points of their parties.`,
      );
    }
  }
  return make("ul", {}, ...lines.map((line) => make("li", {}, line)));
}

/**
 * What is said of the chosen clans, or how many are missing.
 * @param {Choice} choice
 * @param {string[]} clans
 */
function answer(choice, clans) {
  const missing = choice.size - clans.length;
  if (missing > 0) {
    return [make("p", { class: "note" }, `Choose ${missing} more of ${choice.size} clans.`)];
  }
  const silent = clans.filter((clan) => !choice.worth[clan]).map((clan) => choice.clans[clan]);
  return [
    worthTable(choice, clans),
    ...(silent.length
      ? [
          make(
            "p",
            { class: "note" },
            `${silent.join(", ")} never leads, or was played too seldom.`,
          ),
        ]
      : []),
    sentences(choice, clans),
    make(
      "p",
      { class: "note" },
      `Worth: what a player loses who may not lead the clan while all others may, in this company. From a model over the ${choice.sets} sets that ${choice.who} played; ± is 95 %. Seats, length and winners are over all sets played.`,
    ),
  ];
}

/**
 * Let the rest of the page follow. Sections that are about one kind of table show the chosen one;
 * of those that hold several together, panels of other editions go.
 * @param {Choice[]} all
 * @param {Choice | undefined} choice
 * @param {string} title the edition's heading, or "" for all
 */
async function follow(all, choice, title) {
  if (!(await showSections(choice?.sections ?? ""))) return;
  const titles = new Set(all.map((each) => each.title));
  for (const article of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(".panels > article")
  )) {
    const own = article.firstElementChild?.textContent ?? "";
    article.hidden = title !== "" && titles.has(own) && own !== title;
  }
}

/** Put the bar on the page, if the page has anything to choose from. */
export function offerChoices() {
  const data = document.getElementById("choices");
  const place = document.getElementById("my-table");
  if (!data || !place) return;
  /** @type {Choice[]} */
  const all = JSON.parse(data.textContent ?? "[]");
  /** @type {{setting: string, players: number | null, clans: string[], who: string}} */
  let chosen = { setting: "", players: null, clans: [], who: "" };

  const here = () =>
    all.filter((choice) => choice.setting === chosen.setting && choice.players === chosen.players);

  /** @param {Partial<typeof chosen>} change */
  const choose = (change) => {
    chosen = { ...chosen, ...change };
    history.replaceState(null, "", chosen.setting ? writeChoice(chosen) : location.pathname);
    show();
  };

  const bar = () => {
    /** @type {[string, string][]} */
    const settings = [...new Map(all.map((choice) => [choice.setting, choice.title]))];
    const counts = [
      ...new Set(
        all.filter((choice) => choice.setting === chosen.setting).map((choice) => choice.players),
      ),
    ].sort();
    const edition = select("setting", [["", "all"], ...settings], chosen.setting);
    edition.addEventListener("change", () => choose({ setting: edition.value, clans: [] }));
    const players = select(
      "players",
      [
        ["", "all"],
        ...counts.map((count) => /** @type {[string, string]} */ ([String(count), String(count)])),
      ],
      String(chosen.players ?? ""),
    );
    players.addEventListener("change", () =>
      choose({ players: players.value ? Number(players.value) : null, clans: [] }),
    );
    const who = select(
      "who",
      here().map((choice) => [choice.who, capital(choice.who)]),
      chosen.who,
    );
    who.addEventListener("change", () => choose({ who: who.value }));
    const parts = [make("label", {}, "Edition ", edition)];
    if (chosen.setting) parts.push(make("label", {}, "Players ", players));
    if (here().length) parts.push(make("label", {}, "Who played ", who));
    return make("p", { class: "choice" }, ...parts);
  };

  /** @param {Choice} choice */
  const chips = (choice) =>
    make(
      "fieldset",
      { class: "chips" },
      make("legend", {}, `My clans, ${chosen.clans.length} of ${choice.size}`),
      ...Object.entries(choice.clans).map(([clan, label]) => {
        const on = chosen.clans.includes(clan);
        const full = chosen.clans.length >= choice.size;
        const box = make("input", {
          type: "checkbox",
          value: clan,
          checked: on,
          disabled: full && !on,
        });
        box.addEventListener("change", () => {
          const clans = on
            ? chosen.clans.filter((other) => other !== clan)
            : [...chosen.clans, clan];
          choose({ clans });
          /** @type {HTMLElement | null} */ (
            place.querySelector(`input[value="${clan}"]`)
          )?.focus();
        });
        return make("label", {}, box, ` ${label}`);
      }),
    );

  const show = () => {
    const found = here();
    const choice = found.find(({ who }) => who === chosen.who) ?? found[0];
    if (choice) {
      const clans = chosen.clans.filter((clan) => clan in choice.clans).slice(0, choice.size);
      chosen = { ...chosen, clans, who: choice === found[0] ? "" : choice.who };
    }
    const title = all.find(({ setting }) => setting === chosen.setting)?.title ?? "";
    const parts = [make("h2", {}, "Your table"), bar()];
    if (choice)
      parts.push(
        chips(choice),
        make("div", { "aria-live": "polite" }, ...answer(choice, chosen.clans)),
      );
    else
      parts.push(
        make(
          "p",
          { class: "note" },
          "Choose an edition and a number of players: the page follows, and answers for your own clans.",
        ),
      );
    place.replaceChildren(...parts);
    follow(all, choice, title);
  };

  const read = () => {
    const said = readChoice(location.hash);
    const known = said !== null && all.some(({ setting }) => setting === said.setting);
    if (known) chosen = said;
    return known;
  };
  place.hidden = false;
  window.addEventListener("hashchange", () => read() && show());
  read();
  show();
}
