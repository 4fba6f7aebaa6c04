"""Losses and gradient norms of training the tiny models by PyTorch in f64: cross-entropy of the
right tokens, AdamW or SGD, clipping, a warm-up and half a cosine; of the first steps with dropout
of embeddings and sublayers, whose draws are those of `run/stream_dropout.rs`; and the losses of a
longer training in f32. The topic reads what `models` wrote."""

import math

import torch
from transformers import PreTrainedModel

import tiny_models
from vectors import HERE, save_json

STEPS = 50
STEPS_IN_F32 = 200
LENGTH, BATCH, BATCHES = 9, 4, 3
MASK_ID = 3

SETTINGS = {
    "gpt2-tiny": {
        "method": {"betas": [0.9, 0.98], "epsilon": 1e-8, "weight_decay": 0.01},
        "rate": 3e-3,
        "warmup": 5,
        "cosine_until": 60,
        "clip": 1.0,
        "label_smoothing": 0.0,
    },
    "bert-tiny": {
        "method": {"momentum": 0.9},
        "rate": 1e-2,
        "warmup": 0,
        "clip": 0.5,
        "label_smoothing": 0.0,
    },
    "marian-tiny": {
        "method": {"betas": [0.9, 0.999], "epsilon": 1e-6, "weight_decay": 0.0},
        "rate": 1e-3,
        "warmup": 10,
        "label_smoothing": 0.1,
    },
    "llama-tiny": {
        "method": {"betas": [0.9, 0.95], "epsilon": 1e-8, "weight_decay": 0.1},
        "rate": 1e-3,
        "warmup": 0,
        "cosine_until": 50,
        "clip": 1.0,
        "label_smoothing": 0.05,
    },
}


def batches_of(model: PreTrainedModel, generator: torch.Generator) -> list[list[dict]]:
    """Batches of examples: `ids`, for a translator `target_ids`, and the `targets`, pairs of a
    position and the right token."""
    vocabulary = model.config.vocab_size

    def drawn(n):
        return torch.randint(4, vocabulary, (n,), generator=generator).tolist()

    batches = []
    for _ in range(BATCHES):
        batch = []
        for _ in range(BATCH):
            ids = drawn(LENGTH)
            if model.config.is_encoder_decoder:
                words = drawn(LENGTH - 2)
                read = [model.config.decoder_start_token_id, *words[:-1]]
                batch.append({"ids": ids, "target_ids": read, "targets": list(enumerate(words))})
            elif model.can_generate():
                batch.append({"ids": ids[:-1], "targets": list(enumerate(ids[1:]))})
            else:
                masked = [MASK_ID if at % 3 == 1 else token for at, token in enumerate(ids)]
                batch.append(
                    {"ids": masked, "targets": [(at, ids[at]) for at in range(1, LENGTH, 3)]}
                )
        batches.append(batch)
    return batches


def rate_of(settings: dict, step: int) -> float:
    if step < settings["warmup"]:
        return settings["rate"] * (step + 1) / settings["warmup"]
    end = settings.get("cosine_until")
    if end is None:
        return settings["rate"]
    return (
        settings["rate"]
        * 0.5
        * (1 + math.cos(math.pi * min(1, (step - settings["warmup"]) / (end - settings["warmup"]))))
    )


DROPOUT = {"rate": 0.2, "seed": 9, "steps": 6}
# The modules of dropout, each with the block and the place in it: 0 the embeddings, 1
# self-attention, 3 the feed-forward network.
DROPPED = {
    "gpt2-tiny": {
        "transformer.drop": (0, 0),
        "transformer.h.{}.attn.resid_dropout": (None, 1),
        "transformer.h.{}.mlp.dropout": (None, 3),
    },
    "bert-tiny": {
        "bert.embeddings.dropout": (0, 0),
        "bert.encoder.layer.{}.attention.output.dropout": (None, 1),
        "bert.encoder.layer.{}.output.dropout": (None, 3),
    },
}
BITS = (1 << 64) - 1


