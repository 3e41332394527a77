// Rules, protocol, node count and speed of the package, in Node.
//
//     node node.js PACKAGE
//
// $MOLA is the native engine; $NPS the least fraction of its speed (default: 0.4); $MAX_BYTES the limit of
// mola.wasm (default: that of a package made without wasm-opt).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { load, loadEngine } = await import(pathToFileURL(join(folder, "mola.js")));
const MAX_BYTES = Number(process.env.MAX_BYTES ?? 2_400_000);

let said = [];
let wish = () => 0;
const bytes = readFileSync(join(folder, "mola.wasm"));
const host = { say: (line) => said.push(line), interrupt: () => wish() };
const engine = await loadEngine(bytes, host);
// Its own module, which Node does not fetch.
const mola = await load();

/** The engine's output for these lines. */
function uci(...lines) {
  said = [];
  for (const line of lines) engine.uci(line);
  return said;
}

// Positions with their perft 3: variant, Chess960, FEN. Checked against python-chess.
const PERFT = [
  ["chess", false, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 97862],
  ["chess", false, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2812],
  ["chess", true, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 12189],
  ["suicide", false, "1nbqkb1r/3pp1pp/2p2n2/5p2/2P5/7N/P2PPPPP/R1B1KB1R w KQk - 0 9", 5021],
  ["giveaway", false, "1nbqkb1r/3pp1pp/2p2n2/5p2/2P5/7N/P2PPPPP/R1B1KB1R w KQk - 0 9", 5021],
  ["antichess", false, "1nbqkb1r/3pp1pp/2p2n2/5p2/2P5/7N/P2PPPPP/R1B1KB1R w - - 0 9", 5021],
  ["atomic", false, "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR w KQkq - 3 9", 36282],
  ["kingofthehill", false, "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR w KQkq - 3 9", 37862],
  ["racingkings", false, "8/8/1r1n1n2/8/4R3/6R1/k1b1N2K/qrb1NB2 w - - 4 9", 56009],
  ["horde", false, "rnb1kb1r/1p1ppp1p/1pq4p/p1P1nPPP/PPPPPP2/PPPPPPP1/PPPP1PPP/PPPPPPPP w kq - 0 9", 5000],
  ["3check", false, "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR w KQkq - 3+3 3 9", 37862],
  ["crazyhouse", false, "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR[] w KQkq - 3 9", 43568],
];

/** perft by the JavaScript functions. */
function perft(line, moves, depth) {
  const { moves: legal } = mola.position({ ...line, moves });
  if (depth === 1) return legal.length;
  return legal.reduce((sum, { uci: move }) => sum + perft(line, [...moves, move], depth - 1), 0);
}

for (const [variant, chess960, fen, games] of PERFT) {
  const line = { variant, chess960, fen };
  assert.equal(perft(line, [], 3), games, `rules: perft 3 of ${variant}`);
  uci(`setoption name UCI_Variant value ${variant}`, `setoption name UCI_Chess960 value ${chess960}`);
  const told = uci(`position fen ${fen}`, "go perft 3");
  assert(told.includes(`Nodes searched: ${games}`), `uci: perft 3 of ${variant}: ${told.at(-1)}`);
  assert.match(uci("go depth 4").at(-1), /^bestmove \S{4}/, variant);
}
uci("setoption name UCI_Variant value chess", "setoption name UCI_Chess960 value false");
console.log(`perft of ${PERFT.length} positions: ok`);

// Functions.
assert.equal(mola.position({ moves: ["e4", "e5", "Qh5", "Ke7", "Qxe5"] }).outcome.reason, "checkmate");
assert.throws(() => mola.position({ moves: ["e5"] }), /move 1, e5/);
assert.throws(() => mola.position({ fen: "nothing" }));
const [game] = mola.readPgn(mola.writePgn({ moves: ["d4", "d5"], tags: { White: "\u00c4 \"B\"" } }));
assert.equal(game.tags.White, "\u00c4 \"B\"");
assert.deepEqual(game.nodes.map(({ san }) => san), [undefined, "d4", "d5"]);
assert.match(mola.svg({ moves: ["e4"], theme: "slate" }), /^<svg .*<\/svg>$/s);

