/** Names of variants; all others that Mola knows are understood, too. */
export type Variant =
  | "chess" | "suicide" | "giveaway" | "antichess" | "atomic" | "kingofthehill" | "racingkings"
  | "horde" | "3check" | "crazyhouse";

/** A start and moves from there, in any notation. Without a start it is that of the variant. */
export interface Line {
  variant?: Variant | (string & {});
  /** Castling is written as the king capturing its rook. */
  chess960?: boolean;
  fen?: string;
  /** A start position of Chess960, 0 to 959, instead of a FEN. */
  number?: number;
  moves?: readonly string[];
}

export interface Move {
  uci: string;
  san: string;
  capture: boolean;
}

export interface End {
  result: "1-0" | "0-1" | "1/2-1/2";
  reason: string;
}

export interface Position {
  variant: Variant;
  chess960: boolean;
  /** The FEN before the moves, and after them. */
  start: string;
  fen: string;
  turn: "white" | "black";
  check: boolean;
  /** The legal moves, in the order of their UCI notation. */
  moves: Move[];
  /** The moves played. */
  line: Move[];
  /** How the game has ended, and how a draw could be claimed; null if it has not, or cannot. */
  outcome: End | null;
  claim: End | null;
  opening: { eco: string; name: string } | null;
  /** Pieces in hand of White and of Black, in Crazyhouse: their letters in lower case. */
  pockets: [string, string] | null;
  /** Checks still to be given by White and by Black, in Three-check. */
  checks: [number, number] | null;
}

/** A node of a game: the first is its start, every other a move. */
export interface Node {
  /** The index of the parent. */
  parent?: number;
  san?: string;
  uci?: string;
  nags?: number[];
  /** Before the move: that of a variation, for example. The start has none. */
  startingComment?: string;
  comment?: string;
}

export interface Game {
  tags: Record<string, string>;
  /** The FEN of the start; null if the tags have no valid position. */
  start: string | null;
  variant: Variant | null;
  /** Castling is that of Chess960. */
  chess960: boolean;
  result: string;
  nodes: Node[];
  /** Faults of the text; `at` is the offset in bytes. */
  problems: { at: number; message: string }[];
}

/** A game to be written: a line of moves, or nodes from a start, as in `Game`. */
export type PgnGame = (Line | Pick<Game, "nodes" | "start" | "variant" | "chess960">) & {
  tags?: Record<string, string>;
  result?: string;
};

export interface Look {
  theme?: "wood" | "green" | "blue" | "slate" | "paper" | "rose";
  /** The width in pixels. */
  size?: number;
}

export interface BoardLook extends Line, Look {
  orientation?: "white" | "black";
  /** As in PGN: `Ge2e4` is a green arrow, `Rd5` a red circle. */
  arrows?: readonly string[];
  crosses?: readonly string[];
  coordinates?: boolean;
  border?: boolean;
  /** A bar at the side: `+1.3`, `#-2`. */
  evaluation?: string;
  caption?: string;
}

export interface Mola {
  /** Everything about a position. Throws if a move is illegal, or the start is invalid. */
  position(line?: Line): Position;
  /** All games of a text; its faults are in `problems` of each. */
  readPgn(text: string): Game[];
  /**
   * A game as PGN: moves alone, or a game of `readPgn` with its comments, variations and NAGs, also changed:
   * of each node `uci` counts, else `san`, and its parent is before it. Tags are in the order of the
   * standard; `FEN`, `SetUp` and `Variant` are those of the start, whatever the tags say. In PGN a variant
   * is Chess960 only by castling rights that fit no other: without them, `chess960` is false of what
   * `readPgn` reads again. The result is the
   * given one, else that of the moves, else that of the tags. Throws if it is none, if a move is illegal,
   * if `start` is null beside a tag `FEN` or `Variant`, as in a game whose start could not be read, or if a
   * tag has a name that no reader would find.
   */
  writePgn(game: PgnGame): string;
  /** A board as SVG; the last move and a check are marked. */
  svg(look?: BoardLook): string;
  /** One piece: `N` is a white knight, `n` a black one. */
  piece(letter: string, look?: Look): string;
}

export interface Engine {
  /**
   * Passes a line of UCI to the engine in the calling thread, which is blocked during a search; pages
   * use `worker.js`. Returns 0 after `quit`, 2 while a best move is held back until `stop`, else 1.
   */
  uci(line: string): 0 | 1 | 2;
}

export interface Host {
  /** Called with each line of the engine. */
  say?(line: string): void;
  /** Called during a search: 1 ends it, 2 starts its clock as `ponderhit` does, 0 does nothing. */
  interrupt?(): number;
}

/** A module: compiled, as bytes, or its address. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** Loads rules, PGN and pictures: by default `rules.wasm` beside the script. */
export function load(source?: Source): Promise<Mola>;

/** Loads the engine: by default `mola.wasm` beside the script. */
export function loadEngine(source?: Source, host?: Host): Promise<Engine>;