def mix(x: int) -> int:
    """A step of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = x + 0x9E3779B97F4A7C15 & BITS
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB & BITS
    return z ^ z >> 31


def seed_of(seed: int, path: list[int]) -> int:
    own = mix(seed)
    for at in path:
        own = mix(own ^ at)
    return own


class Dropped(torch.nn.Module):
    """Dropout by the draw of one place of a stack; `seed` is that of an example of a step."""

    seed = 0

    def __init__(self, path: tuple[int, int, int]):
        super().__init__()
        self.path = path

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        own, rate = seed_of(Dropped.seed, list(self.path)), DROPOUT["rate"]
        factors = [
            0.0 if (mix(own ^ at) >> 11) / 2**53 < rate else 1 / (1 - rate)
            for at in range(x.numel())
        ]
        return x * torch.tensor(factors, dtype=x.dtype).reshape(x.shape)


def drop(model: PreTrainedModel, name: str) -> None:
    """Puts `Dropped` in the place of each dropout of embeddings and sublayers."""
    stack = 1 if model.can_generate() else 0
    for path, (layer, place) in DROPPED[name].items():
        for at in range(model.config.num_hidden_layers) if layer is None else [layer]:
            owner, _, field = path.format(at).rpartition(".")
            setattr(model.get_submodule(owner), field, Dropped((stack, at, place)))


def trained(
    model: PreTrainedModel,
    settings: dict,
    batches: list[list[dict]],
    steps: int,
    precision: torch.dtype = torch.float64,
) -> dict[str, list[float]]:
    model = model.to(precision).eval().requires_grad_()
    for module in model.modules():
        # Hugging Face drops the gradient of the padding token's row, which is also the start token
        # of Marian.
        if isinstance(module, torch.nn.Embedding):
            module.padding_idx = None
    parameters = [
        parameter for name, parameter in model.named_parameters() if "embed_positions" not in name
    ]
    method = settings["method"]
    if "betas" in method:
        optimiser = torch.optim.AdamW(
            parameters,
            betas=tuple(method["betas"]),
            eps=method["epsilon"],
            weight_decay=method["weight_decay"],
        )
    else:
        optimiser = torch.optim.SGD(parameters, lr=1.0, momentum=method["momentum"])
    losses, norms = [], []
    for step in range(steps):
        logits, right = [], []
        for number, example in enumerate(batches[step % len(batches)]):
            Dropped.seed = seed_of(DROPOUT["seed"], [step + 1, number])
            target = (
                {"decoder_input_ids": torch.tensor([example["target_ids"]])}
                if "target_ids" in example
                else {}
            )
            output = model(
                input_ids=torch.tensor([example["ids"]]), use_cache=False, **target
            ).logits[0]
            positions, tokens = zip(*example["targets"], strict=True)
            logits.append(output[list(positions)])
            right += tokens
        loss = torch.nn.functional.cross_entropy(
            torch.cat(logits), torch.tensor(right), label_smoothing=settings["label_smoothing"]
        )
        optimiser.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(parameters, settings.get("clip", math.inf))
        for group in optimiser.param_groups:
            group["lr"] = rate_of(settings, step)
        optimiser.step()
        losses.append(float(loss))
        norms.append(float(norm))
    return {"losses": losses, "norms": norms}


def write() -> None:
    described = {}
    for number, (name, settings) in enumerate(SETTINGS.items()):
        model = tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name)
        generator = torch.Generator().manual_seed(number)
        batches = batches_of(model, generator)
        found = trained(model, settings, batches, STEPS)
        if not found["losses"][-1] < 0.8 * found["losses"][0]:
            raise RuntimeError(f"{name} learns nothing: {found['losses']}")
        model = tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name)
        # The rate falls to zero at `cosine_until`, after which nothing is learned.
        lasting = {key: value for key, value in settings.items() if key != "cosine_until"}
        in_f32 = trained(model, lasting, batches, STEPS_IN_F32, torch.float32)["losses"]
        described[name] = {
            "settings": settings,
            "batches": batches,
            **found,
            "losses_in_f32": in_f32,
        }
        if name in DROPPED:
            model = tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name)
            drop(model, name)
            described[name]["dropout"] = {
                **DROPOUT,
                **trained(model, settings, batches, DROPOUT["steps"]),
            }
        print(f"{name}: loss {found['losses'][0]:.3f} to {found['losses'][-1]:.3f}", flush=True)
    save_json(HERE / "training.json", described)
