// A board that shows positions and, where it is asked for one, takes a move.

const FILES = "abcdefgh";
const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SIZE = 45;

/** The pieces of a FEN by their squares; what is promoted or in hand is left aside. */
function piecesOf(fen) {
  const pieces = new Map();
  const ranks = fen.split(" ")[0].replace(/\[.*/, "").replace(/~/g, "").split("/").slice(0, 8);
  ranks.forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "8") {
        file += Number(letter);
      } else {
        const color = letter === letter.toUpperCase() ? "white" : "black";
        pieces.set(FILES[file] + (8 - row), { color, role: ROLES[letter.toLowerCase()] });
        file += 1;
      }
    }
  });
  return pieces;
}

/** The letters of the pieces that a side has in hand by a FEN; undefined where the variant has no drops. */
function pocketOf(fen, color) {
  const [, letters] = /\[(.*?)\]/.exec(fen) ?? [];
  const isOwn = (letter) => (letter === letter.toUpperCase()) === (color === "white");
  return letters === undefined ? undefined : [...letters].filter(isOwn).join("").toLowerCase();
}

/** The checks that a side must still give by a FEN; undefined where the variant does not count them. */
function checksToGive(fen, color) {
  const [, white, black] = / (\d)\+(\d) /.exec(fen) ?? [];
  const left = color === "white" ? white : black;
  return left === undefined ? undefined : Number(left);
}

/** The two squares of a move in UCI notation; a drop has one. */
function squaresOf(uci) {
  if (!uci || uci === "0000") return [];
  return uci[1] === "@" ? [uci.slice(2, 4)] : [uci.slice(0, 2), uci.slice(2, 4)];
}

