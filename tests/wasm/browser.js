// The package in Chromium: workers with and without shared memory, the demo, and a page of `mola review`.
//
//     node browser.js PACKAGE PAGE FOLDER-FOR-SCREENSHOTS
//
// $MOLA is the native engine that plays against the page, $CHROMIUM the browser.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, reviewPage, shots] = process.argv.slice(2).map((path) => resolve(path));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const WIDTHS = [390, 820, 1440];
mkdirSync(shots, { recursive: true });

/** Serves the package; with the headers that allow shared memory, or without; some files may be missing. */
function serve(isIsolated, missing = /^$/) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    const headers = { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" };
    if (isIsolated) {
      headers["Cross-Origin-Opener-Policy"] = "same-origin";
      headers["Cross-Origin-Embedder-Policy"] = "require-corp";
    }
    try {
      if (missing.test(path)) throw new Error("not found");
      const body = path === "/" ? "<!DOCTYPE html><title>Tests</title><link rel=icon href=data:,>" : await readFile(join(folder, path));
      response.writeHead(200, path === "/" ? { ...headers, "Content-Type": "text/html" } : headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => done({ server, address: `http://127.0.0.1:${server.address().port}` }));
  });
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

/** A page in which any other error ends the test; a script may prepare it. */
async function open(address, only, { allowed = /^$/, script = "" } = {}) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.setDefaultTimeout(120_000);
  page.on("request", (request) => assert(request.url().startsWith(only), `asks for ${request.url()}`));
  page.on("pageerror", (error) => assert.fail(String(error)));
  page.on("console", (message) => {
    assert(message.type() !== "error" || allowed.test(message.text()), message.text());
  });
  await page.addInitScript(script);
  await page.goto(address);
  return page;
}

/** Runs in the page: a worker, with a way to wait for its output. */
const CLIENT = `
  globalThis.client = (options) => {
    const worker = new Worker("/worker.js", options);
    const lines = [];
    let wake = () => {};
    worker.onmessage = ({ data }) => { lines.push(data); wake(); };
    return {
      say: (line) => worker.postMessage(line),
      lines,
      async until(pattern) {
        for (;;) {
          const at = lines.findIndex((line) => pattern.test(line));
          if (at >= 0) return lines.splice(0, at + 1).at(-1);
          await new Promise((resolve) => { wake = resolve; });
        }
      },
    };
  };
`;

/** Commands during a search, and afterwards. */
async function interrupts(page, isIsolated) {
  await page.evaluate(CLIENT);
  const times = await page.evaluate(async (expected) => {
    if (globalThis.crossOriginIsolated !== expected) throw new Error("isolation");
    const { say, until, lines } = client();
    const timed = async (line, pattern) => {
      const start = performance.now();
      say(line);
      await until(pattern);
      return Math.round(performance.now() - start);
    };
    const check = (isFine, text) => {
      if (!isFine) throw new Error(`${text}: ${lines.join(" | ")}`);
    };
    say("uci");
    await until(/^uciok$/);
    say("setoption name MultiPV value 2");
    say("position startpos moves e2e4 e7e5");
    say("go infinite");
    await until(/^info depth [89] /);
    const ready = await timed("isready", /^readyok$/);
    const stop = await timed("stop", /^bestmove [a-h][1-8]/);
    // Options and position are kept.
    say("go depth 3");
    await until(/multipv 2/);
    const next = await until(/^bestmove /);
    check(/^bestmove [a-h][1-4]/.test(next), `White is to move, not ${next}`);
    // Lines that arrive during a search wait for its end, and a new search ends it.
    say("go infinite");
    say("setoption name MultiPV value 1");
    say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    say("go depth 5");
    await until(/^bestmove /);
    check((await until(/^bestmove /)) === "bestmove a1a8", "the second search has the new position");
    say("position startpos");
    say("go ponder movetime 50");
    await new Promise((resolve) => setTimeout(resolve, 500));
    check(!lines.some((line) => line.startsWith("bestmove")), "no answer while it ponders");
    const hit = await timed("ponderhit", /^bestmove /);
    // The best move of a completed infinite search is held back until `stop`.
    say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    say("go infinite");
    await new Promise((resolve) => setTimeout(resolve, 300));
    check(!lines.some((line) => line.startsWith("bestmove")), "mate is held back");
    await timed("stop", /^bestmove \(none\)$/);
    // So it is where the request comes when the search has ended already.
    for (const [go, word] of [["go infinite", "stop"], ["go ponder movetime 50", "ponderhit"]]) {
      say(go);
      say(word);
      await until(/^bestmove \(none\)$/);
    }
    // A stop before the first line leaves the choice of moves.
    say("position startpos");
    say("go infinite searchmoves a2a3");
    say("stop");
    check((await until(/^bestmove /)).startsWith("bestmove a2a3"), "one of the given moves");
    say("go perft 7");
    say("stop");
    await timed("isready", /^readyok$/);
    return { ready, stop, hit };
  }, isIsolated);
  assert(times.ready < 1000 && times.stop < 2000 && times.hit < 4000, JSON.stringify(times));
  console.log(`worker, ${isIsolated ? "with" : "without"} shared memory: ${JSON.stringify(times)} ms`);
}

