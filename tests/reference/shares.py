"""What each key of a head adds to the residual stream: its length `‖α v W_O‖` (Kobayashi et al.
2020), and how far it moves a logit of the query's position, by hooks on the modules of Hugging
Face. Weights are those that the model gives, values the outputs of its value maps, and the
direction of a logit is its gradient at the input of the output map, as in the topic `attribution`.
Models and texts are those of the topic `lens`."""

import re

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

import attribution
import lens
from run_model import Case, inputs_of
from vectors import HERE, save_json, save_tensors

NAMES = [
    "bert-tiny",
    "gpt2-tiny",
    "llama-tiny",
    "marian-tiny",
    "electra",
    "gemma2",
    "olmo2",
    "opt",
    "mbart",
    "t5",
    "opt-post-norm",
]

# The output maps of attention sites, and the value map beside each: of GPT-2 one map for all three.
OUTPUTS = re.compile(
    r"(attention\.output\.dense|attn\.(c_proj|o_proj|out_proj)|attention\.o_proj|EncDecAttention\.o|SelfAttention\.o)$"
)
VALUES = {
    "output.dense": "self.value",
    "c_proj": "c_attn",
    "o_proj": "v_proj",
    "out_proj": "v_proj",
    "o": "v",
}


def value_name(output: str) -> str:
    end = next(end for end in VALUES if output.endswith("." + end))
    return output.removesuffix(end) + VALUES[end]


def stack_of(name: str, model: PreTrainedModel) -> str:
    if re.search(r"encoder_attn|EncDec", name):
        return "cross"
    if model.config.is_encoder_decoder:
        return "encoder" if "encoder." in name else "decoder"
    return "decoder" if model.can_generate() else "encoder"


def weights_of(output, model: PreTrainedModel, stack: str) -> list[Tensor]:
    if not model.config.is_encoder_decoder:
        return output.attentions
    return {
        "encoder": output.encoder_attentions,
        "decoder": output.decoder_attentions,
        "cross": output.cross_attentions,
    }[stack]


def weight_of(output: nn.Module) -> Tensor:
    """`[inner, outer]`; GPT-2's own layer has its weights so."""
    return output.weight.T if isinstance(output, nn.Linear) else output.weight


def shares_of(
    model: PreTrainedModel, case: Case, id: int, against: int | None
) -> dict[str, Tensor]:
    """The norms and the effects of every head, `[head, query, key]`, by stack and layer."""
    read: dict[str, Tensor] = {}
    values: dict[str, Tensor] = {}
    uncapped: list[Tensor] = []
    modules = dict(model.named_modules())
    outputs = [name for name in modules if OUTPUTS.search(name)]
    keep = [
        modules[value_name(name)].register_forward_hook(
            lambda _, __, x, name=name: values.__setitem__(name, x[0].detach())
        )
        for name in outputs
    ]
    with attribution.linearised(model, read, {}, uncapped):
        model.zero_grad()
        answer = model(**inputs_of(model, case), use_cache=False, output_attentions=True)
        logits = uncapped[0] if uncapped else answer.logits[0]
        (logits[:, id].sum() - (0 if against is None else logits[:, against].sum())).backward()
    for hook in keep:
        hook.remove()
    shares = {}
    for name in outputs:
        stack, layer = stack_of(name, model), int(re.search(r"\.(\d+)\.", name)[1])
        weights = weights_of(answer, model, stack)[layer][0].detach()
        heads = len(weights)
        context = read[name]
        width = context.shape[-1] // heads
        value = (
            values[name][..., -context.shape[-1] :]
            if "c_attn" in value_name(name)
            else values[name]
        )
        value = value.unflatten(-1, (-1, width)).transpose(0, 1)
        value = value.repeat_interleave(heads // len(value), 0)
        added = value @ weight_of(modules[name]).detach().unflatten(0, (heads, width))
        shares[f"{stack}.{layer}.norms"] = weights * added.norm(dim=-1)[:, None]
        if context.grad is not None:
            direction = context.grad[0].unflatten(-1, (heads, width)).transpose(0, 1)
            shares[f"{stack}.{layer}.effects"] = weights * (direction @ value.transpose(1, 2))
            torch.testing.assert_close(
                weights @ value, context[0].detach().unflatten(-1, (heads, width)).transpose(0, 1)
            )
    return shares


def write() -> None:
    described, tensors = {}, {}
    torch.set_default_dtype(torch.float64)
    for number, (name, model, case) in enumerate(lens.models()):
        if name not in NAMES:
            continue
        model = model.double().requires_grad_()
        model.set_attn_implementation("eager")
        asked = {"id": 7} | ({"against": 3} if number % 2 else {})
        described[name] = asked
        shares = shares_of(model, Case(**case), asked["id"], asked.get("against"))
        # A block of each stack is enough: the last norms, and the effects that go through all
        # blocks above.
        for part, value in shares.items():
            layer, what = part.split(".")[1:]
            if layer == "0" if what == "effects" else layer == "1":
                tensors[f"{name}/{part}"] = value.float()
        print(f"{name}: {sorted(shares)}", flush=True)
    torch.set_default_dtype(torch.float32)
    save_json(HERE / "shares.json", described)
    save_tensors(HERE / "shares.safetensors", tensors)
