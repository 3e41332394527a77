// The desk of `worker.js` with mock searchers that record their input: the order of lines, stops
// with and without shared memory, and the input of a new searcher. Then `glue.js` with a mock module whose
// memory is large. Needs neither module nor browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const source = (name) => readFileSync(new URL(`../../toolbox/wasm/js/${name}`, import.meta.url), "utf8");

/** A desk with its module, its output lines, and its searchers. */
async function open(isIsolated) {
  const told = [];
  const searchers = [];
  const helpers = [];
  class Worker {
    constructor(address, { name }) {
      this.heard = [];
      (name === "mola-searcher" ? searchers : helpers).push(this);
    }
    postMessage(message) {
      this.heard.push(message);
    }
    terminate() {
      this.isGone = true;
    }
  }
  const self = {
    name: "",
    location: new URL("http://host/worker.js"),
    crossOriginIsolated: isIsolated,
    postMessage: (message) => told.push(message),
    close: () => {
      self.isClosed = true;
    },
  };
  const WebAssembly = { Module: class {}, Memory: class {}, compile: async () => new WebAssembly.Module() };
  WebAssembly.Module.imports = () => (isIsolated ? [{ kind: "memory" }] : []);
  const world = { self, Worker, URL, SharedArrayBuffer, Int32Array, Atomics, WebAssembly };
  vm.runInNewContext(source("glue.js") + source("worker.js"), world);
  const desk = {
    told,
    searchers,
    helpers,
    self,
    searcher: () => searchers.at(-1),
    heard: () => searchers.at(-1).heard.at(-1),
    page: (...lines) => lines.forEach((data) => self.onmessage({ data })),
    /** The searcher sends this. */
    say: (...messages) => messages.forEach((data) => searchers.at(-1).onmessage({ data })),
    /** Lets the searcher finish each line until it receives this one. */
    until(line) {
      for (let turn = 0; turn < 12 && desk.heard() !== line; turn += 1) desk.say(DONE);
      assert.equal(desk.heard(), line);
    },
    wish: () => Atomics.load(new Int32Array(searchers.at(-1).heard[0].shared), 0),
  };
  desk.page(new WebAssembly.Module());
  await new Promise((resolve) => setTimeout(resolve));
  return desk;
}

const DONE = { state: 1 };
const HELD = { state: 2 };

