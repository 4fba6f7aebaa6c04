"""Muon for weight matrices, AdamW for the rest.

Muon (Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks")
replaces the momentum of a weight matrix by its nearest semi-orthogonal matrix, found
by a Newton-Schulz iteration. The update is scaled as in Liu et al. 2025 ("Muon is
scalable for LLM training", section 2.2), so that both halves take comparable rates.

Embeddings, norms and biases are no linear maps between hidden states: AdamW.
torch's own Muon iterates in bf16, which a CPU without bf16 arithmetic emulates slowly;
this one stays in f32 and iterates over all matrices of one shape at once.
"""

import torch

# Jordan et al. 2024: a quintic that pushes singular values into about [0.7, 1.2].
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
NEWTON_SCHULZ_STEPS = 5
MOMENTUM = 0.95
# Liu et al. 2025: the root mean square of AdamW's usual update.
UPDATE_RMS = 0.2
WEIGHT_DECAY = 0.01


def orthogonalised(stack: torch.Tensor) -> torch.Tensor:
    """[n, rows, columns] -> each matrix with its singular values brought close to 1."""
    tall = stack.shape[-2] > stack.shape[-1]
    x = stack.mT if tall else stack
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    a, b, c = NEWTON_SCHULZ
    for _ in range(NEWTON_SCHULZ_STEPS):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """Takes matrices only; those of one shape are orthogonalised in one batch.

    A matrix that is several side by side (GPT-2 keeps Q, K and V in one) has `parts` columns-wise
    parts.
    """

    def __init__(self, matrices: dict[torch.nn.Parameter, int]):
        groups = [
            {"params": [m for m, n in matrices.items() if n == parts], "parts": parts}
            for parts in set(matrices.values())
        ]
        super().__init__(groups, {"lr": 0.0})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[torch.nn.Parameter]] = {}
            for matrix in group["params"]:
                by_shape.setdefault(matrix.shape, []).append(matrix)
            for matrices in by_shape.values():
                updates = []
                for matrix in matrices:
                    state = self.state[matrix]
                    momentum = state.setdefault("momentum", torch.zeros_like(matrix))
                    momentum.lerp_(matrix.grad, 1 - MOMENTUM)
                    updates += matrix.grad.lerp(momentum, MOMENTUM).chunk(group["parts"], dim=1)
                scale = group["lr"] * UPDATE_RMS * max(updates[0].shape) ** 0.5
                update = orthogonalised(torch.stack(updates)).unflatten(
                    0, (len(matrices), group["parts"])
                )
                for matrix, parts in zip(matrices, update):
                    matrix.mul_(1 - group["lr"] * WEIGHT_DECAY).add_(
                        torch.cat(tuple(parts), dim=1), alpha=-scale
                    )


class MuonAndAdamW:
    """Both, each with a rate of its own; looks like one optimiser to the training loop."""

    def __init__(self, model: torch.nn.Module, muon_rate: float, adam_rate: float):
        embeddings = {id(m.weight) for m in model.modules() if isinstance(m, torch.nn.Embedding)}
        trained = {name: p for name, p in model.named_parameters() if p.requires_grad}
        matrices = {
            p: 3 if name.endswith("c_attn.weight") else 1
            for name, p in trained.items()
            if p.dim() == 2 and id(p) not in embeddings
        }
        self.rates = (muon_rate, adam_rate)
        self.parts = (
            Muon(matrices),
            torch.optim.AdamW(
                [p for p in trained.values() if p not in matrices],
                lr=0.0,
                betas=(0.9, 0.98),
                eps=1e-9,
                weight_decay=0.0,
                fused=True,
            ),
        )

    def step(self, fraction: float) -> None:
        """One step at a fraction of the peak rates; gradients are cleared."""
        for part, rate in zip(self.parts, self.rates):
            for group in part.param_groups:
                group["lr"] = rate * fraction
            part.step()
            part.zero_grad(set_to_none=True)

    def state_dict(self) -> list[dict]:
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, states: list[dict]) -> None:
        for part, state in zip(self.parts, states):
            part.load_state_dict(state)
