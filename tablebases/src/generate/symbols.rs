//! Recursive pairing: neighbours that occur together often become one symbol, again and again
//! (Larsson and Moffat, "Offline dictionary-based compression", 2000), as far as Syzygy's format
//! allows: 4,095 symbols, each of at most 256 values.

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// One value.
    Leaf(u16),
    /// Two symbols.
    Pair(u16, u16),
}

/// Values as a sequence of symbols.
#[derive(Debug)]
pub(super) struct Paired {
    pub(super) symbols: Vec<Symbol>,
    /// How many values each symbol stands for.
    pub(super) lengths: Vec<u32>,
    pub(super) sequence: Vec<u16>,
}

/// The format has 12 bits for a symbol, and one value means "no symbol".
const MAX_SYMBOLS: usize = 4095;
/// The format has 8 bits for the length of a symbol less one.
const MAX_VALUES: u32 = 256;
/// A pair that is rarer does not pay for its three bytes.
const RAREST: u32 = 12;

impl Paired {
    /// Pairs up values.
    pub(super) fn new(values: &[u16]) -> Paired {
        let mut paired = Paired {
            symbols: Vec::new(),
            lengths: Vec::new(),
            sequence: Vec::new(),
        };
        paired.take_runs(values);
        while paired.pair_up() {}
        paired.drop_unused();
        paired
    }

    fn add(&mut self, symbol: Symbol) -> u16 {
        let length = match symbol {
            Symbol::Leaf(_) => 1,
            Symbol::Pair(left, right) => {
                self.lengths[usize::from(left)] + self.lengths[usize::from(right)]
            }
        };
        self.symbols.push(symbol);
        self.lengths.push(length);
        self.symbols.len() as u16 - 1
    }

    /// Begins with symbols for one value, and twice, four times, … the same: most of a table is
    /// runs, and this takes them at once.
    fn take_runs(&mut self, values: &[u16]) {
        let greatest = values.iter().copied().max().unwrap_or(0);
        // For each value, the symbols of its powers of two.
        let mut powers: Vec<Vec<u16>> = vec![Vec::new(); usize::from(greatest) + 1];
        for run in values.chunk_by(u16::eq) {
            let value = run[0];
            let mut rest = run.len();
            while rest > 0 {
                let power = rest.ilog2().min(MAX_VALUES.ilog2());
                let known = powers[usize::from(value)].len();
                for next in known..=power as usize {
                    let symbol = match next.checked_sub(1) {
                        None => Symbol::Leaf(value),
                        Some(half) => {
                            let half = powers[usize::from(value)][half];
                            Symbol::Pair(half, half)
                        }
                    };
                    let number = self.add(symbol);
                    powers[usize::from(value)].push(number);
                }
                self.sequence
                    .push(powers[usize::from(value)][power as usize]);
                rest -= 1 << power;
            }
        }
    }

    /// Replaces the most frequent pairs, all those that are about as frequent as the most frequent
    /// one and do not overlap each other. Tells whether there was one that pays.
    fn pair_up(&mut self) -> bool {
        let mut frequent = self.frequent_pairs();
        frequent.sort_by_key(|&(count, pair)| (std::cmp::Reverse(count), pair));
        let Some(&(most, _)) = frequent.first() else {
            return false;
        };
        let symbols = self.symbols.len();
        let mut is_left = vec![false; symbols];
        let mut is_right = vec![false; symbols];
        let mut replacements: Vec<(u32, u16)> = Vec::new();
        for (count, pair) in frequent {
            let (left, right) = (usize::from(pair.0), usize::from(pair.1));
            if count < most / 2 || self.symbols.len() >= MAX_SYMBOLS {
                break;
            }
            if is_right[left] || is_left[right] || is_left[left] && left == right {
                continue;
            }
            is_left[left] = true;
            is_right[right] = true;
            let symbol = self.add(Symbol::Pair(pair.0, pair.1));
            replacements.push((key(pair.0, pair.1), symbol));
        }
        replacements.sort_unstable();
        self.replace(&replacements, &is_left);
        !replacements.is_empty()
    }

