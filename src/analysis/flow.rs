//! Attention flow: the largest flow from a position's output down to an input token through a
//! network whose capacities are the blocks' matrices `Â` of [`super::rollout`] (Abnar & Zuidema
//! 2020, section 3). The flow is exact, by the algorithm of Dinic (Cormen et al., "Introduction to
//! Algorithms", chapter 26, has the theory): shortest paths of the residual network are saturated
//! until the sink is out of reach.
//!
//! A node is a position before the first block or behind one; the nodes of one depth lie together.
//! Capacities are f64. An edge with less than `1e-13` left counts as saturated, so a flow is
//! too small by at most that much for each edge of a cut.

use std::collections::VecDeque;

/// The capacity below which an edge counts as saturated: rounding leaves such rests.
const NEGLIGIBLE: f64 = 1e-13;

/// An edge of the residual network. The edge against it has the index with the last bit changed.
struct Edge {
    to: usize,
    capacity: f64,
}

/// The network of a stack's blocks.
pub struct FlowNetwork {
    n: usize,
    depth: usize,
    edges: Vec<Edge>,
    /// The edges that leave each node.
    leaving: Vec<Vec<usize>>,
}

impl FlowNetwork {
    /// The network of the blocks' matrices, row-major `[n, n]`, from the first block to the last.
    pub fn new(blocks: &[Vec<f64>], n: usize) -> Self {
        let depth = blocks.len();
        let mut network =
            Self { n, depth, edges: Vec::new(), leaving: vec![Vec::new(); (depth + 1) * n] };
        for (below, block) in blocks.iter().enumerate() {
            for (cell, &capacity) in block.iter().enumerate() {
                if capacity > NEGLIGIBLE {
                    let from = (below + 1) * n + cell / n;
                    network.connect(from, below * n + cell % n, capacity);
                }
            }
        }
        network
    }

    fn connect(&mut self, from: usize, to: usize, capacity: f64) {
        for (from, to, capacity) in [(from, to, capacity), (to, from, 0.0)] {
            self.leaving[from].push(self.edges.len());
            self.edges.push(Edge { to, capacity });
        }
    }

    /// The largest flow from the output at `position` to the input token `token`.
    pub fn between(&self, position: usize, token: usize) -> f64 {
        let mut left: Vec<f64> = self.edges.iter().map(|edge| edge.capacity).collect();
        let source = self.depth * self.n + position;
        let mut flow = 0.0;
        while let Some(distances) = self.distances(&left, source, token) {
            let mut search = Search { network: self, distances, next: vec![0; self.leaving.len()] };
            loop {
                let pushed = search.push(&mut left, source, token, f64::INFINITY);
                if pushed == 0.0 {
                    break;
                }
                flow += pushed;
            }
        }
        flow
    }

    /// The number of edges from the source to each node that can be reached; `None` if the sink
    /// cannot be.
    fn distances(&self, left: &[f64], source: usize, sink: usize) -> Option<Vec<usize>> {
        let mut distances = vec![usize::MAX; self.leaving.len()];
        distances[source] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for &edge in &self.leaving[node] {
                let to = self.edges[edge].to;
                if left[edge] > NEGLIGIBLE && distances[to] == usize::MAX {
                    distances[to] = distances[node] + 1;
                    queue.push_back(to);
                }
            }
        }
        (distances[sink] != usize::MAX).then_some(distances)
    }
}

/// The search for shortest paths in one phase.
struct Search<'a> {
    network: &'a FlowNetwork,
    distances: Vec<usize>,
    /// The first edge of each node that may still lead to the sink.
    next: Vec<usize>,
}

impl Search<'_> {
    /// Pushes at most `limit` along one shortest path; returns how much, 0 if there is no path.
    fn push(&mut self, left: &mut [f64], node: usize, sink: usize, limit: f64) -> f64 {
        if node == sink {
            return limit;
        }
        let network = self.network;
        while let Some(&edge) = network.leaving[node].get(self.next[node]) {
            let to = network.edges[edge].to;
            if left[edge] > NEGLIGIBLE && self.distances[to] == self.distances[node] + 1 {
                let pushed = self.push(left, to, sink, limit.min(left[edge]));
                if pushed > 0.0 {
                    left[edge] -= pushed;
                    left[edge ^ 1] += pushed;
                    return pushed;
                }
            }
            self.next[node] += 1;
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_as_large_as_its_narrowest_cut() {
        // From output 0: 0.5 to each of two positions, which let 0.3 and 0.9 through to token 0.
        let network = FlowNetwork::new(&[vec![0.3, 0.7, 0.9, 0.1], vec![0.5, 0.5, 0.0, 1.0]], 2);
        assert!((network.between(0, 0) - 0.8).abs() < 1e-12);
        assert!((network.between(0, 1) - 0.6).abs() < 1e-12);
        assert!((network.between(1, 0) - 0.9).abs() < 1e-12);
        assert_eq!(FlowNetwork::new(&[vec![1.0, 0.0, 0.0, 1.0]], 2).between(0, 1), 0.0);
    }
}
