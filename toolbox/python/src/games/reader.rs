//! The reader.

use super::illegal;
use super::lines::{Lines, TextLines};
use super::token::{self, Token};
use crate::{messages, names};
use engine_core::notation::{MoveError, MoveText, is_blank};
use engine_core::{
    AnyPosition, Bitboard, CastlingMode, Color, File, Move, Role, Setup, Square, Variant,
};
use pgn::{Comment, Headers, MAX_DEPTH, NodeId, Text, Tree, is_chess960, is_wild};
use std::io::{self, BufRead};

/// Reads games one after the other.
///
/// ```
/// use python_chess::games::Reader;
///
/// let mut reader = Reader::new(&b"1. e4 e5 2. Sf3 *"[..]);
/// let game = reader.read_game()?.ok_or("no game")?;
/// assert_eq!(game.uci(game.tree.end(game.tree.root())), "f2f3");
/// assert!(reader.read_game()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<L> {
    lines: L,
    /// The length of the byte order mark before the line.
    mark: usize,
}

/// A game with what python-chess knows of it beside.
#[derive(Clone, Debug)]
pub struct PythonGame {
    /// The game. Its tags are in the order of python-chess, the result is among them, and there
    /// is a start only if the tags name one.
    pub tree: Tree,
    /// The errors, each as `Class: message`.
    pub errors: Vec<String>,
    /// Why the tags name no start, if they do not.
    pub start_error: Option<String>,
    /// Whether some moves were tried on the board of another line.
    is_mixed_up: bool,
    /// The error that looking at the moves raises, if a move has no piece.
    pub broken: Option<String>,
    /// The moves to the nodes in UCI notation, in the order in which they were read.
    ucis: Vec<MoveText>,
    /// The positions of all nodes and the moves to them in algebraic notation, if mixed up.
    positions: Vec<AnyPosition>,
    sans: Vec<String>,
}

impl PythonGame {
    /// The move to a node in UCI notation, as it was read.
    pub fn uci(&self, id: NodeId) -> &str {
        let index = id.index().checked_sub(1);
        index
            .and_then(|index| self.ucis.get(index))
            .map_or("", |uci| uci)
    }

    /// The position after a node, where it is not that of the moves of the tree: in a game some of
    /// whose moves were tried on the board of another line and are illegal where they are.
    pub fn position(&self, id: NodeId) -> Option<&AnyPosition> {
        self.positions.get(id.index())
    }

    /// The move to a node in algebraic notation, in such a game.
    pub fn san(&self, id: NodeId) -> Option<&str> {
        let index = id.index().checked_sub(1)?;
        self.sans.get(index).map(String::as_str)
    }

    /// Plays each move on the board that its node has in the tree, though it came from the board of
    /// another line. The first that finds no piece to move is noted.
    fn put_right(&mut self) {
        let Some(start) = self.tree.start else { return };
        self.positions.push(start);
        for id in self.tree.ids().skip(1) {
            let parent = self.tree.parent(id).map_or(0, NodeId::index);
            let Some(&before) = self.positions.get(parent) else {
                return;
            };
            let uci = self.uci(id);
            let illegal::Played { m, san, after } = match illegal::play(&before, uci) {
                Ok(played) => played,
                Err(message) => {
                    self.broken = Some(message);
                    return;
                }
            };
            self.tree.set_move(id, m);
            self.positions.push(after);
            self.sans.push(san);
        }
    }

    /// The start position by the tags. The message is python-chess's.
    fn start(headers: &Headers) -> Result<AnyPosition, String> {
        let name = headers.raw("Variant").map(Text::to_str);
        start(headers, variant_of(name.as_deref())?)
    }
}

/// The variant by its tag; Chess960 and the wild positions of the Free Internet Chess Server are
/// standard chess.
fn variant_of(name: Option<&str>) -> Result<Variant, String> {
    match name {
        Some(name) if !is_chess960(name) && !is_wild(name) => {
            let variant = name.parse::<Variant>();
            variant.map_err(|_| format!("unsupported variant: {name}"))
        }
        _ => Ok(Variant::Standard),
    }
}

fn start(headers: &Headers, variant: Variant) -> Result<AnyPosition, String> {
    let name = headers.raw("Variant").map(Text::to_str);
    let fen = headers.raw("FEN").map(Text::to_str);
    let fen = fen.as_deref().unwrap_or(variant.start_fen());
    let setup = Setup::from_variant_fen(variant, fen).map_err(|_| messages::standard(fen))?;
    let is_chess960 = name.is_some_and(|name| is_chess960(&name)) || needs_chess960(&setup);
    let mode = if is_chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    Ok(AnyPosition::from_setup_unchecked(variant, &setup, mode))
}

