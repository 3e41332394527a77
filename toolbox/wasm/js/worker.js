// The engine as a worker: it receives and sends lines of UCI as messages.
//
// A worker that searches cannot receive messages. So there are two workers: the desk, with which the page
// communicates, and the searcher, which is this script again and gets one line after the other from the
// desk. How the desk stops a search depends on the page:
//
// - if it is cross-origin isolated, both share a word of memory, which the search polls, and the searcher
//   may have helpers, which are this script, too: threads that share all of its memory;
// - else the searcher is terminated, its last best line is the answer, and a new searcher replaces it,
//   with the same options and position, but with an empty hash table.

const SEARCHER = "mola-searcher";
const HELPER = "mola-helper";
/** After this many faults in a row the desk starts no searcher any more. */
const MAX_FAULTS = 3;
const [STOP, PONDER_HIT] = [1, 2];
/** The lines that say the same. */
const REQUESTS = { [STOP]: "stop", [PONDER_HIT]: "ponderhit" };
/** The state of a searcher that has found its move and holds it back. */
const HELD = 2;
/** The answers to lines that change nothing. The legal moves before an illegal one are played. */
const REFUSAL = /^info string error: (?!illegal move )/;

/** The searcher: its first message has the module, the others are lines, each answered by a state. */
function search() {
  let mola = null;
  listen(async (data) => {
    if (typeof data === "string") {
      self.postMessage({ state: mola.line(data) });
      return;
    }
    if (data.free) {
      mola.free(data.free);
      return;
    }
    const request = data.shared && new Int32Array(data.shared);
    mola = await connect(data.module, {
      memory: data.memory,
      say: (line) => self.postMessage(line),
      interrupt: () => (request ? Atomics.exchange(request, 0, 0) : 0),
      spawn: (thread) => self.postMessage({ spawn: thread }),
    });
    self.postMessage({ state: 1 });
  });
}

/** A helper: runs one thread of the searcher, and reports its end. */
function help() {
  listen(async ({ module, memory, thread }) => {
    await runThread(module, memory, thread);
    self.postMessage({ done: thread });
  });
}

/** Handles messages; errors are reported to the desk. */
function listen(action) {
  self.onmessage = ({ data }) => action(data).catch((error) => self.reportError(error));
}

class Desk {
  constructor() {
    const canShare = self.crossOriginIsolated && typeof SharedArrayBuffer === "function";
    this.shared = canShare ? new SharedArrayBuffer(4) : null;
    this.module = null;
    /** The memory that the threads of the searcher share, if it has threads. */
    this.memory = null;
    this.helpers = new Set();
    /** The address of this script. */
    this.address = self.location.href;
    this.searcher = null;
    /** How many searchers have failed since the last best move. */
    this.faults = 0;
    /** Whether the searcher has not answered its last line yet. */
    this.isBusy = true;
    /** The command that is running, if it may take long. */
    this.running = null;
    /** The best line of the running search. */
    this.best = [];
    /** Lines that wait for the searcher. */
    this.waiting = [];
    /** The state to restore in a new searcher: the lines of options by name, and of the position. */
    this.options = new Map();
    this.position = null;
    /** The same before the last line, which the searcher may refuse. */
    this.former = {};
    /** Why there is no engine, if it has been given up. */
    this.reason = null;
  }

  /**
   * Loads the module: the one that the page gives, else the file that the fragment names, else ours. A
   * page that is a file also gives the text of this script, as its workers cannot start others by address.
   */
  async open({ module: source, script }) {
    try {
      if (script) this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      this.module = source ? await compiled(source) : await this.load();
      this.hire();
    } catch (error) {
      this.giveUp(error.message);
    }
  }

  /** The module that the fragment names, else ours: with threads where the page allows them. */
  async load() {
    const named = decodeURIComponent(self.location.hash.slice(1));
    const from = (name) => compiled(new URL(name, self.location));
    if (named || !this.shared) return from(named || "mola.wasm");
    try {
      const module = await from("mola-threads.wasm");
      memoryFor(module);
      return module;
    } catch {
      return from("mola.wasm");
    }
  }

  hire() {
    this.isBusy = true;
    this.running = null;
    this.memory = memoryFor(this.module);
    this.searcher = this.begin(SEARCHER, { module: this.module, memory: this.memory, shared: this.shared });
    this.searcher.onmessage = ({ data }) => this.hear(data);
  }

