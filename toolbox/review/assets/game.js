// The page of a game: board, moves, graph and text follow one place in the tree.

const facts = JSON.parse(find("facts").textContent);
const { nodes } = facts;
const mainLine = nodes.flatMap(({ main }, index) => (main ? [index] : []));
const board = new Board(find("board"), (from, to) => answer(from + to), () => legalMoves(choicesNow()));
const moves = new Moves(find("moves"), nodes, go);
const graph = new Graph(find("graph"), mainLine.map((index) => nodes[index]), (at) => go(mainLine[at]));
const ARROWS = { G: "green", R: "red", Y: "yellow", B: "blue" };

let here = 0;
/** The fault that the reader tries to do better, if any. */
let asked = null;

/** Goes to a node. */
function go(index) {
  here = index;
  asked = null;
  show();
}

function show() {
  const node = nodes[here];
  const arrows = (node.arrows ?? []).map((arrow) => {
    const [from, to] = [arrow.slice(1, 3), arrow.slice(3) || arrow.slice(1, 3)];
    return { from, to, kind: ARROWS[arrow[0]] };
  });
  const [from, to] = squaresOf(node.line?.uci);
  if (to && asked === null) arrows.push({ from, to, kind: "best" });
  board.isAsking = asked !== null;
  board.show({ fen: node.fen, last: node.uci, arrows });
  moves.mark(here);
  graph.mark(placeInMainLine(), nameOf(node));
  const percent = winPercent(node) ?? 50;
  find("bar").firstElementChild.style.height = `${percent}%`;
  find("try").hidden = asked === null;
  find("status").textContent = asked === null ? statusOf(node) : "Your turn: find a better move.";
  advise(node);
  showSides();
  document.dispatchEvent(new Event("place"));
}

/** The place in the main line, or where the variation leaves it. */
function placeInMainLine() {
  let index = here;
  while (!nodes[index].main) index = nodes[index].parent;
  return mainLine.indexOf(index);
}

function nameOf({ number = "", san = "Start" }) {
  return `${number} ${san}`.trim();
}

function statusOf(node) {
  const parts = [nameOf(node) + signsOf(node), inPawns(node)];
  if (node.tables) parts.push(`tables: ${node.tables.replace("_", " ")}`);
  if (node.time !== undefined) parts.push(inTime(node.time));
  if (node.accuracy !== undefined) parts.push(`accuracy ${Math.round(node.accuracy)} %`);
  return parts.filter(Boolean).join(" \u00b7 ");
}

/** Longer comments stand among the moves alone. */
const LONGEST_NOTE = 400;

/** What there is to say of the present move. */
function advise({ fault, line, comment, parent, uci }) {
  const advice = find("advice");
  advice.replaceChildren();
  if (asked !== null) return;
  if (fault) {
    const word = fault.mark[0].toUpperCase() + fault.mark.slice(1);
    const name = make("strong", { class: fault.mark }, word);
    const verdict = make("p", {}, name, ` \u2013 ${fault.why} `);
    const better = nodes[parent].line?.uci;
    if (better && better !== uci) {
      const retry = make("button", { type: "button" }, "Try it yourself");
      retry.addEventListener("click", ask);
      verdict.append(retry);
    }
    advice.append(verdict);
  }
  if (comment?.length <= LONGEST_NOTE) advice.append(make("p", { class: "note" }, comment));
  if (line) advice.append(make("p", { class: "line" }, `Best: ${line.san}`));
}

/** The clocks of both sides as they were here, and what they have in hand. */
function showSides() {
  const last = { white: undefined, black: undefined };
  for (let index = here; index !== undefined; index = nodes[index].parent) {
    const { clock, number = "" } = nodes[index];
    const side = number.endsWith("...") ? "black" : "white";
    last[side] ??= clock;
  }
  const parts = (side) => {
    const { name, rating } = facts[side];
    const clock = last[side] === undefined ? "" : ` \u00b7 ${inTime(last[side])}`;
    return [isolated(name), `${rating ? ` (${rating})` : ""}${clock}`, ...possessions(side)];
  };
  find("bar").classList.toggle("flipped", board.isFlipped);
  const [upper, lower] = board.isFlipped ? ["white", "black"] : ["black", "white"];
  find("upper").replaceChildren(...parts(upper));
  find("lower").replaceChildren(...parts(lower));
}

/** What a variant gives a side beside the board: pieces to drop, or checks that it must still give. */
function possessions(side) {
  const { fen } = nodes[here];
  const [letters, checks] = [pocketOf(fen, side), checksToGive(fen, side)];
  if (checks !== undefined) {
    return [` \u00b7 ${checks === 1 ? "1 check" : `${checks} checks`} to win`];
  }
  if (!letters) return [];
  const kinds = [...new Set(letters)].map((letter) => {
    const count = [...letters].filter((other) => other === letter).length;
    return { role: ROLES[letter], count };
  });
  const words = kinds.map(({ role, count }) => (count === 1 ? role : `${count} ${role}s`));
  const held = make("span", { class: "held", role: "img", "aria-label": `In hand: ${words.join(", ")}` });
  for (const { role, count } of kinds) {
    const picture = draw("use", { href: `#${role}`, class: side });
    held.append(draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "pieces" }, picture));
    if (count > 1) held.append(String(count));
  }
  return [" ", held];
}

/** Lets the reader find a better move than the present one. */
function ask() {
  const fault = here;
  here = nodes[fault].parent;
  asked = fault;
  if (board.isFlipped !== nodes[fault].number.endsWith("...")) board.flip();
  show();
  find("answer").value = "";
  find("answer").focus({ preventScroll: true });
  find("board").scrollIntoView({ block: "nearest" });
}

