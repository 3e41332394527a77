// The engine as a worker: lines of UCI come as messages, and go as messages.
//
// A search fills the thread that it runs in, which then hears no message. So there are two workers: the
// desk, to whom the page talks, always listens; it hands one line after the other to the searcher, which
// is this script again. How the desk ends a search before its time depends on the page:
//
// - where it is cross-origin isolated, both share a word of memory, which the search looks at, and the
//   searcher may have helpers, which are this script, too: threads that share all of its memory;
// - else the searcher is ended, the last best line is the answer, and a new searcher takes its place,
//   with the same options and position, but with an empty table.

const SEARCHER = "mola-searcher";
const HELPER = "mola-helper";
/** After so many faults in a row there is no engine. */
const MOST_FAULTS = 3;
const [STOP, PONDER_HIT] = [1, 2];
/** What finds a move where a search was ended before it told one. */
const SHORTEST = "go depth 1";

/** The thread that searches: first it is told the module, then lines, each answered by a state. */
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
    const wish = data.shared && new Int32Array(data.shared);
    mola = await connect(data.module, {
      memory: data.memory,
      say: (line) => self.postMessage(line),
      interrupt: () => (wish ? Atomics.exchange(wish, 0, 0) : 0),
      spawn: (thread) => self.postMessage({ spawn: thread }),
    });
    self.postMessage({ state: 1 });
  });
}

/** A thread beside it: it is told what to do, does it, and says so. */
function help() {
  listen(async ({ module, memory, thread }) => {
    await runThread(module, memory, thread);
    self.postMessage({ done: thread });
  });
}

/** Handles messages so that the desk hears of what goes wrong. */
function listen(action) {
  self.onmessage = ({ data }) => action(data).catch((error) => self.reportError(error));
}

class Desk {
  constructor() {
    const canShare = self.crossOriginIsolated && typeof SharedArrayBuffer === "function";
    this.shared = canShare ? new SharedArrayBuffer(4) : null;
    this.module = null;
    /** What the threads of the searcher share, if it has threads. */
    this.memory = null;
    this.helpers = new Set();
    /** Where this script is. */
    this.address = self.location.href;
    this.searcher = null;
    /** How many searchers have ended by a fault of their own since one told a best move. */
    this.faults = 0;
    /** Whether the searcher has not yet answered what it was told last. */
    this.isBusy = true;
    /** The line that began what runs, if it may run long. */
    this.running = null;
    /** The best line that the running search has told. */
    this.best = [];
    /** Lines that wait. */
    this.waiting = [];
    /** What a new searcher has to know: options by their names, and the position. */
    this.options = new Map();
    this.position = null;
  }

  /**
   * Loads the module: what the page gives, else the file that the fragment names, else ours. The page
   * gives this script, too, where a worker cannot begin another by its address: in a file.
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

  /** The module that the fragment names, else ours, with threads where there can be some. */
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

  /** Begins a worker that is this script again. */
  begin(name, task) {
    const worker = new Worker(this.address, { name });
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message);
    };
    worker.postMessage(task);
    return worker;
  }

  /** Begins a thread for the searcher, and lets it have the memory back afterwards. */
  help(thread) {
    const helper = this.begin(HELPER, { module: this.module, memory: this.memory, thread });
    this.helpers.add(helper);
    helper.onmessage = () => {
      helper.terminate();
      this.helpers.delete(helper);
      this.searcher.postMessage({ free: thread });
    };
  }

  /** Ends the searcher and its threads. */
  dismiss() {
    for (const worker of [this.searcher, ...this.helpers]) {
      if (!worker) continue;
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
    }
    this.helpers.clear();
  }

  giveUp(reason) {
    self.postMessage(`info string there is no engine: ${reason}`);
  }

  /** A line of the page. */
  receive(line) {
    const [word] = line.trim().split(/\s+/);
    if (word === "quit") {
      this.dismiss();
      self.close();
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
      // What comes next ends what runs.
      if (isLong(line) || word === "ucinewgame") this.interrupt(STOP);
    }
  }

  /** Hands a line to the searcher. */
  send(line, word) {
    if (word === "setoption") this.options.set(line.replace(/\s+value\s.*/s, "").toLowerCase(), line);
    if (word === "position") this.position = line;
    if (isLong(line)) this.running = line;
    this.best = [];
    this.isBusy = true;
    if (this.shared) Atomics.store(new Int32Array(this.shared), 0, 0);
    this.searcher.postMessage(line);
  }

  /** What the searcher says: a line, or that it waits for the next. */
  hear(message) {
    if (typeof message === "string") {
      const line = /^info (?!.*\bmultipv (?:[2-9]|1\d)).* pv (.+)/.exec(message);
      if (line) this.best = line[1].split(" ");
      // A stop that comes now is too late.
      if (message.startsWith("bestmove ")) {
        this.running = null;
        this.faults = 0;
      }
      self.postMessage(message);
      return;
    }
    if (message.spawn) {
      this.help(message.spawn);
      return;
    }
    this.isBusy = false;
    this.running = null;
    for (const line of this.waiting.splice(0)) this.receive(line);
  }

  /** Ends the running search, or starts its clock. */
  interrupt(wish) {
    const { running } = this;
    // It ends by itself, and would else be begun anew for ever by the search that waits for its end.
    if (running === SHORTEST) return;
    if (this.shared && isSearch(running)) {
      Atomics.store(new Int32Array(this.shared), 0, wish);
    } else if (wish === STOP) {
      this.replace(this.answer(running, SHORTEST));
    } else if (/\sponder\b/.test(running)) {
      this.replace([running.replace(/\sponder\b/, "")]);
    }
  }

  /** Tells the best move known, or gives the line that finds one. */
  answer(running, otherwise) {
    const [move, reply] = this.best;
    if (!isSearch(running)) return [];
    if (!move) return [otherwise];
    self.postMessage(`bestmove ${move}${reply ? ` ponder ${reply}` : ""}`);
    return [];
  }

  /** Puts a new searcher in the place of the old one, that knows what it knew and is told this. */
  replace(lines) {
    this.dismiss();
    const known = [...this.options.values(), ...(this.position ? [this.position] : [])];
    this.waiting = [...known, ...lines, ...this.waiting];
    this.hire();
  }

  /** A searcher has ended by a fault of its own. The next may do better, but not for ever. */
  fail(reason) {
    this.faults += 1;
    if (this.faults === MOST_FAULTS) {
      this.dismiss();
      this.giveUp(reason);
      return;
    }
    self.postMessage(`info string the engine begins anew after a fault: ${reason}`);
    const lines = this.answer(this.running, "");
    if (lines.length) self.postMessage("bestmove (none)");
    this.replace([]);
  }
}

const isSearch = (line) => /^\s*go\b(?!\s+perft\b)/.test(line ?? "");
const isLong = (line) => /^\s*(go|bench|perft)\b/.test(line);

/** What the first message of a page gives: nothing, a module, or a module with this script. */
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