const [annotated] = mola.readPgn("1. e4 e5 ({Sicilian:} 1... c5 {post}) *");
const { startingComment, comment } = annotated.nodes.find(({ san }) => san === "c5");
assert.deepEqual([startingComment, comment], ["Sicilian:", "post"]);
assert.throws(() => mola.readPgn("1. e4 {\ud83d} *"), /not Unicode/);

// In Crazyhouse a drop is no move of a piece: all moves of a game are found by their SAN.
const zh = ["e4", "d5", "exd5", "Qxd5", "a4", "e6", "Ra3", "@e5", "Nc3", "Qd8", "@d5"];
const { line: zhLine } = mola.position({ variant: "crazyhouse", moves: zh });
assert.deepEqual(zhLine.map(({ san }) => san), zh);
assert.equal(zhLine[6].uci, "a1a3");
for (const { uci: move, san } of mola.position({ variant: "crazyhouse", moves: zh }).moves) {
  const { line } = mola.position({ variant: "crazyhouse", moves: [...zh, san] });
  assert.equal(line.at(-1).uci, move, san);
}
const [zhGame] = mola.readPgn(mola.writePgn({ variant: "crazyhouse", moves: zh }));
assert.deepEqual([zhGame.variant, zhGame.problems], ["crazyhouse", []]);
assert.deepEqual(zhGame.nodes.slice(1).map(({ uci: move }) => move), zhLine.map(({ uci: move }) => move));

// PGN that other programs can read.
assert.match(mola.writePgn({ tags: { ECO: "A00", White: "A" } }), /^\[Event "\?"\]\n.*\[White "A"\]\n.*\[ECO /s);
assert.throws(() => mola.writePgn({ result: "2-0" }), /2-0/);
const [changed] = mola.readPgn("1. e4 {best} (1. d4 $1) e5 *");
changed.nodes[1].comment = "best by test";
assert.match(mola.writePgn(changed), /1\. e4 \{best by test\} \(1\. d4 \$1\) 1\.\.\. e5 \*/);
assert.throws(() => mola.writePgn({ tags: { "": "x" } }), /name of a tag/);
for (const bad of ["{", "[Event \"", "1. e4 (((((", "\0\xff"]) mola.readPgn(bad);

// A session.
assert.equal(uci("uci").at(-1), "uciok");
assert(said.includes("option name Threads type spin default 1 min 1 max 1"));
assert(!said.some((line) => line.includes("Syzygy") || line.includes("BookFile")));
assert.deepEqual(uci("isready"), ["readyok"]);
assert.equal(uci("position startpos moves e2e4", "go movetime 100").at(-1).slice(0, 8), "bestmove");
const start = performance.now();
wish = () => (performance.now() - start > 300 ? 1 : 0);
assert.match(uci("go infinite").at(-1), /^bestmove /);
assert(performance.now() - start < 600, "a search that is interrupted ends");
wish = () => 0;
uci("setoption name Skill Level value 1");
const played = new Set();
for (let round = 0; round < 8; round += 1) played.add(uci("ucinewgame", "position startpos", "go depth 3").at(-1));
assert(played.size > 1, "the weakest level varies");
uci("setoption name Skill Level value 20", "setoption name Hash value 64");
assert.match(uci("position startpos", "go nodes 20000").at(-1), /^bestmove /);
assert.match(uci("nonsense \u20ac").at(-1), /unknown command/);
assert(bytes.length <= MAX_BYTES, `${bytes.length} bytes`);
console.log(`a session: ok; ${statSync(join(folder, "mola.wasm")).size} bytes`);

// The bench: the same nodes, and the speed. It is measured by wall clock, so the best of several runs counts.
const numberOf = (lines, name) => Number(new RegExp(`^${name}\\s*: (\\d+)`, "m").exec(lines)[1]);
const best = { page: 0, native: 0 };
for (let turn = 0; turn < 3; turn += 1) {
  const here = uci("bench").join("\n");
  const native = execFileSync(process.env.MOLA, ["bench"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  assert.equal(numberOf(here, "Nodes searched"), numberOf(native, "Nodes searched"), "nodes of the bench");
  best.page = Math.max(best.page, numberOf(here, "Nodes/second"));
  best.native = Math.max(best.native, numberOf(native, "Nodes/second"));
}
const ratio = best.page / best.native;
console.log(`bench: ${best.page} nodes a second, native ${best.native}: ${ratio.toFixed(2)}`);
assert(ratio >= Number(process.env.NPS ?? 0.4), "too slow");