    /// The pairs that are worth a symbol, with how often they occur.
    fn frequent_pairs(&self) -> Vec<(u32, (u16, u16))> {
        let mut pairs: Vec<u32> = self
            .sequence
            .iter()
            .zip(self.sequence.iter().skip(1))
            .filter(|&(&left, &right)| {
                self.lengths[usize::from(left)] + self.lengths[usize::from(right)] <= MAX_VALUES
            })
            .map(|(&left, &right)| key(left, right))
            .collect();
        pairs.sort_unstable();
        pairs
            .chunk_by(u32::eq)
            .map(|same| {
                let (left, right) = ((same[0] >> 16) as u16, same[0] as u16);
                // Three in a row are two pairs, of which one can be replaced.
                let count = same.len() as u32 / if left == right { 2 } else { 1 };
                (count, (left, right))
            })
            .filter(|&(count, _)| count >= RAREST)
            .collect()
    }

    fn replace(&mut self, replacements: &[(u32, u16)], is_left: &[bool]) {
        let mut kept = 0;
        let mut at = 0;
        while let Some(&left) = self.sequence.get(at) {
            let mut symbol = left;
            if is_left[usize::from(left)]
                && let Some(&right) = self.sequence.get(at + 1)
                && let Ok(place) =
                    replacements.binary_search_by_key(&key(left, right), |&(pair, _)| pair)
            {
                symbol = replacements[place].1;
                at += 1;
            }
            self.sequence[kept] = symbol;
            kept += 1;
            at += 1;
        }
        self.sequence.truncate(kept);
    }

    /// Forgets symbols that nothing is made of.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.symbols.len()];
        for &symbol in &self.sequence {
            used[usize::from(symbol)] = true;
        }
        // A symbol is made of earlier ones.
        for number in (0..self.symbols.len()).rev() {
            if let (true, Symbol::Pair(left, right)) = (used[number], self.symbols[number]) {
                used[usize::from(left)] = true;
                used[usize::from(right)] = true;
            }
        }
        let mut numbers = vec![0; used.len()];
        let mut count = 0;
        for (number, &used) in numbers.iter_mut().zip(&used) {
            *number = count;
            count += u16::from(used);
        }
        let new = |symbol: u16| numbers[usize::from(symbol)];
        let mut keep = used.iter();
        self.symbols.retain(|_| keep.next() == Some(&true));
        let mut keep = used.iter();
        self.lengths.retain(|_| keep.next() == Some(&true));
        for symbol in &mut self.symbols {
            if let Symbol::Pair(left, right) = *symbol {
                *symbol = Symbol::Pair(new(left), new(right));
            }
        }
        for symbol in &mut self.sequence {
            *symbol = new(*symbol);
        }
    }
}

/// A pair as one number.
fn key(left: u16, right: u16) -> u32 {
    u32::from(left) << 16 | u32::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(paired: &Paired, symbol: u16, values: &mut Vec<u16>) {
        match paired.symbols[usize::from(symbol)] {
            Symbol::Leaf(value) => values.push(value),
            Symbol::Pair(left, right) => {
                expand(paired, left, values);
                expand(paired, right, values);
            }
        }
    }

    #[test]
    fn symbols_stand_for_the_values() {
        let mut values = vec![3; 1000];
        values.extend((0..3000).map(|i| [0, 0, 1, 2, 0, 1, 1, 5][i * i / 7 % 8]));
        values.extend([1; 517]);
        let paired = Paired::new(&values);
        let mut expanded = Vec::new();
        for &symbol in &paired.sequence {
            let before = expanded.len();
            expand(&paired, symbol, &mut expanded);
            let length = (expanded.len() - before) as u32;
            assert_eq!(length, paired.lengths[usize::from(symbol)]);
            assert!(length <= MAX_VALUES);
        }
        assert_eq!(expanded, values);
        assert!(paired.sequence.len() < values.len() / 5);
    }
}
