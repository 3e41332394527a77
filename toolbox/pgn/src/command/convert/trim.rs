//! Part of a game.

use crate::{NodeId, Tree};
use engine_core::AnyPosition;

/// The game without the first `skip` plies of its main line, and with only `keep` plies after them.
/// Variations of omitted moves are omitted, too. A game without a start, or with no more plies than
/// `skip`, has only its tags.
pub(super) fn trim(tree: &Tree, skip: usize, keep: Option<usize>) -> Tree {
    let first = match skip.checked_sub(1) {
        None => Some(tree.root()),
        Some(index) => tree.main_line(tree.root()).nth(index),
    };
    let first = first.unwrap_or_else(|| tree.end(tree.root()));
    let mut part = Tree::empty();
    part.headers = tree.headers.clone();
    part.result.clone_from(&tree.result);
    part.start = tree.position(first);
    if let Some(start) = part.start.filter(|_| skip > 0) {
        set_start(&mut part, &start);
    }
    let root = part.root();
    copy_comments(tree, first, &mut part, root);
    let mut tasks = vec![(first, root, 0)];
    while let Some((from, to, ply)) = tasks.pop() {
        if keep.is_some_and(|keep| ply >= keep) {
            continue;
        }
        let children = tree.children(from).to_vec();
        let copies: Vec<_> = children
            .iter()
            .map(|&child| {
                let copy = part.add(to, tree.move_to(child));
                copy_comments(tree, child, &mut part, copy);
                (child, copy, ply + 1)
            })
            .collect();
        tasks.extend(copies.into_iter().rev());
    }
    if part.headers.get(PLY_COUNT).is_some() {
        let plies = part.main_line(root).count().to_string();
        part.headers.set(PLY_COUNT, &plies);
    }
    part
}

/// The tag with the number of plies of the main line.
const PLY_COUNT: &str = "PlyCount";

fn set_start(part: &mut Tree, start: &AnyPosition) {
    // What castling mode a game has is said by its tags already.
    let variant = part
        .headers
        .get("Variant")
        .map(std::borrow::Cow::into_owned);
    part.headers.set_start(start);
    if let Some(variant) = variant {
        part.headers.set("Variant", &variant);
    }
}

fn copy_comments(tree: &Tree, from: NodeId, part: &mut Tree, to: NodeId) {
    if let Some(nags) = part.nags_mut(to).filter(|_| from != tree.root()) {
        nags.extend_from_slice(tree.nags(from));
    }
    if let Some(comments) = part.comments_mut(to) {
        comments.extend_from_slice(tree.comments(from));
    }
    if let Some(comments) = part.starting_comments_mut(to) {
        comments.extend_from_slice(tree.starting_comments(from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Writer, read_tree};

    #[test]
    fn the_plies_are_counted_again() {
        let (tree, _) = read_tree(b"[PlyCount \"4\"]\n\n1. e4 e5 (1... c5) 2. Nf3 Nc6 *").unwrap();
        let count = |skip, keep| {
            let part = trim(&tree, skip, keep);
            part.headers.get(PLY_COUNT).unwrap().into_owned()
        };
        assert_eq!(count(0, Some(2)), "2");
        assert_eq!(count(1, None), "3");
        assert_eq!(count(9, None), "0");
    }

    #[test]
    fn variations_of_what_is_left_stay() {
        let (tree, _) =
            read_tree(b"1. e4 {a} e5 (1... c5 2. Nf3) 2. Nf3 $1 (2. f4 exf4) Nc6 1-0").unwrap();
        let written = |skip, keep| Writer::moves_only().write(&trim(&tree, skip, keep));
        assert_eq!(written(0, Some(2)), "1. e4 {a} 1... e5 (1... c5) 1-0");
        assert_eq!(
            written(1, None),
            "{a} 1... e5 (1... c5 2. Nf3) 2. Nf3 $1 (2. f4 exf4) 2... Nc6 1-0"
        );
        assert_eq!(written(2, Some(1)), "2. Nf3 $1 (2. f4) 1-0");
        assert_eq!(written(9, None), "1-0");
        let part = trim(&tree, 2, None);
        let fen = part.headers.get("FEN").unwrap().into_owned();
        assert_eq!(
            fen,
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        );
    }
}
