// A page of puzzles: the mistake is played, then the reader is asked for each move of the solution.

const puzzles = JSON.parse(find("facts").textContent);
const board = new Board(find("board"), (from, to) => answer(from + to), () => legalMoves(choicesNow()));
let number = 0;
/** Moves that have been played: the mistake is the first. */
let played = 0;
let hasFailed = false;
const solved = new Set();

function begin(next) {
  number = next;
  played = 1;
  hasFailed = false;
  const { id, rating, white, black, url } = puzzles[number];
  if (board.isFlipped !== isBlackToMove()) board.flip();
  say(`${isBlackToMove() ? "Black" : "White"} to move and win.`);
  const names = joined([white, black].filter(Boolean).map(isolated), " \u2013 ");
  const details = find("details");
  details.replaceChildren(`${id} \u00b7 rated ${rating} \u00b7 `, ...names);
  if (/^https?:/.test(url)) details.append(" \u00b7 ", make("a", { href: url, rel: "noreferrer" }, "the game"));
  tell();
  show();
}

function isBlackToMove() {
  return puzzles[number].fens[played].split(" ")[1] === "b";
}

function isDone() {
  return played >= puzzles[number].uci.length;
}

function show(arrows = []) {
  const { fens, uci } = puzzles[number];
  board.isAsking = !isDone();
  board.show({ fen: fens[played], last: uci[played - 1], arrows });
}

function say(text) {
  find("status").textContent = text;
}

function tell() {
  find("about").textContent = `${number + 1} of ${puzzles.length}, ${solved.size} solved`;
}

/** The moves that the reader can answer with. */
function choicesNow() {
  return puzzles[number].choices[(played - 1) / 2];
}

function answer(text) {
  if (isDone() || !text) return;
  const { uci, san } = puzzles[number];
  const choice = choiceOf(choicesNow(), text);
  if (!choice) {
    say(`${text} is not a legal move.`);
  } else if (isMate(choice) && choice[0] !== uci[played]) {
    played = uci.length;
    finish(`${choice[1]}: solved. The board shows the other mate, ${san[played - 1]}.`);
  } else if (choice[0] === uci[played]) {
    played += 1;
    if (!isDone()) played += 1;
    finish(isDone() ? `${choice[1]}: solved.` : `${choice[1]} is right; ${san[played - 1]} is the answer.`);
  } else {
    hasFailed = true;
    say(`${choice[1]} is not the best move. Try another.`);
  }
}

function finish(text) {
  if (isDone()) {
    if (!hasFailed) solved.add(number);
    tell();
    say(`${text} Themes: ${puzzles[number].themes.join(", ")}.`);
  } else {
    say(text);
  }
  find("answer").value = "";
  show();
}

function reveal() {
  if (isDone()) return;
  hasFailed = true;
  const text = puzzles[number].san[played];
  played += 1;
  if (!isDone()) played += 1;
  finish(`The move is ${text}.`);
}

function listen(id, action) {
  find(id).addEventListener("click", action);
}

if (puzzles.length) {
  listen("back", () => begin((number + puzzles.length - 1) % puzzles.length));
  listen("forth", () => begin((number + 1) % puzzles.length));
  listen("flip", () => board.flip());
  listen("solution", reveal);
  find("try").addEventListener("submit", (event) => {
    event.preventDefault();
    answer(find("answer").value.trim());
  });
  begin(0);
} else {
  say("There are no puzzles.");
  find("try").hidden = true;
  board.show(board.view);
}
