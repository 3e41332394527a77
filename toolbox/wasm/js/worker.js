// The engine as a worker: lines of UCI come as messages, and go as messages.
//
// A search fills the thread that it runs in, which then hears no message. So there are two workers: the
// desk, to whom the page talks, always listens; it hands one line after the other to the searcher, which
// is this script again. How the desk ends a search before its time depends on the page:
//
// - where it is cross-origin isolated, both share a word of memory, which the search looks at;
// - else the searcher is ended, the last best line is the answer, and a new searcher takes its place,
//   with the same options and position, but with an empty table.

const SEARCHER = "mola-searcher";
const [STOP, PONDER_HIT] = [1, 2];
/** What finds a move where a search was ended before it told one. */
const SHORTEST = "go depth 1";

/** The thread that searches: first it is told the module, then lines, each answered by a state. */
function search() {
  let mola = null;
  self.onmessage = async ({ data }) => {
    if (typeof data === "string") {
      self.postMessage({ state: mola.line(data) });
      return;
    }
    const wish = data.shared && new Int32Array(data.shared);
    mola = await connect(data.module, {
      say: (line) => self.postMessage(line),
      interrupt: () => (wish ? Atomics.exchange(wish, 0, 0) : 0),
    });
    self.postMessage({ state: 1 });
  };
}

class Desk {
  constructor() {
    const canShare = self.crossOriginIsolated && typeof SharedArrayBuffer === "function";
    this.shared = canShare ? new SharedArrayBuffer(4) : null;
    this.module = null;
    /** Where this script is. */
    this.address = self.location.href;
    this.searcher = null;
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
      const address = () => new URL(decodeURIComponent(self.location.hash.slice(1)) || "mola.wasm", self.location);
      this.module = await compiled(source ?? address());
      this.hire();
    } catch (error) {
      self.postMessage(`info string the engine cannot be loaded: ${error.message}`);
    }
  }

  hire() {
    this.isBusy = true;
    this.running = null;
    this.searcher = new Worker(this.address, { name: SEARCHER });
    this.searcher.onmessage = ({ data }) => this.hear(data);
    this.searcher.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message);
    };
    this.searcher.postMessage({ module: this.module, shared: this.shared });
  }

  /** A line of the page. */
  receive(line) {
    const [word] = line.trim().split(/\s+/);
    if (word === "quit") {
      this.searcher?.terminate();
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
      if (message.startsWith("bestmove ")) this.running = null;
      self.postMessage(message);
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
    this.searcher.terminate();
    this.searcher.onmessage = null;
    const known = [...this.options.values(), ...(this.position ? [this.position] : [])];
    this.waiting = [...known, ...lines, ...this.waiting];
    this.hire();
  }

  /** A searcher has ended by a fault of its own. */
  fail(reason) {
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
else attend();
