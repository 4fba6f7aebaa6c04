//! The parts that a stack is built of, each over backend operations: embedding,
//! sublayers with their residual and norm, feed-forward, the block, the output head.

mod block;
mod embedding;
mod feed_forward;
mod joined;
mod norm;
mod output_head;
mod watch;

pub use block::{Block, CrossAttention, Sites};
pub use embedding::Embedding;
pub use feed_forward::FeedForward;
pub use joined::Joined;
pub use norm::{Norm, NormKind, NormPlacement, Residual};
pub use output_head::{OutputHead, Transform};
pub use watch::{Point, Watch, WatchPoint};
