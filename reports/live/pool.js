/* Workers that play on all cores, each with its own engine. All of them can be stopped at once. */

/** @import { Live } from "./engine.js" */
/** @import { Sums } from "./study.js" */
/** @import { Task } from "./worker.js" */

class Pool {
  /** @param {Live} live @param {number} size */
  constructor(live, size) {
    this.live = live;
    this.size = size;
    /** @type {Worker[]} */
    this.workers = [];
    /** What ends each unanswered call with an error. @type {Set<(error: Error) => void>} */
    this.unanswered = new Set();
  }

  /** Play the deals of a task from `first` on, on one worker, after all that it was asked before.
      @param {number} worker its number @param {Task} task @param {number} first @param {number} deals
      @returns {Promise<Sums>} */
  play(worker, task, first, deals) {
    this.start();
    const { port1, port2 } = new MessageChannel();
    return new Promise((done, failed) => {
      this.unanswered.add(failed);
      port1.onmessage = ({ data: { sums, error } }) => {
        port1.close();
        this.unanswered.delete(failed);
        if (sums) done(sums);
        else failed(new Error(error));
      };
      this.workers[worker]?.postMessage({ task, first, deals }, [port2]);
    });
  }

  /** Stop all work at once; unanswered calls fail. @param {string} why */
  stop(why = "stopped") {
    for (const worker of this.workers) worker.terminate();
    for (const failed of this.unanswered) failed(new Error(why));
    this.workers = [];
    this.unanswered.clear();
  }

  /** Start the workers, unless they run. */
  start() {
    if (this.workers.length) return;
    const script = URL.createObjectURL(new Blob([this.live.worker], { type: "text/javascript" }));
    this.workers = Array.from({ length: this.size }, () => {
      const worker = new Worker(script);
      worker.onerror = ({ message }) => this.stop(message || "a worker broke off");
      worker.postMessage({ open: this.live });
      return worker;
    });
    URL.revokeObjectURL(script);
  }
}

/** @param {Live} live */
export const openPool = (live, size = navigator.hardwareConcurrency || 2) => new Pool(live, size);
