// Tests pages of `mola review` and `mola puzzles` in Chromium: a tour by keyboard and pointer,
// axe-core, html-validate, size, requests, and screenshots for inspection.
//
//     node check.js FOLDER-OF-PAGES FOLDER-FOR-SCREENSHOTS LONG-PAGE
//
// Pages whose name begins with `hostile` must not run anything. The page with a very long variation, which is
// too large for the other checks, must show all of it. $CHROMIUM names the browser.

import { chromium } from "playwright-core";
import { HtmlValidate } from "html-validate";
import { createRequire } from "node:module";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const [pages, shots, long] = process.argv.slice(2).map((path) => resolve(path));
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const WIDTHS = [390, 820, 1440];
const MAX_BYTES = 250_000;

/** What Black and White have at the end of games of variants. */
const POSSESSIONS = {
  "crazyhouse.html": ["In hand: pawn", "In hand: queen, pawn"],
  "three-check.html": ["3 checks to win", "0 checks to win"],
};

const faults = [];

function expect(isFine, text) {
  if (!isFine) faults.push(text);
}

/** Moves as readers type them. The function is of the scripts of a page, in which nothing is global. */
function checkChoices() {
  const script = readFileSync(new URL("../../toolbox/review/assets/board.js", import.meta.url), "utf8");
  const choiceOf = vm.runInNewContext(`${script}; choiceOf`);
  const choices = [["b5c4", "bxc4+"], ["d3c4", "Bxc4"], ["g1f3", "Nf3"], ["a7a8q", "a8=Q"]];
  const meant = ["Bxc4", "bxc4", "nf3", "g1f3", "a7a8", "a8q"].map((text) => choiceOf(choices, text)[0]);
  const expected = ["d3c4", "b5c4", "g1f3", "g1f3", "a7a8q", "a7a8q"];
  expect(meant.join() === expected.join(), `moves are taken as ${meant}`);
}

/** Problems of the HTML, without the style rules that pages with one line of JSON break. */
async function validate(name, path) {
  const rules = { "long-title": "off", "no-inline-style": "error", "no-trailing-whitespace": "off" };
  const validator = new HtmlValidate({ extends: ["html-validate:standard"], rules });
  const report = await validator.validateFile(path);
  for (const { messages } of report.results) {
    for (const { ruleId, message, line } of messages) {
      expect(false, `${name}: line ${line}: ${ruleId}: ${message.slice(0, 200)}`);
    }
  }
}

async function checkAxe(name, page) {
  // The page's content security policy blocks scripts, so the checker is injected by the debugger.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  for (const { id, impact, nodes } of violations) {
    expect(false, `${name}: axe: ${impact} ${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
  }
}

const current = (page) =>
  page.evaluate(() => document.querySelector("#moves [aria-current]")?.dataset.node ?? "0");

const factsOf = (page) => page.evaluate(() => JSON.parse(document.getElementById("facts").textContent));

/** Whether there is a button for every move. */
async function checkMoves(name, page) {
  const { nodes } = await factsOf(page);
  const buttons = await page.locator("#moves .move").count();
  expect(buttons === nodes.length - 1, `${name}: ${buttons} moves of ${nodes.length - 1}`);
}

/** What the title says, and the names beside the board, in whatever direction these are written. */
async function checkHeader(name, page) {
  const { white, black, chess960 = false } = await factsOf(page);
  const about = await page.locator("#about").textContent();
  expect(about.includes("Chess960") === chess960, `${name}: ${about}`);
  const names = { "#title": [white.name, black.name], "#upper": [black.name], "#lower": [white.name] };
  for (const [place, expected] of Object.entries(names)) {
    const found = await page.locator(`${place} bdi`).allTextContents();
    expect(found.join() === expected.join(), `${name}: ${place} isolates ${found}`);
  }
  const isLast = await page.evaluate(() => {
    const title = document.getElementById("title");
    const result = document.createRange();
    result.selectNodeContents(title.lastChild);
    const [end, start] = [title.querySelector("bdi:last-of-type") ?? title, result]
      .map((part) => [...part.getClientRects()].at(-1));
    return start.left >= end.right - 1 || start.top >= end.bottom;
  });
  expect(isLast, `${name}: the result is not the last of the title`);
}

/** The arrow keys that lead through variations scroll where there is none. */
async function checkScrolling(name, page) {
  const { nodes } = await factsOf(page);
  const hasOthers = ({ parent }) => nodes.filter((node) => node.parent === parent).length > 1;
  for (const isTaken of [true, false]) {
    const node = nodes.findIndex((found, index) => index > 0 && hasOthers(found) === isTaken);
    if (node < 0) continue;
    await page.locator(`#moves [data-node="${node}"]`).click();
    for (const key of ["ArrowDown", "ArrowUp"]) {
      const isLeft = await page.evaluate(
        (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })),
        key,
      );
      expect(isLeft !== isTaken, `${name}: ${key} at node ${node}`);
    }
  }
  await page.keyboard.press("Home");
}

