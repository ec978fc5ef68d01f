/* Workers that play on all cores. Every worker has its own engine, and takes the next piece of work
   when it has finished one. All of them can be stopped at once. */

/** @import { Live } from "./engine.js" */
/** @import { Row } from "./study.js" */
/** @import { Task } from "./worker.js" */

/** @typedef {{ task: Task, rows: Row[],
     done: (sums: Float64Array[]) => void, failed: (error: Error) => void }} Piece */

class Pool {
  /** @param {Live} live @param {number} size */
  constructor(live, size) {
    this.live = live;
    this.size = size;
    /** @type {{ worker: Worker, piece: Piece | null }[]} */
    this.workers = [];
    /** @type {Piece[]} */
    this.waiting = [];
  }

  /** Play rows of a task, and return the sums of each row. A call waits until a worker is idle.
      @param {Task} task @param {Row[]} rows @returns {Promise<Float64Array[]>} */
  play(task, rows) {
    return new Promise((done, failed) => {
      this.waiting.push({ task, rows, done, failed });
      this.start();
      this.hand();
    });
  }

  /** Stop all work at once. Unfinished pieces fail. */
  stop() {
    const left = [...this.workers.map(({ piece }) => piece), ...this.waiting];
    for (const { worker } of this.workers) worker.terminate();
    this.workers = [];
    this.waiting = [];
    for (const piece of left) piece?.failed(new Error("stopped"));
  }

  /** Start the workers, unless they run. */
  start() {
    if (this.workers.length) return;
    const script = URL.createObjectURL(new Blob([this.live.worker], { type: "text/javascript" }));
    for (let i = 0; i < this.size; i += 1) {
      const worker = new Worker(script);
      const slot = { worker, piece: /** @type {Piece | null} */ (null) };
      worker.onmessage = ({ data }) => this.take(slot, data);
      worker.onerror = (event) => this.take(slot, { error: event.message || "a worker broke off" });
      worker.postMessage({ open: this.live });
      this.workers.push(slot);
    }
    URL.revokeObjectURL(script);
  }

  /** Hand waiting pieces to idle workers. */
  hand() {
    for (const slot of this.workers) {
      if (slot.piece || !this.waiting.length) continue;
      slot.piece = this.waiting.shift() ?? null;
      slot.worker.postMessage({ task: slot.piece?.task, rows: slot.piece?.rows });
    }
  }

  /** Take the answer of a worker. @param {{ piece: Piece | null }} slot
      @param {{ sums?: Float64Array[], error?: string }} said */
  take(slot, { sums, error }) {
    const piece = slot.piece;
    slot.piece = null;
    if (sums) piece?.done(sums);
    else piece?.failed(new Error(error));
    this.hand();
  }
}

/** @param {Live} live */
export const openPool = (live, size = navigator.hardwareConcurrency || 2) => new Pool(live, size);
