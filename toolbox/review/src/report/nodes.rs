//! The moves of a game as nodes.

use super::clock::Clocks;
use super::{Node, comment};
use engine_core::notation::move_number;
use engine_core::{AnyPosition, Move};
use pgn::{NodeId, Tree};

/// The most moves of variations on a page.
const MAX_VARIATION_MOVES: usize = 20_000;

/// The nodes of a game, those of the main line first; and at least how many moves of variations are
/// left out.
pub(super) fn nodes(tree: &Tree, start: AnyPosition) -> (Vec<Node>, usize) {
    let mut nodes = vec![root(tree, &start)];
    let mut clocks = Clocks::of(&tree.headers);
    let mut position = start;
    let mut variations = Vec::new();
    let mut parent = tree.root();
    for id in tree.main_line(tree.root()) {
        let before = nodes.len() - 1;
        let others = tree.children(parent).iter().skip(1);
        variations.extend(others.map(|&other| (other, before, position)));
        let turn = position.turn();
        let mut node = node(tree, id, before, &mut position);
        node.main = true;
        (node.clock, node.time) = clocks.after(turn, tree, id);
        nodes.push(node);
        parent = id;
    }
    variations.reverse();
    let left_out = add_variations(tree, variations, &mut nodes);
    (nodes, left_out)
}

/// Adds variations, the last of which comes first, and all that branches from them.
fn add_variations(
    tree: &Tree,
    mut waiting: Vec<(NodeId, usize, AnyPosition)>,
    nodes: &mut Vec<Node>,
) -> usize {
    let most = nodes.len() + MAX_VARIATION_MOVES;
    while let Some((id, parent, mut position)) = waiting.pop() {
        if nodes.len() >= most {
            return waiting.len() + 1;
        }
        let here = nodes.len();
        nodes.push(node(tree, id, parent, &mut position));
        let children = tree.children(id).iter().rev();
        waiting.extend(children.map(|&child| (child, here, position)));
    }
    0
}

fn root(tree: &Tree, start: &AnyPosition) -> Node {
    Node {
        main: true,
        fen: start.fen(),
        ..annotations(tree, tree.root())
    }
}

/// The node of a move, which is played.
fn node(tree: &Tree, id: NodeId, parent: usize, position: &mut AnyPosition) -> Node {
    let number = move_number(position.fullmoves(), position.turn());
    let (san, uci) = if let Some(m) = tree.move_to(id) {
        played(position, m)
    } else {
        position.play_null();
        ("--".to_owned(), "0000".to_owned())
    };
    Node {
        parent: Some(parent),
        number,
        san,
        uci,
        fen: position.fen(),
        ..annotations(tree, id)
    }
}

fn played(position: &mut AnyPosition, m: Move) -> (String, String) {
    let texts = (
        position.to_san(m).to_string(),
        position.to_uci(m).to_string(),
    );
    position.play(m);
    texts
}

/// A node with the NAGs, comments, arrows and evaluation of a move alone.
fn annotations(tree: &Tree, id: NodeId) -> Node {
    Node {
        nags: tree.nags(id).to_vec(),
        intro: comment::text(&tree.starting_comment_text(id)),
        comment: comment::text(&tree.comment_text(id)),
        arrows: tree.arrows(id).iter().map(ToString::to_string).collect(),
        eval: tree.eval(id).map(|deep| deep.eval).into(),
        ..Node::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_line_comes_first_and_variations_in_their_order() {
        let text =
            b"1. e4 {king's} e5 (1... c5 2. Nf3 (2. c3)) (1... e6) 2. Nf3 (2. f4 -- 3. d4) *";
        let (tree, _) = pgn::read_tree(text).unwrap();
        let (nodes, left_out) = nodes(&tree, tree.start.unwrap());
        let found: Vec<_> = nodes
            .iter()
            .map(|node| format!("{}{}{}", node.parent.unwrap_or(0), node.number, node.san))
            .collect();
        let expected = [
            "0", "01.e4", "11...e5", "22.Nf3", "11...c5", "42.Nf3", "42.c3", "11...e6", "22.f4",
            "82...--", "93.d4",
        ];
        assert_eq!((found, left_out), (expected.map(str::to_owned).into(), 0));
        assert_eq!(nodes[1].comment, "king's");
        assert!(nodes[3].main && !nodes[4].main);
    }
}
