// A client of UCI workers, for pages that analyse and play.

/** What an `info` line says of the best line, for the side to move; null if it says nothing of it. */
function infoOf(line) {
  const words = line.split(" ");
  const at = words.indexOf("pv");
  if (words[0] !== "info" || at < 0 || !words.includes("score")) return null;
  const number = (name) => {
    const place = words.indexOf(name);
    return place < 0 ? undefined : Number(words[place + 1]);
  };
  return {
    depth: number("depth"),
    rank: number("multipv") ?? 1,
    cp: number("cp"),
    mate: number("mate"),
    nodes: number("nodes"),
    nps: number("nps"),
    pv: words.slice(at + 1),
  };
}

/** What a worker says that has no engine, before the reason. */
const LOST = "info string there is no engine: ";

class Engine {
  /** `onLost` hears why there is no engine, if there is none: at once, and again for each search. */
  constructor(worker, onLost) {
    this.worker = worker;
    this.onLost = onLost;
    /** The search that runs, and the one that waits for its end. */
    this.current = null;
    this.next = null;
    worker.onmessage = ({ data }) => this.hear(data);
  }

  /**
   * Says these lines, the last of which is `go`. Gives the best move, or null if another search has come
   * between; meanwhile `onInfo` hears of each line.
   */
  search(lines, onInfo) {
    return new Promise((resolve) => {
      this.cancel();
      this.next = { lines, onInfo, resolve, isStale: false };
      if (!this.current) this.begin();
    });
  }

  /** Lets the running search answer now. */
  stop() {
    if (this.current) this.worker.postMessage("stop");
  }

  /** Forgets what runs and what waits. */
  cancel() {
    this.next?.resolve(null);
    this.next = null;
    if (this.current && !this.current.isStale) {
      this.current.isStale = true;
      this.stop();
    }
  }

  begin() {
    this.current = this.next;
    this.next = null;
    for (const line of this.current?.lines ?? []) this.worker.postMessage(line);
  }

  hear(line) {
    if (line.startsWith(LOST)) this.onLost(`There is no engine: ${line.slice(LOST.length)}`);
    if (!this.current) return;
    const { isStale, onInfo, resolve } = this.current;
    if (line.startsWith("bestmove ")) {
      this.current = null;
      resolve(isStale ? null : line.split(" ")[1]);
      if (!this.current) this.begin();
    } else if (!isStale) {
      const info = infoOf(line);
      if (info) onInfo(info);
    }
  }
}