/** Threads that share memory: more nodes, one best move; then one thread again, as before. */
async function threads(page) {
  const found = await page.evaluate(async () => {
    const { say, until } = client();
    /** A value of the last line before the best move. */
    const search = async (line) => {
      for (const text of ["ucinewgame", "position startpos", line]) say(text);
      for (let last = ""; ;) {
        const next = await until(/^bestmove |^info depth .* pv /);
        const number = (name) => Number(new RegExp(`${name} (\\d+)`).exec(last)?.[1]);
        if (next.startsWith("bestmove ")) return { nps: number("nps"), nodes: number("nodes") };
        last = next;
      }
    };
    say("uci");
    const most = Number(/max (\d+)/.exec(await until(/^option name Threads /))[1]);
    const speeds = {};
    const before = await search("go depth 9");
    for (const threads of [1, 2, 4, 3]) {
      say(`setoption name Threads value ${threads}`);
      // They start during the first search.
      await search("go movetime 300");
      speeds[threads] = (await search("go movetime 1000")).nps;
      say("go infinite");
      await until(/^info depth 8 /);
      say("stop");
      await until(/^bestmove /);
    }
    say("setoption name Threads value 1");
    const after = await search("go depth 9");
    say("bench");
    const bench = Number(/: *(\d+)/.exec(await until(/^Nodes searched/))[1]);
    return { most, speeds, before: before.nodes, after: after.nodes, bench };
  });
  assert.equal(found.most, 32);
  assert.equal(found.before, found.after, "one thread searches as before");
  const native = execFileSync(process.env.MOLA, ["bench"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  assert.equal(found.bench, Number(/^Nodes searched *: *(\d+)/m.exec(native)[1]), "nodes of the bench");
  console.log(`threads, nodes a second: ${JSON.stringify(found.speeds)}; bench: ${found.bench}`);
}

/** A module without an engine is reported. */
async function broken(page) {
  const told = await page.evaluate(async () => {
    const { say, until } = client();
    // The smallest module: it is empty.
    say(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    const reason = await until(/there is no engine/);
    // What waits for an answer gets one.
    say("uci\nisready\ngo");
    for (const answer of [/^uciok$/, /^readyok$/, /^bestmove \(none\)$/]) await until(answer);
    return reason;
  });
  console.log(told);
}

/** Ten short games of the worker against itself: each move is legal by the rules of the package. */
async function selfPlay(page) {
  const games = await page.evaluate(async () => {
    const { load } = await import("/mola.js");
    const mola = await load();
    const { say, until } = client();
    const variants = [
      "chess", "chess960", "suicide", "giveaway", "antichess", "atomic", "kingofthehill", "racingkings",
      "horde", "3check", "crazyhouse",
    ];
    const played = [];
    for (const name of variants) {
      const start = name === "chess960" ? { number: 100 } : { variant: name };
      const moves = [];
      say("ucinewgame");
      for (;;) {
        const position = mola.position({ ...start, moves });
        if (position.outcome || moves.length === 120) {
          played.push(`${name} ${moves.length} ${position.outcome?.reason ?? "cut"}`);
          break;
        }
        say(`setoption name UCI_Variant value ${position.variant}`);
        say(`setoption name UCI_Chess960 value ${position.chess960}`);
        say(`position fen ${position.start} moves ${moves.join(" ")}`);
        say("go nodes 3000");
        moves.push((await until(/^bestmove /)).split(" ")[1]);
      }
    }
    return played;
  });
  console.log(`games against itself: ${games.join(", ")}`);
}

/** The native engine. */
function nativeEngine() {
  const child = spawn(process.env.MOLA, ["uci"], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async best(moves) {
      child.stdin.write(`position startpos moves ${moves.join(" ")}\ngo nodes 20000\n`);
      for (;;) {
        const { value, done } = await lines.next();
        assert(!done, "the native engine has ended");
        if (value.startsWith("bestmove ")) return value.split(" ")[1];
      }
    },
    end: () => child.stdin.end("quit\n"),
  };
}

/** A game in the demo: the native engine replies to the page's moves. */
async function playNative(page) {
  const native = nativeEngine();
  await page.evaluate(() => {
    document.getElementById("level").value = "20";
    document.getElementById("time").value = "200";
    document.getElementById("side").value = "black";
  });
  await page.getByRole("button", { name: "New game" }).click();
  const { load } = await import(pathToFileURL(join(folder, "mola.js")));
  const mola = await load(readFileSync(join(folder, "rules.wasm")));
  // The page may have moved before its moves are read, so its status tells whose turn it is.
  const shown = async (plies) => {
    await page.waitForFunction(
      (least) => document.querySelectorAll("#moves .move").length >= least
        && !document.getElementById("status").textContent.startsWith("White to move"), plies);
    return mola.position({ moves: await page.locator("#moves .move").allTextContents() });
  };
  let position = await shown(1);
  while (!position.outcome && position.line.length < 160) {
    const reply = await native.best(position.line.map(({ uci }) => uci));
    await page.locator("#answer").fill(reply);
    await page.locator("#answer").press("Enter");
    const before = position.line.length;
    position = await shown(before + 1);
    assert.equal(position.line[before].uci, reply, await page.locator("#status").textContent());
  }
  native.end();
  const { outcome, line } = position;
  console.log(`against the native engine: ${line.length} plies, ${outcome ? `${outcome.result}, ${outcome.reason}` : "cut"}`);
}

/** By keyboard and pointer. */
async function tourDemo(page) {
  const choose = (id, value) => page.locator(`#${id}`).selectOption(value);
  const status = page.locator("#status");
  await choose("side", "both");
  await choose("variant", "crazyhouse");
  await page.getByRole("button", { name: "New game" }).click();
  const square = async (name) => {
    const box = await page.locator("svg.board").boundingBox();
    return [
      box.x + (("abcdefgh".indexOf(name[0]) + 0.5) * box.width) / 8,
      box.y + ((8.5 - Number(name[1])) * box.height) / 8,
    ];
  };
  const click = async (name) => page.mouse.click(...(await square(name)));
  await click("e2");
  assert.equal(await page.locator(".target").count(), 2, "where the pawn may go");
  await click("e4");
  // A drag, from the square to the square.
  await page.mouse.move(...(await square("d7")));
  await page.mouse.down();
  await page.mouse.move(...(await square("d5")), { steps: 4 });
  await page.mouse.up();
  for (const san of ["exd5", "Qxd5"]) {
    await page.locator("#answer").fill(san);
    await page.locator("#answer").press("Enter");
  }
  assert.deepEqual(await page.locator("#moves .move").allTextContents(), ["e4", "d5", "exd5", "Qxd5"]);
  await page.locator('button[aria-label="Drop a pawn, 1 in hand"]:enabled').click();
  await click("e6");
  assert.equal((await page.locator("#moves .move").allTextContents()).at(-1), "@e6");
  await page.locator("#answer").fill("Zz9");
  await page.locator("#answer").press("Enter");
  assert.match(await status.textContent(), /Zz9/);
  await page.locator("h1").click();
  await page.locator("#answer").blur();
  await page.keyboard.press("Home");
  assert.equal(await page.locator("#moves [aria-current]").count(), 0);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#moves [aria-current]").textContent(), "e4");
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
  await page.keyboard.press("End");
  await page.waitForFunction(() => /depth (?!1,)\d+/.test(document.getElementById("lines").textContent));
  await page.keyboard.press("a");
  // Two fields of a FEN are enough.
  await page.locator("#pgn").fill("4k3/8/8/8/8/8/8/R3K3 b");
  await page.locator("#read").click();
  assert.equal(await status.textContent(), "Black to move");
  assert.equal(await page.locator("#moves .move").count(), 0);
  await page.locator("#pgn").fill('[White "A"]\n\n1. e4 (1. d4) e5 2. Nf3 Nc6 3. Bb5 *');
  await page.locator("#read").click();
  assert.match(await page.locator("#opening").textContent(), /^C60 /);
  await page.locator("#write").click();
  assert.match(await page.locator("#pgn").inputValue(), /1\. e4 e5 2\. Nf3 Nc6 3\. Bb5 \*/);
  // A FEN that is none leaves the game as it is.
  await page.locator("#pgn").fill("8/8 w - - 0 1");
  await page.locator("#read").click();
  assert.match(await status.textContent(), /eight ranks/);
  await page.locator("#write").click();
  assert.match(await page.locator("#pgn").inputValue(), /1\. e4 e5 2\. Nf3 Nc6 3\. Bb5 \*/);
  await page.locator("#back").click();
  assert.equal(await page.locator("#moves [aria-current]").textContent(), "Nc6");
  await page.locator("#last").click();
  await page.locator("#analyse").click();
  await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
}

/** Games with null moves and faults, and what is shown of the last search where there is none; analysis is on. */
async function oddGames(page) {
  const status = page.locator("#status");
  const shown = () => page.evaluate(() => {
    const { height } = document.getElementById("bar").firstElementChild.style;
    return [height, document.getElementById("lines").textContent];
  });
  const read = async (text) => {
    await page.locator("#pgn").fill(text);
    await page.locator("#read").click();
  };
  // UCI has no null moves: the position is analysed all the same.
  await read("1. e4 e5 2. Bc4 -- 3. Qh5 -- *");
  await page.waitForFunction(() => document.getElementById("lines").textContent.startsWith("#1 Qxf7#"));
  await page.locator("#answer").fill("--");
  await page.locator("#answer").press("Enter");
  assert.match(await status.textContent(), /^--: .* passed/);
  assert.equal(await page.locator("#moves .move").count(), 6);
  // No engine takes a king.
  await read("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- *");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("could take the king"));
  assert.deepEqual(await shown(), ["50%", ""]);
  await read("1. e4 e5 2. Ke2 Ke7 3. Zz9 Nf3 *");
  assert.equal(await status.textContent(), 'Black to move \u00b7 "Zz9" is not a move');
  // A new game has no evaluation yet.
  await read("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1");
  await page.waitForFunction(() => document.getElementById("bar").firstElementChild.style.height === "100%");
  await page.locator("#analyse").click();
  await page.getByRole("button", { name: "New game" }).click();
  assert.deepEqual(await shown(), ["50%", ""]);
}

/** Screenshots for inspection, and problems found by axe-core. */
async function look(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert(overflow <= 0, `${name}: ${width} pixels are ${overflow} too few`);
      await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], name);
  }
}