for (const isIsolated of [true, false]) {
  const desk = await open(isIsolated);
  const { told, page, say, until } = desk;
  page("uci");
  assert.equal(desk.searcher().heard.length, 1, "it is not ready yet");
  say(DONE);
  assert.equal(desk.heard(), "uci");
  say("uciok", DONE);
  page("setoption name MultiPV value 2");
  page("position startpos moves e2e4");
  say(DONE, DONE);

  page("go infinite");
  say("info depth 3 multipv 1 score cp 10 pv e7e5 g1f3", "info depth 3 multipv 2 score cp 1 pv d7d5 e4d5");
  page("isready");
  assert.equal(told.at(-1), "readyok", "at once");
  page("stop");
  if (isIsolated) {
    assert.equal(desk.wish(), 1);
    say("bestmove e7e5", DONE);
  } else {
    assert.equal(told.at(-1), "bestmove e7e5 ponder g1f3", "of the best line");
    assert(desk.searchers[0].isGone);
    page("go depth 4");
    say(DONE);
    assert.equal(desk.heard(), "setoption name MultiPV value 2");
    say(DONE);
    assert.equal(desk.heard(), "position startpos moves e2e4");
    until("go depth 4");
    say("bestmove c7c5", DONE);
    page("go infinite", "stop");
    until("go depth 1");
    say("bestmove a7a6", DONE);
  }

  // Lines during a search wait, but another search ends it.
  page("go infinite");
  say("info depth 1 score cp 0 pv e7e5");
  page("setoption name MultiPV value 1", "position startpos", "go depth 5");
  if (isIsolated) say("bestmove e7e5");
  until("go depth 5");
  say("bestmove e2e4", DONE);
  assert.equal(told.filter((line) => line === "bestmove e2e4").length, 1);

  // The same before there is a best move: the short search that finds one is not ended itself.
  const answers = told.length;
  page("go infinite", "position startpos moves d2d4", "go depth 6");
  if (!isIsolated) until("go depth 1");
  say("bestmove g1f3", DONE);
  until("go depth 6");
  say("bestmove g8f6", DONE);
  assert.deepEqual(told.slice(answers), ["bestmove g1f3", "bestmove g8f6"]);
  page("position startpos");
  say(DONE);

  // After a best move was sent there is no second one, although its searcher has not reported its end yet.
  const count = () => told.filter((line) => line.startsWith("bestmove ")).length;
  const before = count();
  page("go movetime 10");
  say("info depth 1 score cp 0 pv e2e4", "bestmove e2e4");
  const searcher = desk.searcher();
  page("stop", "setoption name MultiPV value 1", "position startpos", "go movetime 20");
  assert.equal(desk.searcher(), searcher, "it is not ended");
  until("go movetime 20");
  say("bestmove d2d4", DONE);
  assert.equal(count(), before + 2);
  if (isIsolated) assert.equal(desk.wish(), 0);
  // Output of a terminated searcher is ignored.
  page("go infinite");
  say("info depth 1 score cp 0 pv e2e4");
  page("stop");
  if (isIsolated) say("bestmove e2e4", DONE);
  else assert.equal(searcher.onmessage, null);
  until(isIsolated ? "go infinite" : "position startpos");
  if (!isIsolated) say(DONE);

  page("go ponder movetime 50", "ponderhit");
  if (isIsolated) assert.equal(desk.wish(), 2);
  else until("go movetime 50");
  say("bestmove e2e4", DONE);

  // perft is not a search: it has no best move.
  page("go perft 9", "stop");
  until("position startpos");
  say(DONE);
  const moves = told.filter((line) => line.startsWith("bestmove")).length;

  page("go infinite");
  say("info depth 1 score cp 0 pv e2e4", HELD);
  page("stop");
  assert.equal(desk.heard(), "stop", "the searcher listens again");
  say("bestmove e2e4", DONE);
  assert.equal(told.filter((line) => line.startsWith("bestmove")).length, moves + 1);

  // The same words too late for a search that has ended, and held its move back, before it could read them.
  for (const [go, word] of [["go infinite", "stop"], ["go ponder movetime 50", "ponderhit"]]) {
    page(go, word, "isready");
    if (isIsolated) {
      say(HELD);
      assert.equal(desk.heard(), word);
      assert.equal(desk.wish(), 0, "it is not said twice");
    } else {
      until(word === "stop" ? "go depth 1" : "go movetime 50");
    }
    say("bestmove (none)", DONE);
    assert.deepEqual(told.slice(-2), ["readyok", "bestmove (none)"]);
  }
  // A search that is stopped before its first line chooses among the same moves.
  page("go infinite searchmoves a2a3 P@b4 infinite", "stop");
  if (!isIsolated) until("go depth 1 searchmoves a2a3 P@b4");
  page("position startpos", "go depth 6");
  say("bestmove a2a3", DONE);
  until("go depth 6");
  say("bestmove e2e4", DONE);

  // A searcher that crashes is replaced, and its search gets an answer.
  page("go depth 9");
  desk.searcher().onerror({ preventDefault() {}, message: "a fault" });
  assert.equal(told.at(-1), "bestmove (none)");
  until("position startpos");
  say(DONE, DONE);

  // Threads share the memory of their searcher, free their own at their end, and end with it.
  const threads = [{ number: 0, at: 16, size: 32 }, { number: 1, at: 64, size: 32 }];
  say(...threads.map((spawn) => ({ spawn })));
  const [first, second] = desk.helpers;
  assert.deepEqual(first.heard[0].thread, threads[0]);
  assert.equal(first.heard[0].memory, desk.searcher().heard[0].memory);
  first.onmessage({ data: { done: threads[0] } });
  assert.equal(desk.heard().free, threads[0]);
  assert(first.isGone && !second.isGone);
  second.onerror({ preventDefault() {}, message: "a fault" });
  assert(second.isGone, "it goes with its searcher");
  until("position startpos");
  page("quit");
  assert(desk.self.isClosed && desk.searcher().isGone);
}

/** What a new searcher hears after the lines of a page, each with the answer of the first one. */
async function restored(...lines) {
  const desk = await open(false);
  desk.say(DONE);
  for (const [line, answer] of lines) {
    desk.page(line);
    desk.say(...(answer ? [answer] : []), DONE);
  }
  desk.page("go infinite");
  desk.say("info depth 1 score cp 0 pv e2e4");
  desk.page("stop", "d");
  desk.until("d");
  return desk.searcher().heard.slice(1, -1);
}

