//! A tensor with the operation that made it, and the reverse pass over these operations.
//!
//! The operations are a graph that its tensors own: what no tensor reaches is dropped, so that a
//! run can be forked, continued and released as with any backend.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::Derivatives;

/// The gradients of an operation's inputs from that of its output: for each input `Some`, or `None`
/// if it is not needed or 0. The last argument says which inputs need theirs.
type Backward<B, T> = dyn Fn(&B, &T, &[bool]) -> Vec<Option<T>>;

/// A tensor that knows how it was made.
pub struct Traced<B: Derivatives> {
    value: B::Tensor,
    node: Rc<Node<B>>,
}

/// One operation, or a tensor or weight that is given.
pub struct Node<B: Derivatives> {
    /// Operations are numbered as they are made: inputs have smaller numbers.
    number: u64,
    inputs: Vec<Rc<Node<B>>>,
    backward: Option<Box<Backward<B, B::Tensor>>>,
    /// The rows of its input that the operation selects, if it does nothing else.
    selected: Option<Selected<B::Tensor>>,
}

/// Selected rows of a tensor.
struct Selected<T> {
    whole: T,
    rows: Range<usize>,
}

/// The number of the next operation of this thread.
fn next_number() -> u64 {
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    NEXT.replace(NEXT.get() + 1)
}

impl<B: Derivatives> Node<B> {
    /// What no operation made.
    pub(super) fn given() -> Rc<Self> {
        Self::new(Vec::new(), None)
    }

    fn new(inputs: Vec<Rc<Self>>, backward: Option<Box<Backward<B, B::Tensor>>>) -> Rc<Self> {
        Rc::new(Self { number: next_number(), inputs, backward, selected: None })
    }
}

impl<B: Derivatives> Drop for Node<B> {
    /// Drops the inputs one after the other: a long text is a long chain of operations, which would
    /// not fit the stack if each dropped the one before it.
    fn drop(&mut self) {
        self.backward = None;
        self.selected = None;
        let mut left = std::mem::take(&mut self.inputs);
        while let Some(input) = left.pop() {
            if let Some(mut last) = Rc::into_inner(input) {
                last.backward = None;
                left.append(&mut last.inputs);
            }
        }
    }
}

impl<B: Derivatives> Clone for Traced<B> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), node: Rc::clone(&self.node) }
    }
}

impl<B: Derivatives> Traced<B> {
    /// A tensor that no operation made.
    pub fn given(value: B::Tensor) -> Self {
        Self { value, node: Node::given() }
    }

    /// The result of an operation on some inputs.
    pub(super) fn made<const N: usize>(
        value: B::Tensor,
        inputs: [&Rc<Node<B>>; N],
        backward: impl Fn(&B, &B::Tensor, &[bool]) -> Vec<Option<B::Tensor>> + 'static,
    ) -> Self {
        Self::of_parts(value, inputs.map(Rc::clone).into(), backward)
    }

    /// The result of an operation on any number of inputs.
    pub(super) fn of_parts(
        value: B::Tensor,
        inputs: Vec<Rc<Node<B>>>,
        backward: impl Fn(&B, &B::Tensor, &[bool]) -> Vec<Option<B::Tensor>> + 'static,
    ) -> Self {
        Self { value, node: Node::new(inputs, Some(Box::new(backward))) }
    }

    /// Some rows of this tensor, whose value is given.
    pub(super) fn selected(&self, value: B::Tensor, rows: Range<usize>) -> Self {
        let selected = Some(Selected { whole: self.value.clone(), rows });
        let inputs = vec![Rc::clone(&self.node)];
        let number = next_number();
        Self { value, node: Rc::new(Node { number, inputs, backward: None, selected }) }
    }

    /// The tensor of which the parts are all rows, in their order; `None` if there is none.
    pub(super) fn joined(backend: &B, parts: &[Self]) -> Option<Self> {
        let first = parts.first()?.node.selected.as_ref()?;
        let node = parts.first()?.node.inputs.first()?;
        let mut end = 0;
        for part in parts {
            let Selected { rows, .. } = part.node.selected.as_ref()?;
            if rows.start != end || !Rc::ptr_eq(part.node.inputs.first()?, node) {
                return None;
            }
            end = rows.end;
        }
        let whole = || Self { value: first.whole.clone(), node: Rc::clone(node) };
        (end == backend.rows(&first.whole)).then(whole)
    }
}

