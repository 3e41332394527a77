//! Decompressed blocks: a few that each thread has at hand, and a larger store that all share.

use quick_cache::sync::Cache;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Names a block: the collection, the table in it, the side to move and the number of the block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct BlockId {
    collection: u32,
    table: u32,
    block: u32,
}

/// Blocks in the shared store: 16 KiB each, 32 MiB in all.
const SHARED: usize = 2048;
/// Blocks at hand in each thread, a power of two: 1 MiB.
const AT_HAND: usize = 64;

type CachedBlock = Arc<[u8]>;

thread_local! {
    static HAND: RefCell<Vec<Option<(BlockId, CachedBlock)>>> = RefCell::new(vec![None; AT_HAND]);
}

/// A bounded store of blocks. Blocks that are used again and again are found without any lock or
/// shared counter, so that threads do not slow each other down.
#[derive(Debug)]
pub(super) struct BlockCache {
    collection: u32,
    shared: Cache<BlockId, CachedBlock>,
}

impl Default for BlockCache {
    fn default() -> BlockCache {
        static COLLECTIONS: AtomicU32 = AtomicU32::new(1);
        BlockCache {
            collection: COLLECTIONS.fetch_add(1, Relaxed),
            shared: Cache::new(SHARED),
        }
    }
}

impl BlockCache {
    /// An entry of a block, which is decoded if it is not in the cache. `None` when it cannot be
    /// decoded or is too short.
    #[inline]
    pub(super) fn entry(
        &self,
        table: u32,
        block: u32,
        place: usize,
        make: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<u8> {
        let id = BlockId {
            collection: self.collection,
            table,
            block,
        };
        let spread = (table << 16 ^ block).wrapping_mul(0x9e37_79b9) >> 26;
        HAND.with_borrow_mut(|hand| {
            let slot = &mut hand[spread as usize % AT_HAND];
            if let Some((held, block)) = slot
                && *held == id
            {
                return block.get(place).copied();
            }
            let block = self.shared.get(&id).or_else(|| {
                let block = CachedBlock::from(make()?);
                self.shared.insert(id, Arc::clone(&block));
                Some(block)
            })?;
            let value = block.get(place).copied();
            *slot = Some((id, block));
            value
        })
    }
}
