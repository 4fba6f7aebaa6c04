"""Gradients of a logit, or of a difference of two, and of a log-probability, with respect to the
residual stream that enters each block and to the weights of one head of each site, by PyTorch's
autograd in f64. Models and texts are those of the topics `models`, `families` and `settings`, and
for edits those of `masks`, `heads` and `placed`, which these read."""

import torch
from torch import Tensor
from transformers import PreTrainedModel

import lens
import tiny_models
from run_model import Case, context_of, inputs_of
from vectors import HERE, save_json, save_tensors

FAMILIES = [*lens.FAMILIES, "deberta", "deberta-v2", "albert", "gpt_neo", "smollm3"]
EDITED = {
    "masks": ["window-and", "global-or"],
    "heads": ["frozen-masked-and-gated", "no-residuals", "norms-moved", "no-norms"],
    "placed": ["rotary-7-moved", "alibi-8", "t5-9-moved", "transformer-xl-11-moved"],
}


def models():
    """Each model, the name of its gradients, and its case."""
    for name, model, case in lens.models(FAMILIES):
        yield name, name, model, case
    for topic, names in EDITED.items():
        for model_name, cases in lens.described(topic).items():
            model = tiny_models.load(
                tiny_models.CONFIGS[model_name][0], HERE / "models" / model_name
            )
            for case in cases:
                if case["name"] in names and "max_new_tokens" not in case:
                    yield model_name, f"{model_name}/{case['name']}", model, case


def stacks_of(model: PreTrainedModel, output) -> dict[str, list[Tensor]]:
    if model.config.is_encoder_decoder:
        return {
            "encoder.input": output.encoder_hidden_states,
            "encoder.weights": output.encoder_attentions,
            "decoder.input": output.decoder_hidden_states,
            "decoder.weights": output.decoder_attentions,
            "cross.weights": output.cross_attentions,
        }
    stack = "decoder" if model.can_generate() else "encoder"
    return {f"{stack}.input": output.hidden_states, f"{stack}.weights": output.attentions}


def gradients_of(model: PreTrainedModel, case: Case, asked: dict) -> dict[str, Tensor]:
    with context_of(model, case):
        output = model(
            **inputs_of(model, case),
            output_hidden_states=True,
            output_attentions=True,
            use_cache=False,
        )
    stacks = stacks_of(model, output)
    scores = output.logits if case.pixels is not None else output.logits[0]
    if asked.get("of") == "log-probability":
        scores = scores.log_softmax(-1)
    row = scores[asked["position"]]
    target = row[asked["id"]] - (row[asked["against"]] if "against" in asked else 0)
    wanted = {}
    for name, values in stacks.items():
        # The last hidden state enters no block.
        for layer, value in enumerate(values[:-1] if name.endswith("input") else values):
            wanted[f"{name}.{layer}"] = value
    found = torch.autograd.grad(target, list(wanted.values()), allow_unused=True)
    named = {}
    for (name, value), gradient in zip(wanted.items(), found, strict=True):
        gradient = torch.zeros_like(value) if gradient is None else gradient
        # One head, the last.
        named[name] = gradient[0] if name.split(".")[1] == "input" else gradient[0, -1]
    return named


def asked():
    """Each model, the name of its gradients, its case, and the target."""
    for number, (model_name, name, model, case) in enumerate(models()):
        n = 1 if "pixels" in case else len(case.get("target_ids") or case["ids"])
        asked = {"position": n // 2, "id": 7 % model.config.vocab_size if n > 1 else 2}
        if number % 3 == 1:
            asked["against"] = 3
        if number % 3 == 2:
            asked["of"] = "log-probability"
        yield model_name, name, model, case, asked


def write() -> None:
    described, tensors = {}, {}
    for model_name, name, model, case, target in asked():
        model = model.double().requires_grad_()
        found = gradients_of(model, Case(**case), target)
        largest = max(float(gradient.abs().max()) for gradient in found.values())
        if not 0 < largest < 1e4:
            raise RuntimeError(f"{name}: gradients up to {largest} say nothing")
        described[name] = {"model": model_name, "case": case, "asked": target}
        tensors |= {f"{name}/{part}": gradient.float() for part, gradient in found.items()}
        print(f"{name}: {len(found)} gradients, up to {largest:.1e}", flush=True)
    save_json(HERE / "gradients.json", described)
    save_tensors(HERE / "gradients.safetensors", tensors)