/** Steps through all moves, into variations, over the graph, and answers a mistake. */
async function tourGame(name, page) {
  const { nodes } = await factsOf(page);
  const plies = nodes.filter((node) => node.main).length - 1;
  for (let ply = 1; ply <= plies; ply += 1) {
    await page.keyboard.press("ArrowRight");
    expect((await current(page)) === String(ply), `${name}: → does not lead to ply ${ply}`);
  }
  await page.keyboard.press("Home");
  expect((await current(page)) === "0", `${name}: Home`);
  await page.keyboard.press("End");
  expect((await current(page)) === String(plies), `${name}: End`);
  await page.keyboard.press("f");
  const label = await page.locator("#upper").textContent();
  await page.keyboard.press("f");
  expect(label !== (await page.locator("#upper").textContent()), `${name}: f does not turn the board`);

  const variation = nodes.findIndex((node) => !node.main && nodes[node.parent].main);
  if (variation > 0) {
    const { parent } = nodes[variation];
    await page.keyboard.press("Home");
    for (let ply = 0; ply <= parent; ply += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    expect((await current(page)) === String(variation), `${name}: ↓ does not open the variation`);
    await page.keyboard.press("ArrowUp");
    expect((await current(page)) === String(parent + 1), `${name}: ↑ does not leave the variation`);
  }

  const graph = page.locator(".graph");
  const box = await graph.boundingBox();
  await graph.click({ position: { x: box.width / 2, y: box.height / 2 } });
  const middle = Number(await current(page));
  expect(Math.abs(middle - plies / 2) <= 1, `${name}: the graph leads to ${middle} of ${plies}`);

  const fault = nodes.findIndex(({ fault: found, parent, uci }) => {
    const better = found && nodes[parent].line?.uci;
    return better && better !== uci;
  });
  if (fault > 0) await tryFault(name, page, nodes, fault);
  await page.keyboard.press("Escape");
}

/** Answers a mistake wrongly, then rightly by clicks on the board. */
async function tryFault(name, page, nodes, fault) {
  await page.locator(`#moves [data-node="${fault}"]`).click();
  await page.getByRole("button", { name: "Try it yourself" }).click();
  const status = page.locator("#status");
  await page.locator("#answer").fill("Zz9");
  await page.keyboard.press("Enter");
  expect((await status.textContent()).includes("not a legal move"), `${name}: Zz9 is legal`);
  await page.locator("#answer").fill(nodes[fault].san);
  await page.keyboard.press("Enter");
  expect((await status.textContent()).startsWith("That was played"), `${name}: the move played`);
  const { uci } = nodes[nodes[fault].parent].line;
  const isBlack = nodes[fault].number.endsWith("...");
  await page.locator("svg.board").scrollIntoViewIfNeeded();
  for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) await clickSquare(page, square, isBlack);
  if (uci.length === 4) {
    expect((await status.textContent()).startsWith("Yes"), `${name}: ${uci} on the board is not taken`);
  }
  await page.getByRole("button", { name: "Leave" }).click();
}