class Board {
  /**
   * Draws into an element; `onMove` hears of the squares from and to that the reader has chosen, `legal` gives
   * the legal moves in UCI notation.
   */
  constructor(container, onMove, legal) {
    this.isFlipped = false;
    this.onMove = onMove;
    this.legal = legal;
    this.isAsking = false;
    this.chosen = null;
    this.squares = draw("g");
    this.pieces = draw("g", { class: "pieces" });
    this.arrows = draw("g", { class: "arrows" });
    this.names = draw("g", { class: "coordinates" });
    const size = 8 * SIZE;
    this.svg = draw("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", class: "board" });
    this.svg.append(this.squares, this.names, this.arrows, this.pieces);
    container.append(this.svg);
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.view = { fen: "8/8/8/8/8/8/8/8 w - - 0 1", last: "", arrows: [] };
  }

  /** Shows a position: its FEN, the last move, and arrows of a class from and to. */
  show(view) {
    this.view = view;
    this.chosen = null;
    this.render();
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.render();
  }

  /** Where a square is. */
  place(square) {
    const file = FILES.indexOf(square[0]);
    const rank = Number(square[1]) - 1;
    return this.isFlipped ? [7 - file, rank] : [file, 7 - rank];
  }

  render() {
    const pieces = piecesOf(this.view.fen);
    const last = squaresOf(this.view.last);
    this.squares.replaceChildren();
    this.names.replaceChildren();
    this.pieces.replaceChildren();
    for (const file of FILES) {
      for (let rank = 1; rank <= 8; rank += 1) {
        this.square(file + rank, last);
      }
    }
    for (const [square, { color, role }] of pieces) {
      const [x, y] = this.place(square);
      const at = `translate(${x * SIZE} ${y * SIZE})`;
      this.pieces.append(draw("use", { href: `#${role}`, class: color, transform: at }));
    }
    this.arrows.replaceChildren(...this.view.arrows.map((arrow) => this.arrow(arrow)));
    this.svg.setAttribute("aria-label", inWords(pieces));
  }

  square(name, last) {
    const [x, y] = this.place(name);
    const classes = [(x + y) % 2 ? "dark" : "light"];
    if (last.includes(name)) classes.push("last");
    if (this.chosen === name) classes.push("chosen");
    const corner = { x: x * SIZE, y: y * SIZE, width: SIZE, height: SIZE };
    this.squares.append(draw("rect", { ...corner, class: classes.join(" ") }));
    const shade = classes[0];
    if (x === 0) {
      this.names.append(draw("text", { x: 2, y: y * SIZE + 10, class: shade }, name[1]));
    }
    if (y === 7) {
      const at = { x: x * SIZE + SIZE - 2, y: 8 * SIZE - 3, "text-anchor": "end", class: shade };
      this.names.append(draw("text", at, name[0]));
    }
  }

  /** An arrow, or a ring where both squares are the same. */
  arrow({ from, to, kind }) {
    const [x1, y1] = this.place(from).map((place) => (place + 0.5) * SIZE);
    const [x2, y2] = this.place(to).map((place) => (place + 0.5) * SIZE);
    if (from === to) {
      return draw("circle", { cx: x1, cy: y1, r: SIZE / 2 - 3, class: `ring ${kind}` });
    }
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    // The head begins so far before the middle of the square.
    const head = 16;
    const [hx, hy] = [x2 - dx * head, y2 - dy * head];
    const corners = [
      [hx - dy * 9, hy + dx * 9],
      [x2, y2],
      [hx + dy * 9, hy - dx * 9],
    ];
    const shaft = draw("line", { x1: x1 + dx * 12, y1: y1 + dy * 12, x2: hx, y2: hy });
    const point = draw("polygon", { points: corners.map((corner) => corner.join(",")).join(" ") });
    return draw("g", { class: kind }, shaft, point);
  }

  squareAt(event) {
    const box = this.svg.getBoundingClientRect();
    const place = (at, from, size) => Math.floor(((at - from) / size) * 8);
    const x = place(event.clientX, box.left, box.width);
    const y = place(event.clientY, box.top, box.height);
    if (x < 0 || x > 7 || y < 0 || y > 7) return null;
    return this.isFlipped ? FILES[7 - x] + (y + 1) : FILES[x] + (8 - y);
  }

  press(event) {
    if (!this.isAsking) return;
    event.preventDefault();
    const square = this.squareAt(event);
    if (this.chosen && square && square !== this.chosen) {
      this.choose(square);
    } else {
      this.chosen = square;
      this.render();
    }
  }

  release(event) {
    const square = this.squareAt(event);
    if (this.isAsking && this.chosen && square && square !== this.chosen) this.choose(square);
  }

  /** Moves the chosen piece; or chooses another own piece instead, unless the first can move there. */
  choose(square) {
    const from = this.chosen;
    const turn = this.view.fen.split(" ")[1] === "w" ? "white" : "black";
    const reaches = this.legal().some((uci) => uci.startsWith(from + square));
    const isOwn = piecesOf(this.view.fen).get(square)?.color === turn;
    const isOther = isOwn && !reaches;
    this.chosen = isOther ? square : null;
    this.render();
    if (!isOther) this.onMove(from, square);
  }
}

/** Where the pieces are, for those who do not see them. */
function inWords(pieces) {
  const side = (color) => {
    const own = [...pieces].filter(([, piece]) => piece.color === color);
    const order = Object.values(ROLES).reverse();
    own.sort(([, a], [, b]) => order.indexOf(a.role) - order.indexOf(b.role));
    return own.map(([square, { role }]) => `${role} ${square}`).join(", ");
  };
  return `Board. White: ${side("white")}. Black: ${side("black")}.`;
}

/** The moves of choices, in UCI notation. */
const legalMoves = (choices) => choices.map(([uci]) => uci);

/** Whether a choice wins the game at once. */
const isMate = ([, san]) => san.endsWith("#");

/** The choice that a reader means by squares, or by a move in SAN or UCI notation. */
function choiceOf(choices, text) {
  const plain = (san) => san.replace(/[+#x=]/g, "").replace(/0/g, "O");
  const small = (san) => plain(san).toLowerCase();
  return (
    choices.find(([uci, san]) => uci === text || plain(san) === plain(text)) ??
    // `nf3` is `Nf3`; `bxc4` is `Bxc4` only where no pawn can take.
    choices.find(([, san]) => small(san) === small(text)) ??
    choices.find(([uci]) => uci === `${text}q`)
  );
}
