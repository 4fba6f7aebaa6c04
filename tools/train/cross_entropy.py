"""The output projection and its cross-entropy in one, chunk by chunk.

A batch's logits (4,000 x 6,000) do not fit a cache, and passing over them for the
softmax, its gradient and the smoothing takes as long as the matrix products. A chunk's
do, and its gradients can be taken at once, so the logits are never kept.
"""

import torch

CHUNK_ROWS = 256


class _LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, labels, smoothing):
        n, vocabulary = len(hidden), len(weight)
        hidden_grad, weight_grad = torch.empty_like(hidden), torch.zeros_like(weight)
        buffer = hidden.new_empty(CHUNK_ROWS, vocabulary)
        total = hidden.new_zeros(())
        for first in range(0, n, CHUNK_ROWS):
            x, wanted = hidden[first : first + CHUNK_ROWS], labels[first : first + CHUNK_ROWS, None]
            p = torch.mm(x, weight.T, out=buffer[: len(x)])
            p.sub_(p.amax(dim=1, keepdim=True))
            right, mean = p.gather(1, wanted), p.mean(dim=1, keepdim=True)
            p.exp_()
            mass = p.sum(dim=1, keepdim=True)
            total += (mass.log() - (1 - smoothing) * right - smoothing * mean).sum()
            # d loss / d logits = softmax - target, where the target is (1 - e) one-hot + e uniform.
            p.div_(mass).sub_(smoothing / vocabulary)
            p.scatter_add_(1, wanted, p.new_full(wanted.shape, smoothing - 1))
            torch.mm(p, weight, out=hidden_grad[first : first + CHUNK_ROWS])
            weight_grad.addmm_(p.T, x)
        ctx.save_for_backward(hidden_grad.div_(n), weight_grad.div_(n))
        return total / n

    @staticmethod
    def backward(ctx, grad):
        hidden_grad, weight_grad = ctx.saved_tensors
        return hidden_grad.mul_(grad), weight_grad.mul_(grad), None, None


def linear_cross_entropy(
    hidden: torch.Tensor, weight: torch.Tensor, labels: torch.Tensor, smoothing: float = 0.0
) -> torch.Tensor:
    """Mean over rows, in nats, label smoothing as in `torch.nn.functional.cross_entropy`.

    `hidden` is [row, width], `weight` [vocabulary, width], `labels` [row].
    """
    return _LinearCrossEntropy.apply(hidden, weight, labels, smoothing)