/** Without the modules of the engine the demo says why, at once and where the engine is to move. */
async function lost() {
  const { server, address } = await serve(true, /mola.*\.wasm$/);
  const demo = await open(`${address}/demo/index.html`, address, { allowed: /404/ });
  const told = () => demo.waitForFunction(() => {
    return /^There is no engine: .*mola\.wasm: 404/.test(document.getElementById("status").textContent);
  });
  await told();
  await demo.locator("#side").selectOption("both");
  await demo.locator("#answer").fill("e4");
  await demo.locator("#answer").press("Enter");
  assert.equal(await demo.locator("#status").textContent(), "Black to move");
  await demo.locator("#side").selectOption("white");
  await told();
  await demo.context().close();
  server.close();
  console.log("the demo without an engine: ok");
}

/** Counts the workers that a page starts. */
const COUNTING = `
  globalThis.workers = 0;
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      globalThis.workers += 1;
    }
  };
`;
/** The first module that a page compiles is not to be had, or it is another one. */
const failing = (first) => `{
  const { compile } = WebAssembly;
  WebAssembly.compile = async () => {
    WebAssembly.compile = compile;
    ${first}
  };
}`;

/** A live page in which the engine fails. */
async function reviewedWithout() {
  const address = pathToFileURL(reviewPage).href;
  const told = (page, reason) => page.waitForFunction(
    (start) => document.getElementById("live").textContent.startsWith(`There is no engine: ${start}`), reason);
  const page = await open(address, "", { script: failing('throw new Error("no memory");') });
  const button = page.getByRole("button", { name: "Analyse" });
  await button.click();
  await told(page, "no memory");
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  // It may be tried again.
  await button.click();
  await page.waitForFunction(() => /depth \d/.test(document.getElementById("live").textContent));
  await page.context().close();
  const empty = "return compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));";
  const other = await open(address, "", { script: failing(empty) });
  await other.getByRole("button", { name: "Analyse" }).click();
  await told(other, "");
  await other.keyboard.press("ArrowRight");
  await told(other, "");
  await other.context().close();
  console.log("a page of mola review without an engine: ok");
}