/** A click on a square of a board that White or Black sees from below. */
async function clickSquare(page, square, isBlack) {
  const board = await page.locator("svg.board").boundingBox();
  const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
  const [x, y] = isBlack ? [7 - file, rank] : [file, 7 - rank];
  await page.mouse.click(board.x + ((x + 0.5) * board.width) / 8, board.y + ((y + 0.5) * board.height) / 8);
}

/** Either of two mates in one is an answer; nothing, or another piece than the first, is none. */
async function checkMates(name, page) {
  await page.locator('#moves [data-node="1"]').click();
  const status = page.locator("#status");
  for (const mate of ["Ra8#", "Rb8#"]) {
    await page.getByRole("button", { name: "Try it yourself" }).click();
    await page.locator("#answer").fill("");
    await page.keyboard.press("Enter");
    expect((await status.textContent()).startsWith("Your turn"), `${name}: nothing is an answer`);
    await page.locator("#answer").fill(mate);
    await page.keyboard.press("Enter");
    expect((await status.textContent()).startsWith("Yes"), `${name}: ${mate} is refused`);
    await page.getByRole("button", { name: "Leave" }).click();
  }
  await page.getByRole("button", { name: "Try it yourself" }).click();
  await page.locator("svg.board").scrollIntoViewIfNeeded();
  for (const square of ["g1", "a1"]) await clickSquare(page, square, false);
  expect((await status.textContent()).startsWith("Your turn"), `${name}: ${await status.textContent()}`);
  await clickSquare(page, "a8", false);
  expect((await status.textContent()).startsWith("Yes"), `${name}: ${await status.textContent()}`);
  await page.getByRole("button", { name: "Leave" }).click();
}

/** What is beside the boards of variants after the last move. */
async function checkPossessions(name, page, expected) {
  await page.keyboard.press("End");
  const labels = await page.evaluate(() =>
    ["upper", "lower"].map((id) => {
      const side = document.getElementById(id);
      return side.querySelector(".held")?.getAttribute("aria-label") ?? side.textContent;
    }),
  );
  expect(expected.every((text, at) => labels[at].endsWith(text)), `${name}: ${labels}`);
  await page.keyboard.press("Home");
}

/** The table of the players has room. */
async function checkPlayers(name, page, width) {
  const overflow = await page.evaluate(() => {
    const table = document.querySelector(".players .scroll");
    return table.scrollWidth - table.clientWidth;
  });
  expect(overflow <= 0, `${name}: at ${width} pixels the players lack ${overflow}`);
}

/** Solves every puzzle by its moves. */
async function tourTrainer(name, page) {
  const puzzles = await factsOf(page);
  for (const [number, { uci, choices, san }] of puzzles.entries()) {
    for (let ply = 1; ply < uci.length; ply += 2) {
      const other = choices[(ply - 1) / 2].find(([move, text]) => move !== uci[ply] && !text.endsWith("#"));
      if (ply === 1 && number === 1 && other) {
        await page.locator("#answer").fill(other[1]);
        await page.keyboard.press("Enter");
        expect((await page.locator("#status").textContent()).includes("is not the best move"), `${name}: ${other[1]}`);
      }
      await page.locator("#answer").fill(san[ply]);
      await page.keyboard.press("Enter");
    }
    const names = [puzzles[number].white, puzzles[number].black].filter(Boolean);
    const isolated = await page.locator("#details bdi").allTextContents();
    expect(isolated.join() === names.join(), `${name}: the names of puzzle ${number + 1} are ${isolated}`);
    const text = await page.locator("#status").textContent();
    expect(text.includes("solved."), `${name}: puzzle ${number + 1}: ${text}`);
    await page.locator("#forth").click();
  }
  const done = await page.locator("#about").textContent();
  const solved = puzzles.length > 1 ? puzzles.length - 1 : puzzles.length;
  expect(done.includes(`${solved} solved`), `${name}: ${done}`);
}

