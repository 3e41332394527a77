//! A game with its variations.

use super::result::result_of_game;
use super::visitor::Stopped;
use super::{Flow, GameVisitor, Headers, Problems, Remark, Text};
use engine_core::{AnyPosition, Game, Move, Variant};

/// A node of a [`Tree`]: the root is the start of the game, every other node a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Nodes are numbered from zero, the root, in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A comment, or text that was not understood, with the way it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// How it stood in the text.
    pub remark: Remark,
    /// The text, without braces or semicolon.
    pub text: Text,
}

impl Comment {
    /// A comment in braces.
    pub fn new(text: &str) -> Comment {
        Comment {
            remark: Remark::Comment,
            text: text.into(),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    parent: Option<NodeId>,
    m: Option<Move>,
    children: Vec<NodeId>,
    nags: Vec<u32>,
    before: Vec<Comment>,
    after: Vec<Comment>,
}

/// A game: tags, moves, variations, comments.
///
/// ```
/// use pgn::{Tree, Writer};
///
/// let (mut game, _) = pgn::read_tree(b"1. e4 (1. d4 {solid}) *").ok_or("no game")?;
/// let d4 = game.children(game.root())[1];
/// game.promote(d4);
/// game.add_line(d4, [Some("d7d5".parse()?), Some("c2c4".parse()?)]);
/// game.headers.set("White", "Anna");
///
/// let text = Writer::new().write(&game);
/// assert!(text.contains("[White \"Anna\"]"));
/// assert!(text.ends_with("1. d4 {solid} (1. e4) 1... d5 2. c4 *"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// The tag pairs.
    pub headers: Headers,
    /// Where the game starts; `None` if the tags name no position that can be read. To change it
    /// together with the tags, by which alone a reader knows it, there is [`Tree::set_start`].
    pub start: Option<AnyPosition>,
    /// The result after the moves, if there was one.
    pub result: Option<Text>,
    /// What was wrong with the text.
    pub problems: Problems,
    /// Whether all moves of the main line could be read.
    pub is_whole: bool,
    /// Where the text of the game began and ended.
    pub span: std::ops::Range<usize>,
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new(AnyPosition::start(Variant::Standard))
    }
}

impl Tree {
    /// A game without tags and moves from this position; the tags for the position are set.
    pub fn new(start: AnyPosition) -> Tree {
        let mut tree = Tree::empty();
        tree.set_start(start);
        tree
    }

    /// Changes where the game starts, and the tags for it; see [`Headers::set_start`]. The moves stay
    /// as they are.
    ///
    /// ```
    /// use engine_core::{AnyPosition, Variant};
    /// use pgn::{Tree, Writer};
    ///
    /// let mut game = Tree::empty();
    /// game.set_start(AnyPosition::start(Variant::Atomic));
    /// assert_eq!(Writer::new().write(&game), "[Variant \"Atomic\"]\n\n*");
    /// ```
    pub fn set_start(&mut self, start: AnyPosition) {
        self.headers.set_start(&start);
        self.start = Some(start);
    }

    /// The moves of a game; the tags for its start are set.
    pub fn from_game(game: &Game) -> Tree {
        let mut tree = Tree::new(*game.start());
        tree.add_line(tree.root(), game.moves().iter().copied());
        tree
    }

    /// The main line as a game, if the tags name a start that can be read.
    pub fn to_game(&self) -> Option<Game> {
        let mut game = Game::new(self.start?);
        for id in self.main_line(self.root()) {
            game.play_or_pass(self.move_to(id));
        }
        Some(game)
    }

    /// A game without tags, moves or start. Moves that are added before it has a start are neither
    /// visited nor written, since their notation depends on the position.
    pub fn empty() -> Tree {
        Tree {
            headers: Headers::new(),
            start: None,
            result: None,
            problems: Problems::default(),
            is_whole: true,
            span: 0..0,
            nodes: vec![Node::default()],
        }
    }