  /** Starts a worker with this script. */
  begin(name, task) {
    const worker = new Worker(this.address, { name });
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message);
    };
    worker.postMessage(task);
    return worker;
  }

  /** Starts a thread for the searcher, and has its memory freed afterwards. */
  help(thread) {
    const helper = this.begin(HELPER, { module: this.module, memory: this.memory, thread });
    this.helpers.add(helper);
    helper.onmessage = () => {
      helper.terminate();
      this.helpers.delete(helper);
      this.searcher.postMessage({ free: thread });
    };
  }

  /** Terminates the searcher and its threads. */
  dismiss() {
    for (const worker of [this.searcher, ...this.helpers]) {
      if (!worker) continue;
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
    }
    this.helpers.clear();
  }

  /** From now on there is no engine, and what waits for an answer gets one. */
  giveUp(reason) {
    this.reason = reason;
    this.report();
    this.settle();
    for (const line of this.waiting.splice(0)) this.receive(line);
  }

  report() {
    self.postMessage(`info string there is no engine: ${this.reason}`);
  }

  /** Answers a line without an engine, so that a page that waits for the protocol's answer goes on. */
  excuse(line, word) {
    if (word === "uci") for (const answer of ["id name Mola", "uciok"]) self.postMessage(answer);
    if (word === "isready") self.postMessage("readyok");
    if (isLong(line)) this.report();
    if (isSearch(line)) self.postMessage("bestmove (none)");
  }

  /** Handles a line of the page. */
  receive(line) {
    const [word] = line.trim().split(/\s+/);
    if (word === "quit") {
      this.dismiss();
      self.close();
    } else if (this.reason !== null) {
      this.excuse(line, word);
    } else if (!this.isBusy) {
      this.send(line, word);
    } else if (!this.running || this.waiting.some(isLong)) {
      this.waiting.push(line);
    } else if (word === "stop") {
      this.interrupt(STOP);
    } else if (word === "ponderhit") {
      this.interrupt(PONDER_HIT);
    } else if (word === "isready") {
      self.postMessage("readyok");
    } else {
      this.waiting.push(line);
      // These commands end the running one.
      if (isLong(line) || word === "ucinewgame") this.interrupt(STOP);
    }
  }

  /** Sends a line to the searcher. */
  send(line, word) {
    this.former = { options: this.options, position: this.position };
    if (word === "setoption") this.keepOption(line);
    if (word === "position") this.position = line;
    if (isLong(line)) this.running = line;
    this.best = [];
    this.isBusy = true;
    this.takeRequest();
    this.searcher.postMessage(line);
  }

  /** The request that the searcher has not read, which is taken back. */
  takeRequest() {
    return this.shared ? Atomics.exchange(new Int32Array(this.shared), 0, 0) : 0;
  }

  /** Keeps the line of an option. The position is none of another variant, whose start replaces it. */
  keepOption(line) {
    const name = line.replace(/\s+value\s.*/is, "").trim().toLowerCase();
    const isOther = variantIn(line) !== variantIn(this.options.get(name));
    if (/\suci_variant$/.test(name) && isOther) this.position = null;
    this.options = new Map(this.options).set(name, line);
  }

  /** Handles a message of the searcher: a line, or that it is ready for the next. */
  hear(message) {
    if (typeof message === "string") {
      const line = /^info (?!.*\bmultipv (?:[2-9]|1\d)).* pv (.+)/.exec(message);
      if (line) this.best = line[1].split(" ");
      // From now on a stop comes too late.
      if (message.startsWith("bestmove ")) {
        this.running = null;
        this.faults = 0;
      }
      if (REFUSAL.test(message)) Object.assign(this, this.former);
      self.postMessage(message);
      return;
    }
    if (message.spawn) {
      this.help(message.spawn);
      return;
    }
    this.isBusy = false;
    this.running = null;
    this.former = {};
    // A search that has ended reads the word no more.
    const request = message.state === HELD ? this.takeRequest() : 0;
    if (request) this.send(REQUESTS[request], REQUESTS[request]);
    for (const line of this.waiting.splice(0)) this.receive(line);
  }

  /** Ends the running search, or starts its clock. */
  interrupt(request) {
    const { running } = this;
    const shortest = shortestOf(running);
    // It ends by itself. Replaced, it would be restarted for ever by the search that waits for its end.
    if (running === shortest) return;
    if (this.shared && isSearch(running)) {
      Atomics.store(new Int32Array(this.shared), 0, request);
    } else if (request === STOP) {
      this.replace(this.answer(running, shortest));
    } else if (/\sponder\b/.test(running)) {
      this.replace([running.replace(/\sponder\b/, "")]);
    }
  }

  /** Sends the best move known; without one, returns the line that finds one. */
  answer(running, otherwise) {
    const [move, reply] = this.best;
    if (!isSearch(running)) return [];
    if (!move) return [otherwise];
    self.postMessage(`bestmove ${move}${reply ? ` ponder ${reply}` : ""}`);
    return [];
  }

  /** Answers the search of a searcher that has failed. */
  settle() {
    const isUnanswered = this.answer(this.running, "").length > 0;
    if (isUnanswered) self.postMessage("bestmove (none)");
  }

  /** Replaces the searcher by a new one with the same options and position, and sends it these lines. */
  replace(lines) {
    this.dismiss();
    const known = [...this.options.values(), ...(this.position ? [this.position] : [])];
    this.waiting = [...known, ...lines, ...this.waiting];
    this.hire();
  }

  /** A searcher has failed: starts another, unless too many have failed in a row. */
  fail(reason) {
    this.faults += 1;
    if (this.faults === MAX_FAULTS) {
      this.dismiss();
      this.giveUp(reason);
      return;
    }
    self.postMessage(`info string the engine begins anew after a fault: ${reason}`);
    this.settle();
    this.replace([]);
  }
}

const isSearch = (line) => /^\s*go\b(?!\s+perft\b)/.test(line ?? "");
/** The search for a move of the same choice, if one was stopped before it reported a line. */
function shortestOf(line) {
  // Of the words of `go`, only moves name squares.
  const [choice = ""] = /\ssearchmoves(\s+\S*[a-h][1-8]\S*)+/.exec(line) ?? [];
  return `go depth 1${choice}`;
}

/** The value of the line of an option; without one it is the default of UCI_Variant. */
const variantIn = (line = "setoption value chess") => /\svalue\s+(\S*)/i.exec(line)?.[1].toLowerCase();
const isLong = (line) => /^\s*(go|bench|perft)\b/.test(line);

/** The contents of a page's first message: nothing, a module, or a module with this script. */
function givenBy(data) {
  if (typeof data === "string") return {};
  return data.script ? data : { module: data };
}

function attend() {
  const desk = new Desk();
  let isOpen = false;
  self.onmessage = ({ data }) => {
    if (!isOpen) desk.open(givenBy(data));
    isOpen = true;
    if (typeof data !== "string") return;
    for (const line of data.split("\n")) if (line.trim()) desk.receive(line);
  };
}

if (self.name === SEARCHER) search();
else if (self.name === HELPER) help();
else attend();
