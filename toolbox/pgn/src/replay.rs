//! Playing the moves that the parser reads.

use super::problem::excerpt;
use super::result::result_in;
use super::spelling::{self, Languages};
use super::variant_tag::names_no_variant;
use super::{Flow, Headers, MAX_NODES, MAX_PLIES, Problem, ProblemKind, Remark, Visitor};
use engine_core::notation::{Language, MoveError, MoveText};
use engine_core::{AnyPosition, Move, Outcome, Termination, dispatch};

/// Receives every move of a game with the positions before and after it; the same trait serves
/// [`Tree::visit`](super::Tree::visit).
#[expect(unused_variables, reason = "names tell what is ignored by default")]
pub trait GameVisitor {
    /// A game begins at this offset; see [`Visitor::begin_game`].
    fn begin_game(&mut self, at: usize) -> Flow {
        Flow::Go
    }

    /// A tag pair with its value as written.
    fn header(&mut self, name: &[u8], value: &[u8]) {}

    /// The tags are complete; the moves begin at this offset. There is no start position if the
    /// tags name none that can be read: all text of the moves then comes as one [`Remark::Raw`].
    fn start(&mut self, start: Option<&AnyPosition>, at: usize) -> Flow {
        Flow::Go
    }

    /// A legal move, or `None` for the null move.
    fn play(&mut self, before: &AnyPosition, m: Option<Move>, after: &AnyPosition) {}

    /// A numeric annotation glyph.
    fn nag(&mut self, nag: u32) {}

    /// A comment, or text that could not be read.
    fn remark(&mut self, remark: Remark, text: &[u8]) {}

    /// A variation begins: other moves than the last one. [`Flow::Skip`] skips it with its end.
    fn begin_variation(&mut self) -> Flow {
        Flow::Go
    }

    /// The variation ends.
    fn end_variation(&mut self) {}

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    fn result(&mut self, result: &str) {}

    /// Something is wrong with the text.
    fn problem(&mut self, problem: Problem) -> Flow {
        Flow::Go
    }

    /// The game ends before this offset.
    fn end_game(&mut self, at: usize) {}
}

/// The state of a line: the present position and, for a variation, the one before the last move.
/// Storing all positions would be slower.
#[derive(Clone, Copy, Debug)]
struct LineState {
    now: AnyPosition,
    before: AnyPosition,
    /// How many moves led here from the start of the game.
    plies: usize,
    /// Whether the last of them belongs to this line, so that a variation can replace it.
    has_move: bool,
}

/// Plays the moves of a reader and passes them on with their positions.
///
/// ```
/// use pgn::{GameVisitor, Parser, Replay};
/// use engine_core::{AnyPosition, Move, dispatch};
///
/// #[derive(Default)]
/// struct Keys(Vec<u64>);
///
/// impl GameVisitor for Keys {
///     fn play(&mut self, _: &AnyPosition, _: Option<Move>, after: &AnyPosition) {
///         self.0.push(after.key());
///     }
/// }
///
/// let mut keys = Keys::default();
/// Parser::new(b"1. e4 e5 *").read_game(&mut Replay::new(&mut keys));
/// assert_eq!(keys.0.len(), 2);
/// ```
#[derive(Debug)]
pub struct Replay<'v, V> {
    visitor: &'v mut V,
    /// The tags for the start position and the result.
    headers: Headers,
    /// Where the tag is that says how the game starts: the last `FEN` or `Variant`.
    start_tag_at: usize,
    /// The tag `Variant` that counts, if its value names none, and where it is.
    no_variant: Option<(String, usize)>,
    /// Where the tag `Result` is.
    result_tag_at: usize,
    /// The game termination marker and where it is.
    result: Option<(&'static str, usize)>,
    /// Whether all moves of the main line could be read, so that the board at its end is the
    /// one at the end of the game.
    is_whole: bool,
    /// The line that is being read; none if there is no start.
    line: Option<LineState>,
    /// The lines that it is a variation of, in their state before it, the main line first.
    suspended: Vec<LineState>,
    /// How many moves are left of [`MAX_NODES`] after the variations that have ended.
    room: usize,
    /// Why a variation has been refused.
    refused: Option<ProblemKind>,
    /// The last capital letter that stood alone, and where: a sign, or a piece apart from its square.
    letter: Option<(u8, usize)>,
    /// The language of the moves, if it was given; English otherwise.
    language: Option<Language>,
    /// The languages that the piece letters of this game can be from.
    languages: Languages,
}

