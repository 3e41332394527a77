// The demo: a game against Mola, or of Mola against itself, with analysis. `Board`, `Engine`, `make`,
// `draw`, `find`, `inPawns` and `winPercent` are those of the pages of `mola review`.

import { load } from "../mola.js";

const VARIANTS = {
  chess: "Chess", chess960: "Chess960", crazyhouse: "Crazyhouse", atomic: "Atomic",
  antichess: "Antichess", suicide: "Suicide", giveaway: "Giveaway", kingofthehill: "King of the Hill",
  racingkings: "Racing Kings", horde: "Horde", "3check": "Three-check",
};
const LETTERS = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const LINES = 3;

const complain = (reason) => {
  find("status").textContent = reason;
};
const mola = await load().catch((error) => {
  complain(error.message);
  throw error;
});
const worker = new Worker("../worker.js");
const engine = new Engine(worker, complain);
/** The number of search threads: all processors but one, if threads can share memory. */
const THREADS = globalThis.crossOriginIsolated ? Math.min(Math.max(navigator.hardwareConcurrency - 1, 1), 32) : 1;

/** The game: its start, its moves, and the number of moves shown. */
const game = { start: { variant: "chess" }, moves: [], shown: 0 };
let position = mola.position(game.start);

/** A board that marks the targets of a piece, and accepts pieces in hand. */
class PlayBoard extends Board {
  render() {
    super.render();
    if (!position.check && !this.chosen) return;
    const targets = new Set(movesFrom(this.chosen).map(({ uci }) => squareOf(uci)));
    for (const target of targets) {
      const [x, y] = this.place(target);
      this.squares.append(draw("circle", { cx: (x + 0.5) * SIZE, cy: (y + 0.5) * SIZE, r: 7, class: "target" }));
    }
    if (!position.check) return;
    const side = position.turn;
    for (const [square, { color, role }] of piecesOf(position.fen)) {
      if (role !== "king" || color !== side) continue;
      const [x, y] = this.place(square);
      this.squares.append(draw("rect", { x: x * SIZE, y: y * SIZE, width: SIZE, height: SIZE, class: "check" }));
    }
  }
}

/** The square to click for a move: for castling in Chess960, the rook's. */
const squareOf = (uci) => uci.slice(2, 4);
const movesFrom = (from) => (from ? position.moves.filter(({ uci }) => uci.startsWith(from)) : []);

const legal = () => position.moves.map(({ uci }) => uci);
const board = new PlayBoard(find("board"), (from, to) => choose(from + to), legal);

/** Puts the drawings of the pieces into the page, which uses them by their names. */
function storePieces() {
  for (const letter of Object.keys(LETTERS)) {
    const svg = new DOMParser().parseFromString(mola.piece(letter), "image/svg+xml");
    const drawing = svg.getElementById(LETTERS[letter]);
    find("pieces").append(document.importNode(drawing, true));
  }
}

const options = () => ({ side: find("side").value, level: find("level").value, time: find("time").value });
const isAtEnd = () => game.shown === game.moves.length;
const isOurs = (turn) => ["both", turn].includes(options().side);
const isAnalysing = () => find("analyse").getAttribute("aria-pressed") === "true";

/** The move between two squares; the user chooses the promotion. */
async function choose(squares) {
  const found = position.moves.filter(({ uci }) => uci.slice(0, 4) === squares);
  if (!found.length) {
    complain(`${squares} is not a legal move.`);
    return;
  }
  const uci = found.length > 1 ? await promote(found) : found[0].uci;
  if (uci) play(uci);
}