/// Whether there are castling rights that standard chess does not know.
fn needs_chess960(setup: &Setup) -> bool {
    let rooks = setup.clean_castling(CastlingMode::Chess960);
    let is_odd = |color: Color| {
        let rank = color.backrank();
        let king = Square::new(File::E, rank);
        (rooks & rank.bitboard()).any() && !setup.board.pieces(color, Role::King).has(king)
    };
    (rooks - Bitboard::CORNERS).any() || Color::ALL.into_iter().any(is_odd)
}

/// A position that was reached, and the one before it.
struct Ply {
    before: Option<usize>,
    position: AnyPosition,
}

/// What is known while a game is read.
struct State {
    game: PythonGame,
    /// Every position of every line.
    plies: Vec<Ply>,
    /// The boards of the open lines.
    boards: Vec<usize>,
    /// The last nodes of the open lines; the two stacks can go apart.
    nodes: Vec<NodeId>,
    waiting: Vec<Comment>,
    in_variation: bool,
}

impl<B: BufRead> Reader<TextLines<B>> {
    /// A reader of a text.
    pub fn new(input: B) -> Reader<TextLines<B>> {
        Reader::of(TextLines::new(input))
    }

    /// How many characters have been read.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }
}

impl<L: Lines> Reader<L> {
    /// A reader of these lines.
    pub fn of(lines: L) -> Reader<L> {
        Reader { lines, mark: 0 }
    }

    /// The lines, the last of which has been read.
    pub fn lines(&self) -> &L {
        &self.lines
    }

    /// The line to be looked at; it is empty at the end.
    fn line(&self) -> &str {
        self.lines.line().get(self.mark..).unwrap_or_default()
    }

    fn next_line(&mut self) -> io::Result<()> {
        self.mark = 0;
        self.lines.next_line()
    }

    fn is_blank(&self) -> bool {
        let line = self.line();
        !line.is_empty() && line.chars().all(is_blank)
    }

    fn is_line_comment(&self) -> bool {
        self.line().starts_with(['%', ';'])
    }

    /// Reads the lines of tag pairs up to the movetext; `None` if there is no game.
    fn read_tags(&mut self, mut visit: impl FnMut(&str)) -> io::Result<Option<()>> {
        self.next_line()?;
        let line = self.line();
        self.mark = line.len() - line.trim_start_matches('\u{feff}').len();
        while self.is_blank() || self.is_line_comment() {
            self.next_line()?;
        }
        let mut found = None;
        let mut blank_lines = 0;
        while !self.line().is_empty() {
            if self.is_line_comment() {
                self.next_line()?;
                continue;
            }
            if blank_lines < 1 && self.is_blank() {
                blank_lines += 1;
                self.next_line()?;
                continue;
            }
            found = Some(());
            if !self.line().starts_with('[') {
                break;
            }
            blank_lines = 0;
            visit(self.line());
            self.next_line()?;
        }
        Ok(found)
    }