impl LineState {
    fn new(start: AnyPosition) -> LineState {
        LineState {
            now: start,
            before: start,
            plies: 0,
            has_move: false,
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Option<Move>) {
        self.before = self.now;
        dispatch!(&mut self.now, |position| match m {
            Some(m) => position.play(m),
            None => position.play_null(),
        });
        self.plies += 1;
        self.has_move = true;
    }

    /// Whether another move is read, with this much room in the game.
    #[inline(always)]
    fn has_room(&self, room: usize) -> bool {
        self.plies < MAX_PLIES.min(room)
    }

    /// Takes the last move back, for another one instead.
    fn take_back(&mut self) {
        self.now = self.before;
        self.plies -= 1;
        self.has_move = false;
    }

    fn san(&self, m: Move) -> MoveText {
        self.now.to_san(m)
    }
}

impl<'v, V: GameVisitor> Replay<'v, V> {
    /// Plays for this visitor.
    pub fn new(visitor: &'v mut V) -> Replay<'v, V> {
        Replay {
            visitor,
            headers: Headers::new(),
            start_tag_at: 0,
            no_variant: None,
            result_tag_at: 0,
            result: None,
            is_whole: true,
            line: None,
            suspended: Vec::new(),
            room: MAX_NODES,
            refused: None,
            letter: None,
            language: None,
            languages: Languages::ALL,
        }
    }

    /// Reads the piece letters of this language before those of English. Without it, letters that
    /// are not English are taken for what they mean in most languages, and reported.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Replay<'v, V> {
        self.language = (language != Language::ENGLISH).then_some(language);
        self
    }

    /// The visitor.
    pub fn visitor(&mut self) -> &mut V {
        self.visitor
    }

    /// Keeps the last tag `Variant`, if it names one.
    #[cold]
    fn variant_tag(&mut self, value: &[u8], at: usize) {
        self.headers.remove("Variant");
        let name = super::decode(value);
        self.no_variant = names_no_variant(&name).then(|| (name.into_owned(), at));
        if self.no_variant.is_none() {
            self.headers.push(b"Variant", value);
        }
    }

    fn report(&mut self, at: usize, kind: ProblemKind) -> Flow {
        let is_in_variation = !self.suspended.is_empty();
        self.is_whole &= is_in_variation || !kind.costs_moves();
        let ply = self.line.as_ref().map_or(0, |line| line.plies);
        self.visitor.problem(Problem { at, ply, kind })
    }

    /// Compares the result of the tag, of the termination marker and of the board.
    fn check_result(&mut self) {
        let tag = self.headers.get("Result");
        let tag = tag.filter(|tag| tag.trim() != "*");
        let meant = tag.as_deref().map(|tag| result_in(tag).unwrap_or(tag));
        let (result, at) = match (self.result, meant) {
            (Some((marker, at)), _) => (marker, at),
            (None, Some(meant)) => (meant, self.result_tag_at),
            (None, None) => return,
        };
        let differing = tag.as_deref().filter(|_| meant != Some(result));
        let differing = differing.map(|tag| excerpt(tag.as_bytes()));
        let board = self
            .line
            .as_ref()
            .filter(|_| self.is_whole && result != "*");
        let outcome = board.and_then(|line| end_of_game(&line.now));
        let outcome = outcome.filter(|outcome| outcome.result() != result);
        let outcome = outcome.map(|outcome| (excerpt(result.as_bytes()), outcome));
        if let (Some(tag), Some((marker, _))) = (differing, self.result) {
            self.report(at, ProblemKind::OtherResult(tag, marker));
        }
        if let Some((result, outcome)) = outcome {
            self.report(at, ProblemKind::ResultOnBoard(result, outcome));
        }
    }

