"""What adds up to a logit, by autograd: every norm and every activation of an output head is
computed with its scale detached, and the output map of each sublayer reads a detached input, so
that the gradient of a logit flows down the residual stream alone. A part is its value times the
gradient there. Models and texts are those of the topic `lens`."""

import re
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

import lens
from run_model import Case, inputs_of
from vectors import HERE, save_json, save_tensors

NAMES = [
    "bert-tiny",
    "gpt2-tiny",
    "llama-tiny",
    "marian-tiny",
    "electra",
    "modernbert",
    "gpt_neox",
    "gemma2",
    "t5",
    "deit",
    "opt-projected",
    "opt-post-norm",
]

# The output maps of sublayers, by the ends of their names; the first that fits counts.
MAPS = {
    "cross": r"(encoder_attn\.out_proj|EncDecAttention\.o)$",
    "own": r"(attention\.output\.dense|attn\.(c_proj|o_proj|out_proj|Wo)"
    r"|attention\.(dense|o_proj)|SelfAttention\.o)$",
    "feed-forward": r"(\.output\.dense|mlp\.(c_proj|down_proj|Wo|fc2|dense_4h_to_h)"
    r"|\.fc2|DenseReluDense\.wo)$",
}
# Embeddings, modules or parameters.
EMBEDDINGS = {
    "token": r"(word_embeddings|wte|embed_tokens|shared|tok_embeddings|embed_in"
    r"|cls_token|distillation_token)$",
    "position": r"(position_embeddings|wpe|embed_positions)$",
    "token-type": r"token_type_embeddings$",
}
HEAD_ACTIVATION = r"(transform_act_fn|generator_predictions\.activation|head\.act)$"


def kind_of(name: str, kinds: dict[str, str]) -> str | None:
    return next((kind for kind, end in kinds.items() if re.search(end, name)), None)


def frozen_norm(norm: nn.Module, given: tuple, output: Tensor) -> Tensor:
    """The output of a norm with the scale detached."""
    x, bias = given[0], getattr(norm, "bias", None)
    bias = torch.zeros(()) if bias is None else bias
    centred = x - x.mean(-1, keepdim=True) if isinstance(norm, nn.LayerNorm) else x
    return centred * ((output - bias) / centred).detach() + bias


def heads_of(config, stack: str) -> int:
    own = getattr(config, f"{stack}_attention_heads", None)
    return own or getattr(config, "num_heads", None) or config.num_attention_heads


@contextmanager
def linearised(
    model: PreTrainedModel,
    read: dict[str, Tensor],
    embedded: dict[str, list[Tensor]],
    uncapped: list[Tensor],
):
    """The model with norms and activations of its head that have detached scales, and with output
    maps that read detached inputs: `read` has these inputs by the names of the maps, `embedded` the
    outputs of embeddings, `uncapped` the logits before a soft cap."""

    def leaf(name: str):
        def hook(_, given):
            read[name] = given[0].detach().requires_grad_()
            return (read[name], *given[1:])

        return hook

    def kept(kind: str):
        def hook(_, __, output):
            if output.requires_grad:
                output.retain_grad()
                embedded.setdefault(kind, []).append(output)

        return hook

    with ExitStack() as stack:
        for name, module in model.named_modules():
            if kind_of(name, MAPS):
                stack.callback(module.register_forward_pre_hook(leaf(name)).remove)
            elif isinstance(module, nn.Embedding) and kind_of(name, EMBEDDINGS):
                stack.callback(module.register_forward_hook(kept(kind_of(name, EMBEDDINGS))).remove)
            elif type(module).__name__.endswith("Norm"):
                stack.callback(module.register_forward_hook(frozen_norm).remove)
            elif re.search(HEAD_ACTIVATION, name):

                def hook(_, given, output):
                    return given[0] * (output / given[0]).detach()

                stack.callback(module.register_forward_hook(hook).remove)
        if getattr(model.config, "final_logit_softcapping", None):
            stack.callback(
                model.lm_head.register_forward_hook(
                    lambda _, __, output: uncapped.append(output[0])
                ).remove
            )
        yield


def parts_of(
    model: PreTrainedModel, case: Case, position: int, id: int, against: int | None
) -> dict[str, Tensor]:
    """Each part of a logit before its soft cap, and the logit itself."""
    read: dict[str, Tensor] = {}
    embedded: dict[str, list[Tensor]] = {}
    logits: list[Tensor] = []
    with linearised(model, read, embedded, logits):
        model.zero_grad()
        output = model(**inputs_of(model, case), use_cache=False).logits
        output = output if case.pixels is not None else output[0]
        uncapped = logits[0] if logits else output
        chosen = [
            row[position, id] - (0 if against is None else row[position, against])
            for row in (output, uncapped)
        ]
        chosen[1].backward()
    parts = {"logit": chosen[0], "uncapped": chosen[1]}
    layers = len(getattr(*lens.blocks_of(model)))
    for name, x in read.items():
        if x.grad is None:
            continue
        kind, layer = kind_of(name, MAPS), int(re.search(r"\.(\d+)\.", name)[1])
        added = (x.grad * x).sum((0, 1))
        if kind == "feed-forward":
            parts.setdefault(kind, torch.zeros(layers))[layer] = added.sum()
        else:
            heads = heads_of(
                model.config, "decoder" if model.config.is_encoder_decoder else "encoder"
            )
            parts.setdefault(kind, torch.zeros(layers, heads))[layer] = added.unflatten(
                0, (heads, -1)
            ).sum(-1)
    for kind, outputs in embedded.items():
        parts[kind] = sum(
            (output.grad * output).sum() for output in outputs if output.grad is not None
        )
    biases = torch.zeros(layers + 1)
    for name, value in [*model.named_parameters(), *model.named_buffers()]:
        if value.grad is None:
            continue
        kind, block = kind_of(name, EMBEDDINGS), re.search(r"\.(\d+)\.", name)
        if kind:
            parts[kind] = parts.get(kind, 0) + (value.grad * value).sum()
        elif name.endswith("bias"):
            biases[int(block[1]) if block else layers] += (value.grad * value).sum()
    parts["biases"] = biases
    whole = sum(value.sum() for name, value in parts.items() if name not in ("logit", "uncapped"))
    torch.testing.assert_close(whole, chosen[1].detach(), rtol=1e-9, atol=1e-9)
    return parts


def write() -> None:
    described, tensors = {}, {}
    torch.set_default_dtype(torch.float64)
    for number, (name, model, case) in enumerate(lens.models()):
        if name not in NAMES:
            continue
        model = model.double().requires_grad_()
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias.requires_grad_()
        n = 1 if "pixels" in case else len(case.get("target_ids", case["ids"]))
        asked = {"position": n // 2, "id": 7 % model.config.vocab_size if n > 1 else 2}
        if number % 2:
            asked["against"] = 3
        described[name] = asked
        parts = parts_of(model, Case(**case), asked["position"], asked["id"], asked.get("against"))
        tensors |= {f"{name}/{part}": value for part, value in parts.items()}
        print(f"{name}: {sorted(parts)}", flush=True)
    torch.set_default_dtype(torch.float32)
    save_json(HERE / "attribution.json", described)
    save_tensors(HERE / "attribution.safetensors", tensors)