/** Asks for the promotion piece. */
function promote(found) {
  const dialog = make("dialog", { "aria-label": "The pawn becomes" });
  for (const { uci, san } of found) {
    const button = make("button", { type: "button", "aria-label": san, value: uci });
    button.append(uci.length > 4 ? pieceOf(uci[4], position.turn) : san);
    button.addEventListener("click", () => dialog.close(uci));
    dialog.append(button);
  }
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

function pieceOf(letter, color) {
  const piece = draw("use", { href: `#${LETTERS[letter.toLowerCase()]}`, class: color });
  return draw("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, draw("g", { class: "pieces" }, piece));
}

/** A null move, which games to read may have. */
const NULL = "0000";

/** Plays a move after the one shown; later moves are dropped. */
function play(text) {
  const moves = [...game.moves.slice(0, game.shown), text];
  try {
    const { line } = mola.position({ ...game.start, moves });
    if (line.at(-1).uci === NULL) throw new Error(`${text}: a move cannot be passed.`);
    game.moves = line.map(({ uci }) => uci);
  } catch (error) {
    complain(error.message);
    return false;
  }
  go(game.moves.length);
  return true;
}

/** Shows the game after this many moves, and lets the engine play or analyse there. */
function go(shown) {
  game.shown = Math.max(0, Math.min(game.moves.length, shown));
  position = mola.position({ ...game.start, moves: game.moves.slice(0, game.shown) });
  show();
  think();
}

function show() {
  const last = position.line.at(-1)?.uci ?? "";
  board.isAsking = !position.outcome && (isOurs(position.turn) || isAnalysing() || !isAtEnd());
  board.show({ fen: position.fen, last, arrows: [] });
  const { outcome, opening, checks, claim } = position;
  const turn = `${position.turn === "white" ? "White" : "Black"} to move`;
  const parts = [outcome ? `${outcome.result}, ${outcome.reason}` : turn];
  if (claim && !outcome) parts.push(`a draw may be claimed: ${claim.reason}`);
  if (checks) parts.push(`checks to give: White ${checks[0]}, Black ${checks[1]}`);
  find("status").textContent = parts.join(" \u00b7 ");
  find("opening").textContent = opening ? `${opening.eco} ${opening.name}` : "";
  showPockets();
  listMoves();
}

function showPockets() {
  const [upper, lower] = board.isFlipped ? ["white", "black"] : ["black", "white"];
  find("bar").classList.toggle("flipped", board.isFlipped);
  for (const [id, color] of [["upper", upper], ["lower", lower]]) {
    const letters = position.pockets?.[color === "white" ? 0 : 1] ?? "";
    const kinds = [...new Set(letters.toLowerCase())];
    find(id).replaceChildren(...kinds.map((letter) => inHand(letter, color, letters)));
  }
}

function inHand(letter, color, letters) {
  const count = [...letters.toLowerCase()].filter((other) => other === letter).length;
  const label = `Drop a ${LETTERS[letter]}, ${count} in hand`;
  const button = make("button", { type: "button", "aria-label": label }, pieceOf(letter, color), String(count));
  button.disabled = color !== position.turn || !board.isAsking;
  button.addEventListener("click", () => {
    board.chosen = `${letter.toUpperCase()}@`;
    board.render();
  });
  return button;
}

function listMoves() {
  const all = mola.position({ ...game.start, moves: game.moves });
  const isBlackFirst = all.start.split(" ")[1] === "b";
  const first = Number(all.start.split(" ").at(-1)) || 1;
  const rows = [];
  all.line.forEach(({ san }, index) => {
    const ply = index + Number(isBlackFirst);
    if (ply % 2 === 0 || !rows.length) {
      rows.push(make("div", { class: "row" }, make("span", { class: "number" }, `${first + Math.floor(ply / 2)}.`)));
      if (ply % 2) rows[0].append(make("span", {}, "\u2026"));
    }
    const button = make("button", { type: "button", class: "move" }, san);
    if (index + 1 === game.shown) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => go(index + 1));
    rows.at(-1).append(button);
  });
  find("moves").replaceChildren(...rows);
  const current = find("moves").querySelector("[aria-current]");
  find("moves").scrollTop = current ? current.offsetTop - find("moves").offsetTop - 150 : 0;
}

/** The UCI lines that set the engine up for the shown position. Throws if no engine could search it. */
function setup(settings) {
  const all = {
    UCI_Variant: position.variant, UCI_Chess960: position.chess960, Threads: THREADS, MultiPV: 1, "Skill Level": 20,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `setoption name ${name} value ${value}`);
  const moves = game.moves.slice(0, game.shown);
  if (!moves.includes(NULL)) {
    return [...lines, `position fen ${position.start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`];
  }
  // UCI has no null moves, so the position is sent without those before it. After a null move in check the
  // king could be taken: that is no position.
  const { variant, chess960, fen } = position;
  mola.position({ variant, chess960, fen });
  return [...lines, `position fen ${fen}`];
}

/** Lets the engine analyse, or play if it is to move; says why if it cannot. */
async function think() {
  try {
    await search();
  } catch (error) {
    forget();
    complain(error.message);
  }
}

/** Ends the search; nothing is shown of it any more. */
function forget() {
  engine.cancel();
  find("lines").replaceChildren();
  find("bar").firstElementChild.style.height = "50%";
}

async function search() {
  const found = [];
  const hear = (info) => {
    found[info.rank - 1] = info;
    tell(found);
  };
  if (position.outcome) {
    engine.cancel();
    find("lines").replaceChildren();
  } else if (isAnalysing()) {
    engine.search([...setup({ MultiPV: LINES, UCI_AnalyseMode: true }), "go infinite"], hear);
  } else if (isAtEnd() && !isOurs(position.turn)) {
    const { level, time } = options();
    const lines = setup({ "Skill Level": level, UCI_AnalyseMode: false });
    const move = await engine.search([...lines, `go movetime ${time}`], hear);
    if (move && move !== "(none)") play(move);
  } else {
    engine.cancel();
  }
}

/** Shows the engine's score and PV, from White's point of view. */
function tell(found) {
  const sign = position.turn === "white" ? 1 : -1;
  const moves = game.moves.slice(0, game.shown);
  const items = found.filter(Boolean).map(({ cp, mate, depth, nps, pv }, rank) => {
    const score = mate === undefined ? { cp: sign * cp } : { mate: sign * mate };
    if (rank === 0) find("bar").firstElementChild.style.height = `${winPercent(score)}%`;
    const { line } = mola.position({ ...game.start, moves: [...moves, ...pv.slice(0, 12)] });
    const text = line.slice(moves.length).map(({ san }) => san).join(" ");
    const speed = rank === 0 ? ` (depth ${depth}, ${Math.round(nps / 1000)} kN/s)` : "";
    return make("li", {}, make("strong", {}, inPawns(score)), ` ${text}${speed}`);
  });
  find("lines").replaceChildren(...items);
  if (!found[0]) return;
  const [from, to] = squaresOf(found[0].pv[0]);
  if (isAnalysing() && from) {
    const { fen, last } = board.view;
    const chosen = board.chosen;
    board.show({ fen, last, arrows: [{ from, to: to ?? from, kind: "best" }] });
    board.chosen = chosen;
    if (chosen) board.render();
  }
}

/** Starts a new game; the engine's hash table and histories are cleared. Throws if there is no such game. */
function begin(start, moves = []) {
  // Before anything changes: the present game is kept.
  mola.position({ ...start, moves });
  worker.postMessage("ucinewgame");
  game.start = start;
  game.moves = moves;
  forget();
  const isBlack = options().side === "black";
  if (board.isFlipped !== isBlack) board.flip();
  go(moves.length);
  find("variant").value = position.chess960 ? "chess960" : position.variant;
}

function startOf(name) {
  if (name !== "chess960") return { variant: name };
  return { variant: "chess", number: Math.floor(960 * Math.random()) };
}

/** Reads the user's input: a FEN, or games, of which the first is shown. */
function read() {
  const text = find("pgn").value.trim();
  const variant = find("variant").value;
  try {
    if (/^\S+\s+[wb](\s|$)/.test(text)) {
      begin({ variant, chess960: variant === "chess960", fen: text });
      return;
    }
    const [first] = mola.readPgn(text);
    if (!first?.start) throw new Error("There is no game.");
    const moves = [];
    for (let at = 0; at >= 0; at = first.nodes.findIndex(({ parent }) => parent === at)) {
      if (first.nodes[at].uci) moves.push(first.nodes[at].uci);
    }
    const chess960 = /960|fischer/i.test(first.tags.Variant ?? "");
    begin({ variant: first.variant, chess960, fen: first.start }, moves);
    const [problem] = first.problems;
    if (problem) find("status").append(` \u00b7 ${problem.message}`);
  } catch (error) {
    complain(error.message);
  }
}

function write() {
  const { side } = options();
  const name = (color) => (side === "both" || side === color ? "You" : "Mola");
  const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
  const tags = { Event: "A game in a page", Date: date, White: name("white"), Black: name("black") };
  find("pgn").value = mola.writePgn({ ...game.start, moves: game.moves, tags });
}

function flip() {
  board.flip();
  showPockets();
}

function analyse() {
  find("analyse").setAttribute("aria-pressed", String(!isAnalysing()));
  find("lines").replaceChildren();
  go(game.shown);
}

function undo() {
  const isAnswered = options().side !== "both" && isOurs(position.turn);
  game.moves.length = Math.max(0, game.shown - (isAnswered ? 2 : 1));
  go(game.moves.length);
}

const KEYS = {
  ArrowRight: () => go(game.shown + 1),
  ArrowLeft: () => go(game.shown - 1),
  Home: () => go(0),
  End: () => go(game.moves.length),
  f: flip,
  a: analyse,
  m: () => find("answer").focus(),
};

document.addEventListener("keydown", (event) => {
  const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
  const action = KEYS[event.key];
  if (!action || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  action();
});

const CLICKS = {
  first: KEYS.Home, back: KEYS.ArrowLeft, forth: KEYS.ArrowRight, last: KEYS.End,
  flip, analyse, undo, read, write, now: () => engine.stop(),
};
for (const [id, action] of Object.entries(CLICKS)) find(id).addEventListener("click", action);

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  if (play(find("answer").value.trim())) find("answer").value = "";
});
find("settings").addEventListener("submit", (event) => {
  event.preventDefault();
  begin(startOf(find("variant").value));
});
find("side").addEventListener("change", () => go(game.shown));

for (const [value, name] of Object.entries(VARIANTS)) find("variant").append(make("option", { value }, name));
for (let level = 1; level <= 20; level += 1) {
  find("level").append(make("option", { value: level }, level === 20 ? "20, all it has" : String(level)));
}
find("level").value = "6";
find("about").textContent = globalThis.crossOriginIsolated
  ? `A chess engine in this page, on ${THREADS === 1 ? "one thread" : `${THREADS} threads`}. Searches stop at a word.`
  : "A chess engine in this page.";
storePieces();
begin({ variant: "chess" });