    /// Reads the tags of the next game and passes over the rest of it. They are in the order of
    /// python-chess.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_headers(&mut self) -> io::Result<Option<Headers>> {
        let lines = self.read_header_lines()?;
        Ok(lines.map(|lines| headers_of(&lines)))
    }

    /// Reads the lines that should be tags, and passes over the rest of the game.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_header_lines(&mut self) -> io::Result<Option<String>> {
        let mut lines = String::with_capacity(1 << 9);
        if self.read_tags(|line| lines.push_str(line))?.is_none() {
            return Ok(None);
        }
        self.skip_moves()?;
        Ok(Some(lines))
    }

    /// Passes over a game; false if there is none.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        let is_found = self.read_tags(|_| ())?.is_some();
        if is_found {
            self.skip_moves()?;
        }
        Ok(is_found)
    }

    fn skip_moves(&mut self) -> io::Result<()> {
        let mut in_comment = false;
        while !self.line().is_empty() {
            if !in_comment {
                if self.is_blank() {
                    break;
                }
                if self.line().starts_with('%') {
                    self.next_line()?;
                    continue;
                }
            }
            let mut rest = self.line().as_bytes();
            loop {
                let next = if in_comment {
                    memchr::memchr(b'}', rest)
                } else {
                    memchr::memchr2(b'{', b';', rest)
                };
                let Some(at) = next else { break };
                if rest.get(at) == Some(&b';') {
                    break;
                }
                in_comment = !in_comment;
                rest = rest.get(at + 1..).unwrap_or_default();
            }
            self.next_line()?;
        }
        Ok(())
    }

    /// Reads the next game.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_game(&mut self) -> io::Result<Option<PythonGame>> {
        let mut headers = Headers::roster();
        if self
            .read_tags(|line| set_tag(&mut headers, line))?
            .is_none()
        {
            return Ok(None);
        }
        let mut errors = Vec::new();
        let name = headers.raw("Variant").map(Text::to_str);
        let variant = variant_of(name.as_deref()).unwrap_or_else(|message| {
            errors.push(format!("ValueError: {message}"));
            Variant::Standard
        });
        let board = start(&headers, variant);
        let named = PythonGame::start(&headers);
        let mut tree = Tree::empty();
        tree.headers = headers;
        tree.start = named.as_ref().ok().copied();
        let game = PythonGame {
            tree,
            errors,
            start_error: named.err(),
            is_mixed_up: false,
            broken: None,
            ucis: Vec::new(),
            positions: Vec::new(),
            sans: Vec::new(),
        };
        match board {
            Ok(position) => self.read_moves(State::new(game, position)).map(Some),
            Err(message) => {
                let mut game = game;
                game.errors.push(format!("ValueError: {message}"));
                self.skip_moves()?;
                Ok(Some(game))
            }
        }
    }

    fn read_moves(&mut self, mut state: State) -> io::Result<PythonGame> {
        let mut skipped_depth = 0_usize;
        let mut line = String::new();
        while !self.line().is_empty() {
            if self.is_line_comment() {
                self.next_line()?;
                continue;
            }
            if self.is_blank() {
                break;
            }
            line.clear();
            line.push_str(self.line());
            let mut at = 0;
            while let Some((token, end)) = token::next(&line, at) {
                at = end;
                match token {
                    Token::Comment(brace) => {
                        let (text, end) = self.read_comment(&mut line, brace)?;
                        at = end;
                        if skipped_depth == 0 {
                            state.comment(&text);
                        }
                    }
                    Token::Open if skipped_depth > 0 => skipped_depth += 1,
                    Token::Open => skipped_depth = usize::from(!state.begin_variation()),
                    Token::Close if skipped_depth > 1 => skipped_depth -= 1,
                    Token::Close if skipped_depth == 1 => {
                        skipped_depth = 0;
                        state.nodes.pop();
                    }
                    Token::Close => state.end_variation(),
                    _ if skipped_depth > 0 => {}
                    Token::LineComment => break,
                    Token::Nag(digits) => state.nag(digits.parse().unwrap_or(u32::MAX)),
                    Token::Suffix(marks) => {
                        state.nag(nag_digits(marks).parse().unwrap_or_default());
                    }
                    Token::Result(result) if state.boards.len() == 1 => state.result(result),
                    Token::Move(text) | Token::Result(text) => {
                        skipped_depth = usize::from(!state.play(text));
                    }
                }
            }
            self.next_line()?;
        }
        Ok(state.finish())
    }

    /// Reads a comment that begins with this brace, with further lines if need be, and tells where
    /// in the line it ends.
    fn read_comment(&mut self, line: &mut String, brace: usize) -> io::Result<(String, usize)> {
        let mut comment = String::new();
        let mut from = brace + 1;
        from += usize::from(line.get(from..).is_some_and(|text| text.starts_with(' ')));
        loop {
            let text = line.get(from..).unwrap_or_default();
            if let Some(length) = text.find('}') {
                let text = text.get(..length).unwrap_or_default();
                comment.push_str(text.strip_suffix(' ').unwrap_or(text));
                return Ok((comment, from + length + 1));
            }
            comment.push_str(text);
            self.next_line()?;
            line.clear();
            line.push_str(self.line());
            from = 0;
            if line.is_empty() {
                return Ok((comment, 0));
            }
        }
    }
}

/// The tags that are on some lines, in the order of python-chess.
pub fn headers_of(lines: &str) -> Headers {
    let mut headers = Headers::new();
    for (name, value) in tags_of(lines) {
        headers.set_raw(name.as_bytes(), value.as_bytes());
    }
    headers.put_roster_first();
    headers
}

/// The names and values of the lines that are tag pairs.
pub fn tags_of(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.split_inclusive('\n').filter_map(tag)
}

/// Sets the tag that is on a line, if one is.
fn set_tag(headers: &mut Headers, line: &str) {
    if let Some((name, value)) = tag(line) {
        headers.set_raw(name.as_bytes(), value.as_bytes());
    }
}