/** The moves that the reader can answer with. */
function choicesNow() {
  return asked === null ? [] : nodes[asked].fault.choices;
}

function answer(text) {
  if (asked === null || !text) return;
  const status = find("status");
  const { fault, uci } = nodes[asked];
  const { line } = nodes[here];
  const choice = choiceOf(choicesNow(), text);
  if (!choice) {
    status.textContent = `${text} is not a legal move.`;
  } else if (choice[0] === line?.uci) {
    status.textContent = `Yes, ${choice[1]} is best: ${line.san}`;
    showAnswer(choice);
  } else if (choice[0] === uci) {
    status.textContent = `That was played. ${fault.why}`;
  } else if (isMate(choice)) {
    status.textContent = `Yes, ${choice[1]} wins at once.`;
    showAnswer(choice);
  } else {
    status.textContent = `${choice[1]} is not what the engine prefers. Try another.`;
  }
}

/** Marks the answer on the board. */
function showAnswer([uci]) {
  board.show({ fen: nodes[here].fen, last: uci, arrows: [arrowOf(uci)] });
}

function arrowOf(uci) {
  const [from, to] = squaresOf(uci);
  return { from, to: to ?? from, kind: "best" };
}

function reveal() {
  const { line } = nodes[here];
  find("status").textContent = line ? `Best: ${line.san}` : "No better move is known.";
  if (line) board.show({ fen: nodes[here].fen, last: nodes[here].uci, arrows: [arrowOf(line.uci)] });
}

/** The present move and its variations. */
function siblings() {
  const { parent } = nodes[here];
  return parent === undefined ? [here] : moves.children[parent];
}

/** Another variation of the same move, so many further. */
function beside(step) {
  return siblings()[siblings().indexOf(here) + step] ?? here;
}

const forth = () => moves.children[here][0] ?? here;
const back = () => nodes[here].parent ?? here;

function end() {
  let last = here;
  while (moves.children[last].length) [last] = moves.children[last];
  return last;
}

function flip() {
  board.flip();
  showSides();
}

const KEYS = {
  ArrowRight: () => go(forth()),
  ArrowLeft: () => go(back()),
  ArrowUp: () => go(beside(-1)),
  ArrowDown: () => go(beside(1)),
  Home: () => go(0),
  End: () => go(end()),
  f: flip,
};

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.tagName === "INPUT";
  const action = KEYS[event.key];
  if (!action || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  // Without variations these keys scroll.
  if (/^Arrow(Up|Down)$/.test(event.key) && siblings().length === 1) return;
  event.preventDefault();
  action();
});

function listen(id, action) {
  find(id).addEventListener("click", action);
}

listen("first", () => go(0));
listen("back", () => go(back()));
listen("forth", () => go(forth()));
listen("last", () => go(end()));
listen("flip", flip);
listen("solution", reveal);
listen("leave", () => go(asked ?? here));
find("try").addEventListener("submit", (event) => {
  event.preventDefault();
  answer(find("answer").value.trim());
});

/** Title and circumstances. */
function introduce() {
  const { white, black, opening, tags, result, variant } = facts;
  find("title").replaceChildren(isolated(white.name), " \u2013 ", isolated(black.name), ` ${result}`);
  const known = (name) => (/^[?.*-]*$/.test(tags[name] ?? "") ? "" : isolated(tags[name]));
  const parts = [known("Event"), known("Site"), known("Date")];
  if (variant !== "Standard") parts.push(variant);
  if (facts.chess960) parts.push("Chess960");
  if (opening) parts.push(`${opening.eco} ${opening.name}`);
  if (facts.engine) parts.push(facts.engine);
  if (facts.left_out) parts.push(`${facts.left_out} or more moves of variations are left out`);
  find("about").replaceChildren(...joined(parts));
}

function tabulate() {
  const percent = (number) => (number === undefined ? "" : `${number.toFixed(1)} %`);
  // A side that nobody has judged has not made no mistakes.
  const judged = (side, number) => (side.accuracy === undefined ? "" : number);
  const rows = [
    ["Accuracy", ({ accuracy }) => percent(accuracy)],
    ["Centipawn loss", ({ average_loss: loss }) => loss?.toFixed(0) ?? ""],
    ["Inaccuracies", (side) => judged(side, side.inaccuracies)],
    ["Mistakes", (side) => judged(side, side.mistakes)],
    ["Blunders", (side) => judged(side, side.blunders)],
    ["Time", ({ time }) => (time === undefined ? "" : inTime(time))],
  ];
  const sides = [facts.white, facts.black];
  const heads = sides.map(({ name }) => make("th", { scope: "col" }, name));
  const isKnown = ([, value]) => sides.some((side) => value(side) !== "");
  const body = rows.filter(isKnown).map(([name, value]) => {
    const cells = sides.map((side) => make("td", { class: "number" }, String(value(side))));
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  find("players").append(
    make("thead", {}, make("tr", {}, make("td"), ...heads)),
    make("tbody", {}, ...body),
  );
}

function listFaults() {
  const list = find("faults");
  for (const index of mainLine) {
    const { fault, number, san } = nodes[index];
    if (!fault) continue;
    const button = make("button", { type: "button", class: `move ${fault.mark}` });
    button.append(`${number} ${san}${MARKS[fault.mark]}`);
    button.addEventListener("click", () => {
      go(index);
      find("board").scrollIntoView({ block: "nearest" });
    });
    const item = make("li", {}, button, ` ${fault.why}`);
    if (facts.turning_points.includes(index)) item.append(" ", make("em", {}, "The game turned here."));
    list.append(item);
  }
  if (!list.childElementCount) list.append(make("li", {}, "None."));
}

introduce();
tabulate();
listFaults();
find("times").hidden = !drawTimes(find("times"), mainLine.map((index) => nodes[index]));
go(0);