impl<B: Derivatives> Traced<B> {
    /// The tensor on the recorded backend.
    pub fn value(&self) -> &B::Tensor {
        &self.value
    }

    /// The operation that made the tensor, or the tensor as one that is given.
    pub fn node(&self) -> &Rc<Node<B>> {
        &self.node
    }
}

/// The gradients of `Σ output ⊙ weights` with respect to some tensors and weights: of a tensor in
/// its shape, of a weight `[outer, inner]`; `None` for one on which the output does not depend.
pub fn gradients<B: Derivatives>(
    backend: &B,
    output: &Traced<B>,
    weights: B::Tensor,
    wanted: &[&Rc<Node<B>>],
) -> Vec<Option<B::Tensor>> {
    let wanted: Vec<u64> = wanted.iter().map(|node| node.number).collect();
    let nodes = nodes_before(&output.node);
    let needed = needed(&nodes, &wanted);
    let mut found = HashMap::from([(output.node.number, weights)]);
    for node in nodes.values().rev().filter(|node| needed.contains(&node.number)) {
        // All that depend on an operation come before it, so that its gradient is complete here.
        let Some(own) = found.remove(&node.number) else { continue };
        if let (Some(Selected { whole, rows }), Some(input)) = (&node.selected, node.inputs.first())
        {
            let n = backend.rows(whole);
            add_rows(backend, &mut found, (input.number, n), rows.start, own.clone());
        }
        if let Some(backward) = &node.backward {
            let needs: Vec<bool> =
                node.inputs.iter().map(|input| needed.contains(&input.number)).collect();
            let parts = backward(backend, &own, &needs);
            let inputs = node.inputs.iter().zip(needs).zip(parts);
            for ((input, _), part) in inputs.filter(|((_, is_needed), _)| *is_needed) {
                let Some(part) = part else { continue };
                let n = backend.rows(&part);
                add_rows(backend, &mut found, (input.number, n), 0, part);
            }
        }
        if wanted.contains(&node.number) {
            found.insert(node.number, own);
        }
    }
    wanted.iter().map(|number| found.get(number).cloned()).collect()
}

/// Adds rows, from row `first` on, to the gradient of an operation with `n` rows.
fn add_rows<B: Derivatives>(
    backend: &B,
    found: &mut HashMap<u64, B::Tensor>,
    (number, n): (u64, usize),
    first: usize,
    rows: B::Tensor,
) {
    if let Some(sum) = found.get_mut(&number) {
        backend.add_rows(sum, first, &rows);
        return;
    }
    let sum = if backend.rows(&rows) == n {
        rows
    } else {
        let columns = backend.columns(&rows);
        let mut sum = backend.upload(vec![0.0; n * columns], columns);
        backend.add_rows(&mut sum, first, &rows);
        sum
    };
    found.insert(number, sum);
}

/// All operations that an output depends on, by their numbers, itself included.
fn nodes_before<B: Derivatives>(output: &Rc<Node<B>>) -> BTreeMap<u64, Rc<Node<B>>> {
    let mut nodes = BTreeMap::new();
    let mut left = vec![Rc::clone(output)];
    while let Some(node) = left.pop() {
        if nodes.contains_key(&node.number) {
            continue;
        }
        left.extend(node.inputs.iter().map(Rc::clone));
        nodes.insert(node.number, node);
    }
    nodes
}

/// The numbers of the operations that lie on a way from a wanted tensor.
fn needed<B: Derivatives>(nodes: &BTreeMap<u64, Rc<Node<B>>>, wanted: &[u64]) -> HashSet<u64> {
    let mut needed = HashSet::new();
    for (number, node) in nodes {
        let leads = node.inputs.iter().any(|input| needed.contains(&input.number));
        if leads || wanted.contains(number) {
            needed.insert(*number);
        }
    }
    needed
}