/// The name and the value of a line that is a tag pair.
fn tag(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_end_matches(is_blank).strip_prefix('[')?;
    let text = text.strip_suffix("\"]")?;
    let is_in_name = |&byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte);
    let name = text.bytes().take_while(is_in_name).count();
    let (name, rest) = text.split_at_checked(name)?;
    let value = rest.trim_start_matches(is_blank);
    let is_pair = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && value.len() < rest.len();
    let value = value.strip_prefix('"')?;
    (is_pair && !value.contains('\r')).then_some((name, value))
}

/// The digits of the glyph that `!`, `?` or two of them stand for.
pub fn nag_digits(marks: &str) -> &'static str {
    match marks {
        "!" => "1",
        "?" => "2",
        "!!" => "3",
        "??" => "4",
        "!?" => "5",
        _ => "6",
    }
}

impl State {
    fn new(game: PythonGame, position: AnyPosition) -> State {
        let nodes = vec![game.tree.root()];
        State {
            game,
            plies: vec![Ply {
                before: None,
                position,
            }],
            boards: vec![0],
            nodes,
            waiting: Vec::new(),
            in_variation: false,
        }
    }

    fn node(&self) -> NodeId {
        self.nodes.last().copied().unwrap_or(self.game.tree.root())
    }

    fn board(&self) -> usize {
        self.boards.last().copied().unwrap_or(0)
    }

    fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let node = self.node();
        let is_first = node == self.game.tree.root() && self.game.tree.children(node).is_empty();
        if !self.in_variation && !is_first {
            self.waiting.push(Comment::new(text));
        } else if let Some(comments) = self.game.tree.comments_mut(node) {
            comments.push(Comment::new(text));
        }
    }

    fn nag(&mut self, nag: u32) {
        let node = self.node();
        if let Some(nags) = self.game.tree.nags_mut(node) {
            nags.push(nag);
        }
    }

    fn result(&mut self, result: &str) {
        let headers = &mut self.game.tree.headers;
        if headers
            .raw("Result")
            .is_none_or(|value| value.as_bytes() == b"*")
        {
            headers.set_raw(b"Result", result.as_bytes());
        }
    }

    /// Begins a variation if a move has been played; false if it is to be skipped.
    fn begin_variation(&mut self) -> bool {
        let ply = self.plies.get(self.board());
        let Some(before) = ply.and_then(|ply| ply.before) else {
            return true;
        };
        let parent = self.game.tree.parent(self.node());
        self.nodes.push(parent.unwrap_or(self.game.tree.root()));
        // The end of a variation that is skipped takes its node away again, and no board.
        if self.boards.len() > MAX_DEPTH {
            return false;
        }
        self.boards.push(before);
        self.in_variation = false;
        true
    }

    fn end_variation(&mut self) {
        if self.boards.len() > 1 {
            self.boards.pop();
            self.nodes.pop();
        }
    }

    /// Plays a move; false if it cannot be played.
    fn play(&mut self, text: &str) -> bool {
        let board = self.board();
        let Some(ply) = self.plies.get(board) else {
            return false;
        };
        let mut position = ply.position;
        let m = match position.parse_san(text) {
            Ok(m) => Some(m),
            Err(MoveError::Null) => None,
            Err(error) => {
                let (name, message) = (
                    names::exception(&error),
                    messages::san(text, &error, &position),
                );
                self.game.errors.push(format!("{name}: {message}"));
                return false;
            }
        };
        self.add(m, &position);
        match m {
            Some(m) => position.play(m),
            None => position.play_null(),
        }
        self.plies.push(Ply {
            before: Some(board),
            position,
        });
        if let Some(top) = self.boards.last_mut() {
            *top = self.plies.len() - 1;
        }
        true
    }

    /// The game, with what was left in the order of reading put in order.
    fn finish(mut self) -> PythonGame {
        let tree = &mut self.game.tree;
        for id in tree.ids() {
            if let Some(nags) = tree.nags_mut(id) {
                nags.sort_unstable();
                nags.dedup();
            }
        }
        if self.game.is_mixed_up {
            self.game.put_right();
        }
        self.game
    }

    fn add(&mut self, m: Option<Move>, before: &AnyPosition) {
        let id = self.game.tree.add(self.node(), m);
        match self.nodes.last_mut() {
            Some(top) => *top = id,
            None => self.nodes.push(id),
        }
        self.game.is_mixed_up |= self.nodes.len() != self.boards.len();
        if let Some(comments) = self.game.tree.starting_comments_mut(id) {
            *comments = std::mem::take(&mut self.waiting);
        }
        let uci = m.map_or_else(MoveText::null_uci, |m| before.to_uci(m));
        self.game.ucis.push(uci);
        self.in_variation = true;
    }
}