    /// The result of the tag or, where that names none, the one after the moves; `*` where neither
    /// does.
    pub fn known_result(&self) -> &'static str {
        let marker = self.result.as_ref().map(Text::to_str);
        let tag = self.headers.get("Result");
        result_of_game(tag.as_deref(), marker.as_deref()).unwrap_or("*")
    }

    /// What stands after the moves, also where the tag says otherwise; the result of the tag where
    /// nothing does.
    fn termination_marker(&self) -> String {
        let marker = self.result.as_ref().map(ToString::to_string);
        marker.unwrap_or_else(|| self.known_result().to_owned())
    }

    /// The start of the game.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// All nodes in the order in which they were added, removed ones included.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Changes the move that leads to a node, and nothing that follows it.
    pub fn set_move(&mut self, id: NodeId, m: Option<Move>) {
        if let Some(node) = self.node_mut(id) {
            node.m = m;
        }
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0 as usize)
    }

    /// The node before; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.parent
    }

    /// The nodes that follow, the main continuation first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.node(id).map_or(&[], |node| &node.children)
    }

    /// The move that leads here; `None` for the root and for a null move.
    pub fn move_to(&self, id: NodeId) -> Option<Move> {
        self.node(id)?.m
    }

    /// The numeric annotation glyphs of the move.
    pub fn nags(&self, id: NodeId) -> &[u32] {
        self.node(id).map_or(&[], |node| &node.nags)
    }

    /// The glyphs, to change them.
    pub fn nags_mut(&mut self, id: NodeId) -> Option<&mut Vec<u32>> {
        Some(&mut self.node_mut(id)?.nags)
    }

    /// The comments after the move or, for the root, before the first move.
    pub fn comments(&self, id: NodeId) -> &[Comment] {
        self.node(id).map_or(&[], |node| &node.after)
    }

    /// The comments, to change them.
    pub fn comments_mut(&mut self, id: NodeId) -> Option<&mut Vec<Comment>> {
        Some(&mut self.node_mut(id)?.after)
    }

    /// Adds a comment after the move. It goes before text that could not be read, as it would be read as
    /// a part of that behind it.
    pub fn add_comment(&mut self, id: NodeId, text: &str) {
        if let Some(comments) = self.comments_mut(id) {
            let raw = comments.iter().position(|old| old.remark == Remark::Raw);
            comments.insert(raw.unwrap_or(comments.len()), Comment::new(text));
        }
    }

    /// The comments before the move, where a variation starts.
    pub fn starting_comments(&self, id: NodeId) -> &[Comment] {
        self.node(id).map_or(&[], |node| &node.before)
    }

    /// The comments before the move, to change them; `None` for the root, which is no move: what stands
    /// before the first move are its [`Tree::comments`].
    pub fn starting_comments_mut(&mut self, id: NodeId) -> Option<&mut Vec<Comment>> {
        self.parent(id)?;
        Some(&mut self.node_mut(id)?.before)
    }

    /// The nodes of the main line after a node.
    pub fn main_line(&self, from: NodeId) -> impl Iterator<Item = NodeId> {
        let next = |id: &NodeId| self.children(*id).first().copied();
        std::iter::successors(next(&from), next)
    }

    /// The last node of the main line from a node on.
    pub fn end(&self, from: NodeId) -> NodeId {
        self.main_line(from).last().unwrap_or(from)
    }

    /// The moves that lead to a node; `None` is a null move.
    pub fn line_to(&self, id: NodeId) -> Vec<Option<Move>> {
        let path = std::iter::successors(Some(id), |&id| self.parent(id));
        let mut moves: Vec<_> = path.map(|id| self.move_to(id)).collect();
        moves.pop();
        moves.reverse();
        moves
    }

    /// The position at a node, by playing the moves that lead there.
    pub fn position(&self, id: NodeId) -> Option<AnyPosition> {
        let mut position = self.start?;
        for m in self.line_to(id) {
            position.play_or_pass(m);
        }
        Some(position)
    }

    /// Adds a move as the last of the variations after a node; after the root, if this tree has no such
    /// node. Whether it is legal is for the caller to know.
    pub fn add(&mut self, parent: NodeId, m: Option<Move>) -> NodeId {
        let is_here = self.node(parent).is_some();
        let parent = if is_here { parent } else { self.root() };
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            parent: Some(parent),
            m,
            ..Node::default()
        });
        if let Some(parent) = self.node_mut(parent) {
            parent.children.push(id);
        }
        id
    }

    /// Adds a line of moves after a node and returns its last node.
    pub fn add_line(
        &mut self,
        from: NodeId,
        moves: impl IntoIterator<Item = Option<Move>>,
    ) -> NodeId {
        moves.into_iter().fold(from, |id, m| self.add(id, m))
    }

    /// The moves of the parent of a node, and the index of the node among them.
    fn siblings(&mut self, id: NodeId) -> Option<(&mut Vec<NodeId>, usize)> {
        let parent = self.parent(id)?;
        let siblings = &mut self.node_mut(parent)?.children;
        let place = siblings.iter().position(|&sibling| sibling == id)?;
        Some((siblings, place))
    }

    /// Moves a variation one place up.
    pub fn promote(&mut self, id: NodeId) {
        if let Some((siblings, place)) = self.siblings(id)
            && place > 0
        {
            siblings.swap(place - 1, place);
        }
    }

    /// Moves a variation one place down.
    pub fn demote(&mut self, id: NodeId) {
        if let Some((siblings, place)) = self.siblings(id)
            && place + 1 < siblings.len()
        {
            siblings.swap(place, place + 1);
        }
    }

    /// Makes a variation the main continuation.
    pub fn promote_to_main(&mut self, id: NodeId) {
        if let Some((siblings, place)) = self.siblings(id) {
            siblings
                .get_mut(..=place)
                .unwrap_or_default()
                .rotate_right(1);
        }
    }

    /// Removes a variation with all that follows it. The root stays.
    pub fn remove(&mut self, id: NodeId) {
        if let Some((siblings, place)) = self.siblings(id) {
            siblings.remove(place);
        }
    }

    /// Passes the whole game to a visitor, in the order of the text.
    pub fn visit<V: GameVisitor>(&self, visitor: &mut V) {
        if self.visit_parts(visitor).is_ok() {
            visitor.end_game(self.span.end);
        }
    }

    fn visit_parts<V: GameVisitor>(&self, visitor: &mut V) -> Result<(), Stopped> {
        if visitor.begin_game(self.span.start).unless_stopped()? == Flow::Go {
            for (name, value) in self.headers.iter() {
                visitor.header(name.as_bytes(), value.as_bytes());
            }
            if visitor
                .start(self.start.as_ref(), self.span.start)
                .unless_stopped()?
                == Flow::Go
            {
                remarks(self.comments(self.root()), visitor);
                self.visit_moves(visitor)?;
                visitor.result(&self.termination_marker());
            }
        }
        Ok(())
    }

    /// Visits the moves without recursion, with a stack of tasks.
    fn visit_moves<V: GameVisitor>(&self, visitor: &mut V) -> Result<(), Stopped> {
        let (Some(start), Some(&first)) = (self.start, self.children(self.root()).first()) else {
            return Ok(());
        };
        let mut line = vec![start];
        let mut tasks = vec![WalkTask::Move(first, true)];
        while let Some(task) = tasks.pop() {
            match task {
                WalkTask::Move(id, has_siblings) => {
                    let Some(before) = line.last() else { break };
                    let mut after = *before;
                    after.play_or_pass(self.move_to(id));
                    remarks(self.starting_comments(id), visitor);
                    visitor.play(before, self.move_to(id), &after);
                    for &nag in self.nags(id) {
                        visitor.nag(nag);
                    }
                    remarks(self.comments(id), visitor);
                    if let Some(&next) = self.children(id).first() {
                        tasks.extend([
                            WalkTask::TakeBack,
                            WalkTask::Move(next, true),
                            WalkTask::Play(id),
                        ]);
                    }
                    let siblings = self.parent(id).map_or(&[][..], |id| self.children(id));
                    let siblings = siblings.get(1..).filter(|_| has_siblings);
                    let others = siblings.unwrap_or_default().iter().rev();
                    tasks.extend(others.map(|&id| WalkTask::Variation(id)));
                }
                WalkTask::Play(id) => {
                    let Some(mut after) = line.last().copied() else {
                        break;
                    };
                    after.play_or_pass(self.move_to(id));
                    line.push(after);
                }
                WalkTask::TakeBack => {
                    line.pop();
                }
                WalkTask::Variation(id) => {
                    if visitor.begin_variation().unless_stopped()? == Flow::Go {
                        tasks.extend([WalkTask::EndVariation, WalkTask::Move(id, false)]);
                    }
                }
                WalkTask::EndVariation => visitor.end_variation(),
            }
        }
        Ok(())
    }
}

enum WalkTask {
    /// Visit a move and the moves after it, with or without its siblings.
    Move(NodeId, bool),
    Play(NodeId),
    TakeBack,
    Variation(NodeId),
    EndVariation,
}

fn remarks<V: GameVisitor>(comments: &[Comment], visitor: &mut V) {
    for comment in comments {
        visitor.remark(comment.remark, comment.text.as_bytes());
    }
}