    /// Reports a problem and leaves the rest of the line unread.
    fn skip_line(&mut self, at: usize, kind: ProblemKind) -> Flow {
        match self.report(at, kind) {
            Flow::Go => Flow::Skip,
            flow => flow,
        }
    }

    /// The same where the line or the game has as many moves as are read.
    #[cold]
    fn skip_full_line(&mut self, at: usize) -> Flow {
        let is_long = self.line.is_some_and(|line| line.plies >= MAX_PLIES);
        let kind = if is_long {
            ProblemKind::TooManyMoves
        } else {
            ProblemKind::TooManyNodes
        };
        self.skip_line(at, kind)
    }

    /// Reads a move and plays it.
    #[inline(always)]
    fn read(&mut self, word: &[u8], at: usize) -> Flow {
        let Some(line) = &mut self.line else {
            return Flow::Skip;
        };
        match dispatch!(&line.now, |position| position.parse_san_bytes(word)) {
            Ok(m) if line.has_room(self.room) => {
                line.play(Some(m));
                self.visitor.play(&line.before, Some(m), &line.now);
                Flow::Go
            }
            Ok(_) => self.skip_full_line(at),
            Err(error) => self.read_other(word, at, error),
        }
    }

    /// A word that is not SAN: another spelling of a move, a sign, or none of them.
    #[cold]
    fn read_other(&mut self, word: &[u8], at: usize, error: MoveError) -> Flow {
        let Some(line) = &mut self.line else {
            return Flow::Skip;
        };
        if error == MoveError::Null {
            if !line.has_room(self.room) {
                return self.skip_full_line(at);
            }
            line.play(None);
            self.visitor.play(&line.before, None, &line.now);
            return Flow::Go;
        }
        if let Some((m, nag)) = self.languages.read_with_sign(&line.now, word, &error) {
            if !line.has_room(self.room) {
                return self.skip_full_line(at);
            }
            let kind = ProblemKind::OtherSpelling(excerpt(word), line.san(m));
            let ply = line.plies;
            let flow = self.visitor.problem(Problem { at, ply, kind });
            line.play(Some(m));
            self.visitor.play(&line.before, Some(m), &line.now);
            if let Some(nag) = nag {
                self.visitor.nag(nag);
            }
            return flow;
        }
        if error != MoveError::Syntax {
            return self.skip_line(at, ProblemKind::BadMove(excerpt(word), error));
        }
        if let [letter @ b'A'..=b'Z'] = word {
            self.letter = Some((*letter, at));
        }
        if let Some(nag) = spelling::sign(word) {
            self.visitor.nag(nag);
            return Flow::Go;
        }
        if spelling::is_redundant(word) {
            return Flow::Go;
        }
        self.visitor.remark(Remark::Raw, word);
        self.report(at, ProblemKind::NotAMove(excerpt(word)))
    }