/** Sorts the table of the games by columns with other texts than theirs, and numbers after each other. */
async function tourIndex(name, page) {
  const columns = {
    Date: ["2024.01.10", "2024.01.09", "????.??.??", "2023.12.31", "2024.01.11"],
    Result: ["1-0", "1/2-1/2", "0-1", "1-0", "1/2-1/2"],
    Moves: ["100", "9", "25", "", "31"],
    "Accuracy of White": ["9.5 %", "100.0 %", "", "87.5 %", "10.0 %"],
  };
  const expected = {
    Date: ["????.??.??", "2024.01.11", "2024.01.10", "2024.01.09", "2023.12.31"],
    Result: ["1/2-1/2", "1/2-1/2", "1-0", "1-0", "0-1"],
    Moves: ["", "100", "31", "25", "9"],
    "Accuracy of White": ["", "100.0 %", "87.5 %", "10.0 %", "9.5 %"],
  };
  for (const [head, texts] of Object.entries(columns)) {
    const sorted = await page.evaluate(([head, texts]) => {
      const table = document.querySelector("table");
      const button = [...table.querySelectorAll("th button")].find((other) => other.textContent === head);
      const column = button.closest("th").cellIndex;
      const rows = [...table.tBodies[0].rows];
      const before = rows.map((row) => row.cells[column].textContent);
      // The other rows are left out of this table, but not of the screenshots.
      table.tBodies[0].replaceChildren(...rows.slice(0, texts.length));
      texts.forEach((text, at) => (rows[at].cells[column].textContent = text));
      button.click();
      const found = [...table.tBodies[0].rows].map((row) => row.cells[column].textContent);
      table.tBodies[0].replaceChildren(...rows);
      rows.forEach((row, at) => (row.cells[column].textContent = before[at]));
      return found;
    }, [head, texts]);
    expect(sorted.join() === expected[head].join(), `${name}: sorted by ${head}: ${sorted}`);
  }
}

async function look(browser, name) {
  const path = join(pages, name);
  await validate(name, path);
  const isHostile = name.startsWith("hostile");
  const size = statSync(path).size;
  expect(isHostile || size <= MAX_BYTES, `${name}: ${size} bytes`);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on("request", (request) => expect(request.url().startsWith("file:"), `${name}: asks for ${request.url()}`));
  page.on("dialog", (dialog) => {
    expect(false, `${name}: a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("pageerror", (error) => expect(false, `${name}: ${error}`));
  page.on("console", (message) => expect(message.type() !== "error", `${name}: ${message.text()}`));
  await page.goto(pathToFileURL(path).href);
  const kind = await page.evaluate(() => document.querySelector("main").className);
  if (kind === "game") await checkMoves(name, page);
  if (kind === "game" && !isHostile) {
    await checkHeader(name, page);
    await checkScrolling(name, page);
  }
  if (name in POSSESSIONS) await checkPossessions(name, page, POSSESSIONS[name]);
  if (kind === "game" && !isHostile) await tourGame(name, page);
  if (name === "mates.html") await checkMates(name, page);
  if (kind === "trainer") await tourTrainer(name, page);
  if (kind === "index") await tourIndex(name, page);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow <= 0, `${name}: ${width} pixels are ${overflow} too few`);
      if (kind === "game" && !isHostile) await checkPlayers(name, page, width);
      await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: !isHostile });
    }
    await checkAxe(`${name}, ${colorScheme}`, page);
  }
  await context.close();
  return size;
}

async function checkLong(browser) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => expect(false, `a long variation: ${error}`));
  await page.goto(pathToFileURL(long).href);
  await checkMoves("a long variation", page);
  await page.close();
}

mkdirSync(shots, { recursive: true });
checkChoices();
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const name of readdirSync(pages).filter((file) => file.endsWith(".html"))) {
  const before = faults.length;
  const size = await look(browser, name);
  console.log(`${name}: ${size} bytes, ${faults.length - before} faults`);
}
await checkLong(browser);
await browser.close();
for (const fault of faults) console.log(fault);
process.exitCode = faults.length ? 1 : 0;