// Lines that the engine refuses do not replace those that it has accepted.
assert.deepEqual(
  await restored(
    ["setoption name UCI_Variant value atomic"],
    ["setoption name UCI_Variant value go", "info string error: option UCI_Variant: one of chess, atomic expected"],
    ["setoption name Colour value red", "info string error: unknown option: Colour"],
    ["position startpos moves e2e4"],
    ["position fen 8/8", "info string error: bad FEN: board (column 4): there are not eight ranks"],
  ),
  ["setoption name UCI_Variant value atomic", "position startpos moves e2e4"],
);
// Those before an illegal move are played.
assert.deepEqual(
  await restored(
    ["position startpos moves d2d4"],
    ["position startpos moves e2e4 e2e4", "info string error: illegal move e2e4: not a legal move"],
  ),
  ["position startpos moves e2e4 e2e4"],
);
// A variant begins with its start, but the same variant again changes nothing.
const atomic = "setoption name UCI_Variant value atomic";
assert.deepEqual(await restored(["position startpos moves e2e4"], [atomic]), [atomic]);
assert.deepEqual(
  await restored([atomic], ["position startpos moves e2e4"], [atomic]),
  [atomic, "position startpos moves e2e4"],
);
assert.deepEqual(
  await restored(["position startpos moves e2e4"], ["setoption name UCI_Variant value chess"]),
  ["setoption name UCI_Variant value chess", "position startpos moves e2e4"],
);

// An engine that crashes again and again is not restarted for ever.
const broken = await open(false);
for (let turn = 0; turn < 3; turn += 1) broken.searcher().onerror({ preventDefault() {}, message: "a fault" });
assert.equal(broken.told.at(-1), "info string there is no engine: a fault");
assert.equal(broken.searchers.length, 3);
// Whoever waits for an answer gets one.
const since = broken.told.length;
broken.page("uci", "isready", "position startpos", "go movetime 100", "stop", "go perft 2");
const lost = "info string there is no engine: a fault";
assert.deepEqual(
  broken.told.slice(since),
  ["id name Mola", "uciok", "readyok", lost, "bestmove (none)", lost],
);
// So does a search that the last searcher has begun, and what waited for its end.
const busy = await open(false);
for (let turn = 0; turn < 3; turn += 1) {
  busy.say(DONE);
  if (turn === 2) busy.page("go infinite", "position startpos", "isready");
  busy.searcher().onerror({ preventDefault() {}, message: "a fault" });
}
assert.deepEqual(busy.told.slice(-3), ["readyok", lost, "bestmove (none)"]);
busy.page("quit");
assert(busy.self.isClosed);
console.log("desk: ok");

/** A module that answers with its request, and has its texts at an address that is negative as a signed number. */
const memory = new WebAssembly.Memory({ initial: 0x8001 });
const AT = -0x80000000 + 8;
const spoken = [];
const glue = {
  performance, TextEncoder, TextDecoder, Uint8Array,
  WebAssembly: {
    Module: class {},
    async instantiate(module, { mola }) {
      let length = 0;
      const exports = {
        memory,
        mola_start() {},
        mola_buffer(size) {
          length = size;
          return AT;
        },
        mola_answer: () => length,
        mola_line() {
          mola.say(AT, length);
          mola.fail(AT, length);
          throw new Error("unreachable");
        },
      };
      return { exports };
    },
  },
};
vm.runInNewContext(`${source("glue.js")}; this.connect = connect;`, glue);
const large = await glue.connect(new glue.WebAssembly.Module(), { say: (line) => spoken.push(line) });
assert.equal(large.ask({ do: "position" }).do, "position");
assert.throws(() => large.line("too much"), { message: "too much" });
assert.deepEqual(spoken, ["too much"]);
assert.equal(large.ask({ do: "piece" }).do, "piece", "it goes on");
assert.equal(large.ask({ do: "readPgn", text: "\u{1f600}" }).text, "\u{1f600}");
for (const half of [{ text: "1. e4 {\ud83d} *" }, { moves: ["\ude00"] }, { tags: { "\ud83d": "" } }]) {
  assert.throws(() => large.ask(half), { message: /^not Unicode: \\u(d83d|de00) is half of a surrogate pair$/ });
}
console.log("glue: ok");
