"""Losses and gradient norms of training the tiny models by PyTorch in f64: cross-entropy of the right tokens, AdamW or SGD, clipping,
a warm-up and half a cosine. The topic reads what `models` wrote."""

import math

import torch
from transformers import PreTrainedModel

import tiny_models
from vectors import HERE, save_json

STEPS = 50
LENGTH, BATCH, BATCHES = 9, 4, 3
MASK_ID = 3

SETTINGS = {
    "gpt2-tiny": {"method": {"betas": [0.9, 0.98], "epsilon": 1e-8, "weight_decay": 0.01}, "rate": 3e-3, "warmup": 5,
                  "cosine_until": 60, "clip": 1.0, "label_smoothing": 0.0},
    "bert-tiny": {"method": {"momentum": 0.9}, "rate": 1e-2, "warmup": 0, "clip": 0.5, "label_smoothing": 0.0},
    "marian-tiny": {"method": {"betas": [0.9, 0.999], "epsilon": 1e-6, "weight_decay": 0.0}, "rate": 1e-3, "warmup": 10,
                    "label_smoothing": 0.1},
    "llama-tiny": {"method": {"betas": [0.9, 0.95], "epsilon": 1e-8, "weight_decay": 0.1}, "rate": 1e-3, "warmup": 0,
                   "cosine_until": 50, "clip": 1.0, "label_smoothing": 0.05},
}


def batches_of(model: PreTrainedModel, generator: torch.Generator) -> list[list[dict]]:
    """Batches of examples: `ids`, for a translator `target_ids`, and the `targets`, pairs of a position and the right token."""
    vocabulary = model.config.vocab_size
    drawn = lambda n: torch.randint(4, vocabulary, (n,), generator=generator).tolist()
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
                batch.append({"ids": masked, "targets": [(at, ids[at]) for at in range(1, LENGTH, 3)]})
        batches.append(batch)
    return batches


def rate_of(settings: dict, step: int) -> float:
    if step < settings["warmup"]:
        return settings["rate"] * (step + 1) / settings["warmup"]
    end = settings.get("cosine_until")
    if end is None:
        return settings["rate"]
    return settings["rate"] * 0.5 * (1 + math.cos(math.pi * min(1, (step - settings["warmup"]) / (end - settings["warmup"]))))


def trained(model: PreTrainedModel, settings: dict, batches: list[list[dict]]) -> dict[str, list[float]]:
    model = model.double().eval().requires_grad_()
    for module in model.modules():
        # Hugging Face drops the gradient of the padding token's row, which is also the start token of Marian.
        if isinstance(module, torch.nn.Embedding):
            module.padding_idx = None
    parameters = [parameter for name, parameter in model.named_parameters() if "embed_positions" not in name]
    method = settings["method"]
    if "betas" in method:
        optimiser = torch.optim.AdamW(parameters, betas=tuple(method["betas"]), eps=method["epsilon"], weight_decay=method["weight_decay"])
    else:
        optimiser = torch.optim.SGD(parameters, lr=1.0, momentum=method["momentum"])
    losses, norms = [], []
    for step in range(STEPS):
        logits, right = [], []
        for example in batches[step % len(batches)]:
            target = {"decoder_input_ids": torch.tensor([example["target_ids"]])} if "target_ids" in example else {}
            output = model(input_ids=torch.tensor([example["ids"]]), use_cache=False, **target).logits[0]
            positions, tokens = zip(*example["targets"], strict=True)
            logits.append(output[list(positions)])
            right += tokens
        loss = torch.nn.functional.cross_entropy(torch.cat(logits), torch.tensor(right), label_smoothing=settings["label_smoothing"])
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
        found = trained(model, settings, batches)
        if not found["losses"][-1] < 0.8 * found["losses"][0]:
            raise RuntimeError(f"{name} learns nothing: {found['losses']}")
        described[name] = {"settings": settings, "batches": batches, **found}
        print(f"{name}: loss {found['losses'][0]:.3f} to {found['losses'][-1]:.3f}", flush=True)
    save_json(HERE / "training.json", described)