/** Analysis in a page opened as a file. */
async function reviewed() {
  const page = await open(pathToFileURL(reviewPage).href, "", { script: COUNTING });
  const analysis = page.locator("#live");
  // On, off and on, before the engine has started: there is one all the same.
  await page.getByRole("button", { name: "Analyse" }).evaluate((button) => {
    for (let turn = 0; turn < 3; turn += 1) button.click();
  });
  const deep = () => page.waitForFunction(() => /depth ([5-9]|\d\d)/.test(document.getElementById("live").textContent));
  await deep();
  assert.equal(await page.evaluate(() => globalThis.workers), 1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await deep();
  assert.match(await analysis.textContent(), /^[+\u2212]\d\.\d\d \u00b7 depth \d+ \u00b7 [A-Z]?[a-h]?x?[a-h]\d /);
  await page.keyboard.press("End");
  assert.equal(await analysis.textContent(), "1-0, checkmate");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.getElementById("live").textContent.includes("Nd5#"));
  // After a null move in check the king could be taken: of that there is no analysis.
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.getElementById("live").textContent.includes("could take the king"));
  await page.waitForTimeout(300);
  assert.match(await analysis.textContent(), /could take the king$/);
  await page.keyboard.press("ArrowRight");
  await deep();
  await look(page, "review");
  await page.context().close();
  console.log("a page of mola review: ok");
}

for (const isIsolated of [true, false]) {
  const { server, address } = await serve(isIsolated);
  const page = await open(`${address}/`, address);
  await interrupts(page, isIsolated);
  if (isIsolated) {
    await threads(page);
    await broken(page);
    await selfPlay(page);
  }
  await page.context().close();
  const demo = await open(`${address}/demo/index.html`, address);
  await demo.locator("svg.board").waitFor();
  if (isIsolated) await playNative(demo);
  await tourDemo(demo);
  if (isIsolated) await look(demo, "demo");
  await oddGames(demo);
  await demo.context().close();
  server.close();
  console.log(`the demo, ${isIsolated ? "with" : "without"} shared memory: ok`);
}
await lost();
await reviewed();
await reviewedWithout();
await browser.close();
