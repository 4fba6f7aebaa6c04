"""What follows from gradients of a target: weights times gradients and relevance (Chefer, Gur &
Wolf 2021), integrated gradients (Sundararajan et al. 2017), the estimated effects of patches (Nanda
2023), and the lengths of gradients by depth. All of it by PyTorch's autograd in f64, of models,
texts and targets of the topic `gradients`, which this reads."""

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

import gradients
from run_model import Case, context_of, inputs_of
from vectors import HERE, save_json, save_tensors

NAMES = [
    "bert-tiny",
    "gpt2-tiny",
    "llama-tiny",
    "marian-tiny",
    "mpnet",
    "opt",
    "gemma3_text",
    "mbart",
    "t5",
    "vit",
    "marian-tiny/window-and",
    "bert-tiny/no-residuals",
    "gpt2-tiny/no-norms",
]
STEPS = 4
BASELINE = 4


def blocks_of(model: PreTrainedModel) -> dict[str, nn.ModuleList]:
    """The blocks of each stack."""
    lists = {
        name: module for name, module in model.named_modules() if isinstance(module, nn.ModuleList)
    }
    # A list inside of a block is not one of blocks.
    lists = [
        module
        for name, module in lists.items()
        if not any(part.isdigit() for part in name.split("."))
    ]
    if model.config.is_encoder_decoder:
        return dict(zip(["encoder", "decoder"], lists, strict=True))
    return {"decoder" if model.can_generate() else "encoder": lists[-1]}


class Streams:
    """A forward pass with the residual stream of each stack by depth; what enters the first block
    of a stack may be given."""

    def __init__(
        self,
        model: PreTrainedModel,
        case: Case,
        asked: dict,
        entering: dict[str, Tensor] | None = None,
    ):
        self.streams: dict[str, list[Tensor]] = {}
        hooks = []
        for stack, blocks in blocks_of(model).items():
            for layer, block in enumerate(blocks):
                given = (entering or {}).get(stack) if layer == 0 else None
                hooks.append(
                    block.register_forward_pre_hook(self._enters(stack, given), with_kwargs=True)
                )
            hooks.append(blocks[-1].register_forward_hook(self._leaves(stack)))
        try:
            with context_of(model, case):
                self.output = model(
                    **inputs_of(model, case), output_attentions=True, use_cache=False
                )
        finally:
            for hook in hooks:
                hook.remove()
        scores = self.output.logits if case.pixels is not None else self.output.logits[0]
        if asked.get("of") == "log-probability":
            scores = scores.log_softmax(-1)
        row = scores[asked["position"]]
        self.target = row[asked["id"]] - (row[asked["against"]] if "against" in asked else 0)

    def _enters(self, stack: str, given: Tensor | None):
        def hook(_, args, kwargs):
            x = (args[0] if args else kwargs["hidden_states"]) if given is None else given[None]
            # So that the gradient with respect to what enters is one with respect to this tensor.
            x = x if x.requires_grad else x.requires_grad_()
            self.streams.setdefault(stack, []).append(x)
            return ((x, *args[1:]), kwargs) if args else (args, {**kwargs, "hidden_states": x})

        return hook

    def _leaves(self, stack: str):
        def hook(_, __, output):
            self.streams[stack].append(output[0] if isinstance(output, tuple) else output)

        return hook

    def attentions(self, model: PreTrainedModel) -> dict[str, list[Tensor]]:
        output = self.output
        if model.config.is_encoder_decoder:
            named = {
                "encoder": output.encoder_attentions,
                "decoder": output.decoder_attentions,
                "cross": output.cross_attentions,
            }
            return {stack: list(weights) for stack, weights in named.items()}
        return {next(iter(self.streams)): list(output.attentions)}

    def gradients(self, tensors: list[Tensor]) -> list[Tensor]:
        found = torch.autograd.grad(self.target, tensors, allow_unused=True, retain_graph=True)
        return [
            torch.zeros_like(x) if gradient is None else gradient
            for x, gradient in zip(tensors, found, strict=True)
        ]


def normed(relevance: Tensor) -> Tensor:
    """Equations 8 and 9."""
    rest = relevance - torch.eye(len(relevance))
    sums = rest.sum(-1, keepdim=True)
    return torch.where(sums > 0, rest / sums, rest) + torch.eye(len(relevance))


