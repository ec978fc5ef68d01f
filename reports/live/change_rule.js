/* The panel "Change a rule": play the printed and the changed rules on the same deals. */

import { focusOn, make, makeButton, makeTable } from "../rendering/templates/elements.js";
import { matching, problemOf, readValue, shapeOf, written } from "./changes.js";
import { changesOf, endOf, isOpen, linesOf, lookAfter, rowOf, verdictsAfter } from "./compared.js";
import { reachOf } from "./estimates.js";
import { makePanel } from "./panel.js";
import { taskOf } from "./playing.js";
import { cellsOf, gamesOfRound } from "./study.js";
import { commandLine } from "./table.js";

/** @import { Changes, RuleValue } from "./changes.js" */
/** @import { Pool, Progress } from "./playing.js" */
/** @import { Table } from "./table.js" */

/** The seconds after which play stops until the reader continues it. */
const SECONDS = 30;

/**
 * Make the panel; `show` sets the table and the changed values.
 * @param {() => Pool} opened
 * @param {(change: {changes: string[]}) => void} choose
 * @param {import("./compared.js").Margins} margins
 */
export function changeRule(opened, choose, margins) {
  const panel = makePanel("change-rule", "Change a rule", "Play both", opened);
  const search = /** @type {HTMLInputElement} */ (
    make("input", {
      type: "search",
      placeholder: "bear, glory, first player …",
      autocomplete: "off",
    })
  );
  const hits = make("ul", { class: "hits" });
  const changed = make("div", { class: "changes" });
  const where = make("p", { class: "note" });
  panel.controls.append(make("label", {}, "Find a rule: ", search), hits, changed, where);
  /** @type {Table | null} */
  let now = null;
  let shown = "";
  /** The text typed for each value, by its name. @type {Map<string, string>} */
  let typed = new Map();
  /** The changed values, if they can be played. @type {Changes} */
  let valid = {};

  const settle = () => choose({ changes: [...typed].map(([name, text]) => `${name}=${text}`) });
  search.addEventListener("input", list);

  /** List the values that the search finds; a click on a value adds it to the changed values. */
  function list() {
    const asked = search.value.trim();
    const matches =
      now && asked ? matching(now.fields, asked, now.players, inPlay(now), now.alike) : [];
    const left = matches.filter(({ name }) => !typed.has(name));
    const items = left.map(({ name, meaning, value }) => {
      const about = ` – ${meaning}; printed: ${written(value)}`;
      const take = () => {
        typed.set(name, written(value));
        search.value = "";
        settle();
        focusOn(changed, `[data-key="value-${CSS.escape(name)}"]`);
      };
      return make("li", {}, makeButton([make("b", {}, name), about], take));
    });
    hits.replaceChildren(
      ...items,
      ...(asked && !left.length ? [make("li", {}, "No rule has all these words.")] : []),
    );
  }

  /** The line of a changed value, with its input. @param {RuleValue} rule */
  function line(rule) {
    const { name, meaning } = rule;
    const text = typed.get(name) ?? "";
    const attributes = { "data-key": `value-${name}`, "aria-describedby": `${name}-printed` };
    const options = ["true", "false"].map((word) =>
      make("option", { value: word, selected: word === text }, word),
    );
    const input = /** @type {HTMLInputElement} */ (
      rule.switch
        ? make("select", attributes, ...options)
        : make("input", { ...attributes, value: text, size: Math.max(4, text.length) })
    );
    input.addEventListener("change", () => {
      typed.set(name, input.value.trim());
      settle();
    });
    const leaveOut = () => {
      typed.delete(name);
      settle();
      search.focus();
    };
    const out = makeButton(["×"], leaveOut, {
      ...{ "aria-label": `Leave out ${name}`, "data-key": `out-${name}` },
    });
    const label = make("label", {}, make("b", {}, name), ` (${meaning}) `, input);
    const printed = ` printed: ${written(rule.value)}; ${shapeOf(rule)} `;
    return make(
      "p",
      {},
      label,
      make("span", { class: "note", id: `${name}-printed` }, printed),
      out,
    );
  }

  /** The changed values, and the reason if they cannot be played, else "". @param {Table} table @param {string[][]} sets */
  function asked(table, sets) {
    /** @type {Changes} */
    const changes = {};
    for (const [name, text] of typed) {
      const rule = table.fields.find((field) => field.name === name);
      const value = rule ? readValue(rule, text) : null;
      if (!rule) return { changes, problem: `There is no rule ${name} here.` };
      if (value === null) return { changes, problem: `${name} must be ${shapeOf(rule)}.` };
      if (!inPlay(table)(rule)) return { changes, problem: `${name}: this clan is not in play.` };
      if (written(value) !== written(rule.value)) changes[name] = value;
    }
    const problems = sets.map((clans) => problemOf(table.fields, changes, { ...table, clans }));
    const same = Object.keys(changes).length
      ? ""
      : "Type a value that differs from the printed one.";
    return { changes, problem: problems.find(Boolean) ?? same };
  }

  /** @param {Table} table @param {string[][]} sets @param {Changes} changes */
  function hold(table, sets, changes) {
    const cells = cellsOf(sets, table.leads);
    let limit = SECONDS;
    let look = lookAfter(0);
    /** @type {string[]} */
    let words = [];
    /** @param {Progress} progress */
    const lines = ({ sums }) => linesOf(table, cells, Object.keys(changes), sums, margins);
    const settled = () => words.filter((word) => !isOpen(word)).length;
    panel.hold({
      ...{ cells, sides: [taskOf(cells, table, {}), taskOf(cells, table, changes)] },
      border: lookAfter,
      begin: ({ seconds }) => {
        limit = seconds + SECONDS;
      },
      enough: (progress) => {
        if (progress.rounds >= look) {
          words = verdictsAfter(lines(progress), words);
          look = lookAfter(progress.rounds);
        }
        const all = words.length > 0 && settled() === words.length;
        return all || progress.seconds >= limit || look === Number.POSITIVE_INFINITY;
      },
      part: ({ seconds }) => Math.min(1, 1 - (limit - seconds) / SECONDS),
      known: () =>
        words.length ? `${settled()} of ${words.length} numbers settled` : "too early to tell",
      ended: ({ rounds }) => endOf(words, rounds) || `${SECONDS} seconds are over.`,
      show: (progress) => {
        const now = lines(progress);
        if (!now.every(({ change }) => Number.isFinite(reachOf(change)))) return;
        const rows = now.map((number, place) => rowOf(number, words[place] ?? "open"));
        const games = 2 * progress.rounds * gamesOfRound(cells, table.players);
        const own = sets.length === 1 ? sets : [];
        const command = commandLine("compare", table, own, games, changes);
        const about = `Played by ${table.who} in every seat. A word is wrong in at most 5 of 100 such tables.`;
        const [lead = "", ...more] = changesOf(now, words);
        const says = [
          make("p", { class: "lead" }, lead),
          ...more.map((text) => make("p", {}, text)),
        ];
        panel.tell(foldedNumbers(rows), says, about, command);
      },
    });
  }

  return {
    element: panel.element,
    changes: () => valid,
    /** @param {Table} table */
    show(table) {
      now = table;
      const { key, mode, players, who, clans, size, samples, changes: settings } = table;
      const sets = clans.length === size ? [clans] : samples;
      const chosen = JSON.stringify([key, mode, players, who, sets, settings]);
      if (chosen === shown) return;
      shown = chosen;
      typed = new Map(
        settings.map((text) => [text.split("=")[0] ?? "", text.split("=").slice(1).join("=")]),
      );
      list();
      const known = table.fields.filter(({ name }) => typed.has(name));
      // Keep the lines of the same values, so that typing and moving on by Tab loses no focus.
      const inputs = /** @type {HTMLInputElement[]} */ ([
        ...changed.querySelectorAll("label > :last-child"),
      ]);
      if (
        known.map(({ name }) => `value-${name}`).join() !==
        inputs.map(({ dataset }) => dataset.key).join()
      )
        changed.replaceChildren(...known.map(line));
      else
        inputs.forEach((input, place) => {
          input.value = typed.get(known[place]?.name ?? "") ?? "";
        });
      where.textContent =
        sets.length === 1
          ? "At your table."
          : `At ${sets.length} clan sets, spread evenly. Choose your clans to change a rule at your own table.`;
      const { changes, problem } = typed.size ? asked(table, sets) : { changes: {}, problem: "" };
      valid = problem ? {} : changes;
      if (!typed.size || problem) panel.hold(null);
      else hold(table, sets, changes);
      panel.line.textContent = problem;
      panel.result.replaceChildren();
    },
  };
}

/** Whether a value belongs to no clan, or to a clan in play. @param {Table} table @returns {(value: RuleValue) => boolean} */
const inPlay =
  ({ clans, size }) =>
  ({ clan, name }) =>
    clan === null || clans.length < size || clans.includes(name.split(".")[0] ?? "");

/** Every number of both rule sets, folded away. @param {string[][]} rows */
function foldedNumbers(rows) {
  const cells = rows.map((row) =>
    row.map((value) => (value === "matters" ? make("b", { class: "tone-up2" }, value) : value)),
  );
  const caption =
    "In games of 100, except for turns. Both rule sets play the same deals; differences have 95 % intervals.";
  const about = { class: "scroll", tabindex: 0, role: "group", "aria-label": "What changes" };
  const heads = ["", "printed", "changed", "difference", ""];
  const table = make("div", about, makeTable(caption, heads, cells));
  return make("details", {}, make("summary", {}, "Numbers"), table);
}
