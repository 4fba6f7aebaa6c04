//! The parts of a stack, each over backend operations: embedding, sublayers with their residual and
//! norm, feed-forward network, block, output head.

mod block;
mod connection;
mod convolution;
mod embedding;
mod feed_forward;
mod hook;
mod norm;
mod output_head;

pub use block::{BatchText, Block, CrossAttention, Sites};
pub use connection::Joined;
pub use convolution::Convolution;
pub use embedding::{Embedding, Tokens, Unplaced, UnplacedTokens};
pub use feed_forward::FeedForward;
pub use hook::{ATTENTION, FEED_FORWARD, Hook, SublayerHook, SublayerSteps};
pub use norm::{Norm, NormKind, Residual};
pub use output_head::{OutputHead, Transform};