def relevance(products: dict[str, list[Tensor]]) -> dict[str, Tensor]:
    """Of weights times gradients `[head, query, key]` by stack and layer."""
    means = {
        stack: [cells.clamp(min=0).mean(0) for cells in layers]
        for stack, layers in products.items()
    }
    found = {}
    for stack in ("encoder", "decoder"):
        if stack not in means:
            continue
        own = torch.eye(means[stack][0].shape[0])
        memory = (
            torch.zeros(len(own), len(found["encoder"]))
            if "cross" in means and stack == "decoder"
            else None
        )
        for layer, attention in enumerate(means[stack]):
            own = own + attention @ own
            if memory is not None:
                memory = memory + attention @ memory
                memory = memory + normed(own).T @ means["cross"][layer] @ normed(found["encoder"])
        found[stack] = own
        if memory is not None:
            found["cross"] = memory
    return found


def integrated(
    model: PreTrainedModel, case: Case, asked: dict, stack: str, text: Tensor, baseline: Tensor
) -> dict[str, Tensor]:
    total = torch.zeros_like(text)
    for step in range(STEPS):
        point = baseline + (step + 0.5) / STEPS * (text - baseline)
        streams = Streams(model, case, asked, {stack: point})
        total += streams.gradients([streams.streams[stack][0]])[0][0]
    return {
        "tokens": ((text - baseline) * total / STEPS).sum(-1),
        "baseline": Streams(model, case, asked, {stack: baseline}).target.detach().reshape(1),
    }


def replaced(case: Case, change) -> Case:
    """The case with other tokens, of the target too."""
    target = case.target_ids and [change(at, case.target_ids) for at in range(len(case.target_ids))]
    return Case(
        **{
            **vars(case),
            "ids": [change(at, case.ids) for at in range(len(case.ids))],
            "target_ids": target,
        }
    )


def influence_of(model: PreTrainedModel, case: Case, asked: dict) -> dict[str, Tensor]:
    streams = Streams(model, case, asked)
    attentions = streams.attentions(model)
    products = {
        stack: [
            (weights * slopes)[0].detach()
            for weights, slopes in zip(layers, streams.gradients(layers), strict=True)
        ]
        for stack, layers in attentions.items()
    }
    found = {"target": streams.target.detach().reshape(1)}
    found |= {f"{stack}.relevance": cells for stack, cells in relevance(products).items()}
    found |= {f"{stack}.weighted": layers[0][-1] for stack, layers in products.items()}
    is_text = case.pixels is None
    other = (
        Streams(model, replaced(case, lambda at, ids: ids[-1 - at]), asked).streams
        if is_text
        else {}
    )
    same = Streams(model, replaced(case, lambda *_: BASELINE), asked).streams if is_text else {}
    for stack, depths in streams.streams.items():
        slopes = streams.gradients(depths)
        found[f"{stack}.norms"] = torch.stack([slope[0].norm(dim=-1) for slope in slopes])
        text = depths[0][0].detach()
        baselines = {"zeros": torch.zeros_like(text)}
        if is_text:
            baselines["entry"] = same[stack][0][0].detach()
            patches = zip(depths[:-1], other[stack][:-1], slopes[:-1], strict=True)
            found[f"{stack}.estimates"] = torch.stack(
                [((new - old) * slope)[0].sum(-1) for old, new, slope in patches]
            )
        for name, baseline in baselines.items():
            own = integrated(model, case, asked, stack, text, baseline)
            found |= {f"{stack}.{name}.{part}": value for part, value in own.items()}
    return found


def write() -> None:
    described, tensors = {}, {}
    for model_name, name, model, case, asked in gradients.asked():
        if name not in NAMES:
            continue
        torch.set_default_dtype(torch.float64)
        found = influence_of(model.double().requires_grad_(), Case(**case), asked)
        torch.set_default_dtype(torch.float32)
        described[name] = {"model": model_name, "case": case, "asked": asked}
        tensors |= {f"{name}/{part}": value for part, value in found.items()}
        print(f"{name}: {len(found)} tensors", flush=True)
    save_json(HERE / "influence.json", described)
    save_tensors(HERE / "influence.safetensors", tensors)
