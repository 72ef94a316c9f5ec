//! What an evaluation is made of, for people.

use arrayvec::ArrayVec;

use super::features::{feature, mirrors};
use super::network::{Block, Network};
use super::simd::{Kernel, Simd};
use super::{forward, hand, material};
use crate::chess::{Color, Piece, PieceKind, Position, Square};

/// An evaluation taken apart, in internal centipawns from White's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// What each man is worth: how the evaluation changes when it is taken away. None for empty
    /// squares and kings, and where the hand-made evaluation can't judge what is left.
    pub worth: [Option<i32>; 64],
    /// What each output bucket would say; empty without a network.
    pub buckets: Vec<i32>,
    /// The bucket in use.
    pub bucket: Option<usize>,
    /// The evaluation, as the search gets it.
    pub evaluation: i32,
}

/// Takes the evaluation of a position apart.
pub fn trace(network: Option<&Network>, position: &Position) -> Trace {
    let white = |value: i32| value * position.side_to_move().sign();
    match network {
        None => {
            let evaluation = white(hand::evaluate(position));
            let worth = Square::ALL.map(|square| {
                let mut setup = position.setup();
                let man = setup.men[square].take()?;
                let rest = (man.kind != PieceKind::King).then(|| setup.position().ok())??;
                Some(evaluation - white(hand::evaluate(&rest)))
            });
            Trace {
                worth,
                buckets: Vec::new(),
                bucket: None,
                evaluation: damped(position, evaluation),
            }
        }
        Some(network) => {
            let men: Men = position.men().collect();
            let (us, architecture) = (position.side_to_move(), network.architecture());
            let value = |men: &Men, bucket| white(from_nothing(network, men, us, bucket));
            let buckets: Vec<_> = (0..architecture.buckets).map(|at| value(&men, at)).collect();
            let bucket = architecture.bucket(men.len());
            let evaluation = buckets[bucket];
            let worth = Square::ALL.map(|square| {
                let at = men.iter().position(|man| man.0 == square)?;
                if men[at].1.kind == PieceKind::King {
                    return None;
                }
                let mut rest = men.clone();
                rest.swap_remove(at);
                Some(evaluation - value(&rest, architecture.bucket(rest.len())))
            });
            let evaluation = damped(position, evaluation);
            Trace { worth, buckets, bucket: Some(bucket), evaluation }
        }
    }
}

/// What is left of an evaluation for the search.
fn damped(position: &Position, evaluation: i32) -> i32 {
    if material::is_two_knights_ending(position) {
        return material::damped(evaluation);
    }
    evaluation
}

type Men = ArrayVec<(Square, Piece), 32>;

/// The evaluation of some men, legal position or not, for side `us` by one output bucket.
fn from_nothing(network: &Network, men: &Men, us: Color, bucket: usize) -> i32 {
    let sums = |perspective: Color| {
        let king = men.iter().find(|man| man.1 == Piece::new(PieceKind::King, perspective));
        let mirror =
            network.architecture().mirrored && king.is_some_and(|(square, _)| mirrors(*square));
        let mut sums = network.bias().to_vec();
        for &(square, man) in men {
            let row = network.row(feature(perspective, mirror, man, square), network.blocks());
            let numbers = sums.iter_mut().flat_map(|block| &mut block.0);
            for (sum, weight) in numbers.zip(row.iter().flat_map(|block| block.0)) {
                *sum += weight;
            }
        }
        sums
    };
    let (ours, theirs) = (&sums(us), &sums(!us));
    network.level().run(Output { network, bucket, ours, theirs })
}

struct Output<'a> {
    network: &'a Network,
    bucket: usize,
    ours: &'a [Block],
    theirs: &'a [Block],
}

impl Kernel for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        forward::output(simd, self.network, self.bucket, self.ours, self.theirs)
    }
}
