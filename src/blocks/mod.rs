//! The parts that a stack is built of, each over backend operations: embedding,
//! sublayers with their residual and norm, feed-forward, the block, the output head.

mod block;
mod connection;
mod convolution;
mod layers;

pub use block::{Block, CrossAttention, Sites};
pub use connection::{Hook, Joined, Point, PointHook};
pub use convolution::Convolution;
pub use layers::{
    Embedding, FeedForward, Norm, NormKind, OutputHead, Residual, Tokens, Transform, Unplaced,
    UnplacedTokens,
};