    /// Reports a legal move if it is another one together with the letter before it.
    #[cold]
    fn check_letter(&mut self, word: &[u8], at: usize) -> Flow {
        let (Some((letter, letter_at)), Some(line)) = (self.letter.take(), &self.line) else {
            return Flow::Go;
        };
        if letter_at + 2 != at {
            return Flow::Go;
        }
        let words = [&[letter], word].concat();
        let read = |word: &[u8]| dispatch!(&line.now, |position| position.parse_san_bytes(word));
        let is_piece_apart = read(word).is_ok()
            && match read(&words) {
                Ok(_) => true,
                Err(error) => {
                    let mut languages = self.languages;
                    languages.read(&line.now, &words, &error).is_some()
                }
            };
        if !is_piece_apart {
            return Flow::Go;
        }
        let words = [&[letter, b' '], word].concat();
        self.report(letter_at, ProblemKind::PieceApart(excerpt(&words)))
    }
}

impl<V: GameVisitor> Visitor for Replay<'_, V> {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.headers = Headers::new();
        self.start_tag_at = at;
        self.no_variant = None;
        self.result = None;
        self.is_whole = true;
        self.line = None;
        self.suspended.clear();
        self.room = MAX_NODES;
        self.letter = None;
        self.languages = Languages::ALL;
        self.visitor.begin_game(at)
    }

    fn header(&mut self, name: &[u8], value: &[u8], at: usize) {
        match name {
            b"FEN" | b"Result" => self.headers.push(name, value),
            b"Variant" => self.variant_tag(value, at),
            _ => {}
        }
        match name {
            b"FEN" | b"Variant" => self.start_tag_at = at,
            b"Result" => self.result_tag_at = at,
            _ => {}
        }
        self.visitor.header(name, value);
    }

    fn end_headers(&mut self, at: usize) -> Flow {
        let flow = match self.headers.start() {
            Ok(start) => {
                self.line = Some(LineState::new(start));
                Flow::Go
            }
            Err(reason) => self.report(self.start_tag_at, ProblemKind::BadStart(reason)),
        };
        let no_variant = self.no_variant.take().map(|(value, at)| {
            let value = excerpt(value.as_bytes());
            self.report(at, ProblemKind::NoVariant(value))
        });
        if flow == Flow::Stop || no_variant == Some(Flow::Stop) {
            return Flow::Stop;
        }
        self.visitor
            .start(self.line.as_ref().map(|line| &line.now), at)
    }

    #[inline(always)]
    fn san(&mut self, word: &[u8], at: usize) -> Flow {
        if self.letter.is_some() && self.check_letter(word, at) == Flow::Stop {
            return Flow::Stop;
        }
        let english = self
            .language
            .and_then(|language| in_english(language, word));
        self.read(english.as_deref().map_or(word, str::as_bytes), at)
    }

    fn nag(&mut self, nag: u32) {
        self.visitor.nag(nag);
    }

    fn remark(&mut self, remark: Remark, text: &[u8]) {
        self.visitor.remark(remark, text);
    }

    fn begin_variation(&mut self) -> Flow {
        let Some(line) = self.line.as_mut().filter(|line| line.has_move) else {
            self.refused = Some(ProblemKind::NothingToVary);
            return Flow::Skip;
        };
        if line.plies > self.room {
            self.refused = Some(ProblemKind::TooManyNodes);
            return Flow::Skip;
        }
        let flow = self.visitor.begin_variation();
        if flow == Flow::Go {
            self.suspended.push(*line);
            line.take_back();
        }
        flow
    }

    fn skipped(&mut self, text: &[u8], at: usize) -> Flow {
        match self.refused.take() {
            None => Flow::Go,
            Some(ProblemKind::TooManyNodes) => self.skip_line(at, ProblemKind::TooManyNodes),
            Some(kind) => {
                let flow = self.report(at, kind);
                self.visitor.remark(Remark::Raw, text);
                flow
            }
        }
    }

    fn end_variation(&mut self) {
        if let Some(line) = self.suspended.pop() {
            let ended = self.line.map_or(0, |ended| ended.plies + 1 - line.plies);
            self.room = self.room.saturating_sub(ended);
            self.line = Some(line);
        }
        self.visitor.end_variation();
    }

    fn result(&mut self, result: &'static str, at: usize) {
        self.result = Some((result, at));
        self.visitor.result(result);
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        self.report(problem.at, problem.kind)
    }

    fn end_game(&mut self, at: usize) {
        self.check_result();
        self.visitor.end_game(at);
    }
}

/// How the game has ended on the board, by a rule that no player could overlook: the draws by 75
/// moves and five repetitions are younger than most games.
pub(crate) fn end_of_game(position: &AnyPosition) -> Option<Outcome> {
    let outcome = position.outcome();
    outcome.filter(|outcome| outcome.termination != Termination::SeventyFiveMoves)
}

#[cold]
fn in_english(language: Language, word: &[u8]) -> Option<String> {
    language.read(std::str::from_utf8(word).ok()?)
}
