/* A panel that plays games: a button that starts and stops, a progress bar, and results. */

import { make, makeButton } from "../rendering/templates/elements.js";
import { nothing, playOn } from "./playing.js";

/** @import { Pool, Progress } from "./playing.js" */
/** @import { Task } from "./worker.js" */

/** Words about the games so far. @typedef {(progress: Progress) => string} Words */

/**
 * What a panel plays, and `show` shows. `border` gives the next round at which a step of play must end.
 * `begin` is called at every start, `enough` says whether to stop, and `part` is the part that is done,
 * from 0 to 1. `known` says how precise the numbers are, and `ended` why play stopped. `after` is called
 * when enough is played.
 * @typedef {{
 *   sides: Task[], cells: import("./study.js").Cell[], border?: (rounds: number) => number,
 *   begin?: (progress: Progress) => void, enough: (progress: Progress) => boolean,
 *   part: (progress: Progress) => number, known: Words, ended: Words,
 *   show?: (progress: Progress) => void, after?: (progress: Progress) => void,
 * }} Study
 */

/** The workers, opened for the first game, and the function that stops the panel that plays. */
const shared = {
  /** @type {Pool | null} */
  pool: null,
  stop: () => {},
};

/** Stop all play at once. */
export const stopPlaying = () => shared.stop();

/** The time between two updates of a panel. */
const MILLISECONDS = 250;

/**
 * Make a panel.
 * @param {string} id @param {string} title @param {string} label of the button before the first game
 * @param {() => Pool} opened
 */
export function makePanel(id, title, label, opened) {
  const heading = make("h2", { id: `${id}-title` }, title);
  const controls = make("div", { class: "controls" });
  const button = makeButton([label], () => (run ? stopPlaying() : start()), {
    ...{ class: "main", "data-key": `${id}-main` },
  });
  const beside = make("span", { class: "beside" });
  const bar = /** @type {HTMLProgressElement} */ (
    make("progress", {
      max: 1,
      value: 0,
      "aria-label": `${title}: how much is played`,
      hidden: true,
    })
  );
  const line = make("p", { class: "note" });
  const result = make("div", { class: "result" });
  const spoken = make("p", { class: "spoken", role: "status" });
  const actions = make("p", { class: "actions" }, button, beside);
  const element = make(
    "section",
    { id, class: "live", "aria-labelledby": `${id}-title` },
    ...[heading, controls, actions, bar, line, result, spoken],
  );
  /** @type {{study: Study, progress: Progress} | null} */
  let held = null;
  /** The run that plays now; null if nothing plays. @type {object | null} */
  let run = null;

  /** Show the progress. @param {string} end why play ended; "" while it goes on */
  function tell(end) {
    if (!held) return;
    const { games, seconds } = held.progress;
    const played = `${games.toLocaleString("en")} games, ${seconds.toFixed(0)} s`;
    line.textContent = games
      ? `${played}; ${held.study.known(held.progress)}. ${end || "Escape stops."}`
      : end || "Getting ready …";
    bar.value = held.study.part(held.progress);
    bar.hidden = !run;
    button.textContent = run ? "Stop" : games ? "Play on" : label;
    if (games) held.study.show?.(held.progress);
  }

  /** Play the study further, and say why play ended. */
  async function start() {
    if (!held || run) return;
    stopPlaying();
    shared.pool ??= opened();
    const { pool } = shared;
    const mine = held;
    mine.study.begin?.(mine.progress);
    const own = {};
    run = own;
    let [end, shown, over] = ["", 0, false];
    const stop = () => {
      end = "Stopped.";
      pool.stop();
    };
    shared.stop = stop;
    spoken.textContent = "Playing.";
    tell("");
    const { sides, cells, border, enough } = mine.study;
    /** @param {Progress} progress */
    const step = (progress) => {
      if (run !== own) return true;
      mine.progress = { ...progress };
      over = enough(progress);
      if (!over && performance.now() - shown > MILLISECONDS) {
        tell("");
        shown = performance.now();
      }
      return over;
    };
    try {
      await playOn(pool, sides, cells, mine.progress, step, border);
    } catch (fault) {
      if (end !== "Stopped.") {
        end = fault instanceof Error ? fault.message : "It did not play.";
        pool.stop();
      }
    }
    if (run !== own) return;
    run = null;
    // Another panel may play by now.
    if (shared.stop === stop) shared.stop = () => {};
    end ||= mine.study.ended(mine.progress);
    tell(end);
    const said = [...result.querySelectorAll(".says p")].map(({ textContent }) => textContent);
    spoken.textContent = [end, ...said].join(" ");
    if (over) mine.study.after?.(mine.progress);
  }

  return {
    ...{ element, controls, button, beside, line, result },
    start,
    /**
     * Show results: a figure or table, sentences, how to read them, and the command.
     * @param {Element} shown @param {Node[]} says @param {string} about @param {string} command
     */
    tell(shown, says, about, command) {
      const open = result.querySelector("details")?.open;
      const same = make("p", { class: "note" }, `${about} The same games in a terminal: `);
      same.append(make("code", {}, command));
      const under = make("div", { class: "under" }, same);
      result.replaceChildren(shown, make("div", { class: "says" }, ...says), under);
      result.querySelector("details")?.toggleAttribute("open", Boolean(open));
    },
    /**
     * Set the study that the button plays, and forget the games before; null for no study.
     * @param {Study | null} study
     */
    hold(study) {
      if (run) {
        run = null;
        stopPlaying();
      }
      held = study && { study, progress: nothing(study.cells, study.sides.length) };
      bar.hidden = true;
      line.textContent = "";
      spoken.textContent = "";
      button.textContent = label;
      button.toggleAttribute("disabled", !study);
    },
  };
}
