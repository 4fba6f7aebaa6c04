"""Activation patching on the tiny models: an activation of the run of one text is put in place of
that of another text's run, by hooks of PyTorch on the modules of Hugging Face (Vig et al. 2020),
and the logits that follow; and paths from a head to another's queries, keys or values, or to the
logits, with all other outputs held (Wang et al. 2022, appendix B). The topic reads what `models`
wrote."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

import tiny_models
from vectors import HERE, save_json, save_tensors

IDS = [5, 9, 13, 5, 9, 17, 2]
SOURCE_IDS = [5, 9, 23, 5, 40, 17, 2]
TARGET_IDS = [60, 7, 11, 7, 11]

# The stack, block and head of each patch, and its positions if it has not all of them.
CASES = {
    "bert-tiny": [("encoder", 1, 3, None)],
    "gpt2-tiny": [("decoder", 1, 2, None)],
    # Two query heads share their keys and values.
    "llama-tiny": [("decoder", 1, 3, [4, 2])],
    "marian-tiny": [("encoder", 1, 4, None), ("decoder", 1, 1, [1, 3]), ("cross", 0, 2, None)],
}

# The stack, block and head that send, the same of what receives, and what of it: "output" is what
# leaves the last block.
PATHS = {
    "bert-tiny": [
        (("encoder", 0, 3), ("encoder", 2, 1, part)) for part in ("query", "key", "value")
    ]
    + [(("encoder", 0, 0), ("encoder", 2, 0, "output"))],
    "gpt2-tiny": [
        (("decoder", 0, 2), ("decoder", 2, 0, part)) for part in ("query", "key", "value", "output")
    ],
    "llama-tiny": [
        (("decoder", 0, 1), ("decoder", 2, 2, part))
        for part in ("query-rotated", "key-rotated", "value", "output")
    ],
    "marian-tiny": [
        (("encoder", 0, 4), ("encoder", 2, 2, "query")),
        (("encoder", 0, 1), ("cross", 1, 2, "key")),
        (("encoder", 1, 3), ("cross", 0, 0, "value")),
        (("decoder", 1, 0), ("cross", 1, 2, "query")),
        (("cross", 0, 2), ("decoder", 1, 1, "key")),
        (("cross", 0, 1), ("decoder", 1, 0, "output")),
    ],
}


@dataclass
class Site:
    """The modules of one attention site and its block."""

    block: nn.Module
    # What values are columns of, from this column on.
    value: nn.Module
    first_value: int
    # What joins the heads' contexts.
    output: nn.Module
    feed_forward: nn.Module
    heads: int
    kv_heads: int
    # What queries and keys are columns of, from these columns on.
    query: nn.Module
    key: nn.Module
    first_key: int = 0


def site_of(model: PreTrainedModel, stack: str, layer: int) -> Site:
    config = model.config
    if config.model_type == "bert":
        block = model.bert.encoder.layer[layer]
        heads = config.num_attention_heads
        return Site(
            block,
            block.attention.self.value,
            0,
            block.attention.output.dense,
            block.output.dense,
            heads,
            heads,
            block.attention.self.query,
            block.attention.self.key,
        )
    if config.model_type == "gpt2":
        block = model.transformer.h[layer]
        joint = block.attn.c_attn
        return Site(
            block,
            joint,
            2 * config.n_embd,
            block.attn.c_proj,
            block.mlp.c_proj,
            config.n_head,
            config.n_head,
            joint,
            joint,
            config.n_embd,
        )
    if config.model_type == "llama":
        block = model.model.layers[layer]
        attention = block.self_attn
        heads = config.num_attention_heads
        return Site(
            block,
            attention.v_proj,
            0,
            attention.o_proj,
            block.mlp.down_proj,
            heads,
            config.num_key_value_heads,
            attention.q_proj,
            attention.k_proj,
        )
    block = (model.model.encoder if stack == "encoder" else model.model.decoder).layers[layer]
    attention = block.encoder_attn if stack == "cross" else block.self_attn
    heads = config.encoder_attention_heads if stack == "encoder" else config.decoder_attention_heads
    return Site(
        block,
        attention.v_proj,
        0,
        attention.out_proj,
        block.fc2,
        heads,
        heads,
        attention.q_proj,
        attention.k_proj,
    )


# What stands in place of a module's input or output, given what stood there.
Change = Callable[[Tensor], Tensor]


def on_input(module: nn.Module, change: Change):
    def hook(_, given):
        return (change(given[0]), *given[1:])

    return module.register_forward_pre_hook(hook)


def on_output(module: nn.Module, change: Change):
    return module.register_forward_hook(lambda _, __, output: change(output))


@torch.no_grad()
def run(model: PreTrainedModel, ids: list[int], hooks: list):
    """The model's output with hooks, each a function that sets one."""
    target = (
        {"decoder_input_ids": torch.tensor([TARGET_IDS])} if model.config.is_encoder_decoder else {}
    )
    with ExitStack() as stack:
        for hook in hooks:
            stack.callback(hook().remove)
        return model(
            input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False, **target
        )


def kept(held: dict, name: str) -> Change:
    def keep(x: Tensor) -> Tensor:
        held[name] = x.clone()
        return x

    return keep


def put(x: Tensor, values: Tensor, columns: slice, positions: list[int] | None) -> Tensor:
    rows = list(range(x.shape[1])) if positions is None else positions
    patched = x.clone()
    patched[:, rows, columns] = values[:, rows, columns]
    return patched


def pattern_of(output, model: PreTrainedModel, stack: str, layer: int, head: int) -> Tensor:
    if not model.config.is_encoder_decoder:
        return output.attentions[layer][0, head]
    names = {
        "encoder": output.encoder_attentions,
        "decoder": output.decoder_attentions,
        "cross": output.cross_attentions,
    }
    return names[stack][layer][0, head]


def patched(
    model: PreTrainedModel, stack: str, layer: int, head: int, positions: list[int] | None
) -> dict[str, tuple[dict, Tensor]]:
    """The address of each patch, and the logits under it."""
    site = site_of(model, stack, layer)
    held: dict[str, Tensor] = {}
    places = {
        "input": lambda change: lambda: on_input(site.block, change),
        "value": lambda change: lambda: on_output(site.value, change),
        "context": lambda change: lambda: on_input(site.output, change),
        "attended": lambda change: lambda: on_output(site.output, change),
        "ff-output": lambda change: lambda: on_output(site.feed_forward, change),
    }
    source = run(model, SOURCE_IDS, [place(kept(held, name)) for name, place in places.items()])
    own: dict[str, Tensor] = {}
    run(model, IDS, [places["value"](kept(own, "value"))])
    width = held["context"].shape[-1] // site.heads
    of_head = slice(head * width, (head + 1) * width)
    kv_head = head * site.kv_heads // site.heads
    first = site.first_value + kv_head * width
    of_value = slice(first, first + width)
    weights = pattern_of(source, model, stack, layer, head)
    mixed = torch.zeros_like(held["context"])
    mixed[0, :, of_head] = weights @ own["value"][0, :, of_value]
    everything = slice(None)
    changes = {
        "context": ("context", held["context"], of_head),
        "weights": ("context", mixed, of_head),
        "value": ("value", held["value"], of_value),
        "attended": ("attended", held["attended"], everything),
        "ff-output": ("ff-output", held["ff-output"], everything),
        "input": ("input", held["input"], everything),
    }
    cases = {}
    for step, (place, values, columns) in changes.items():
        # Cross-attention has no stream of its own.
        if stack == "cross" and step == "input":
            continue
        # The feed-forward network that follows cross-attention is the decoder's.
        own_stack = "decoder" if stack == "cross" and step == "ff-output" else stack
        at = {"stack": own_stack, "layer": layer, "step": step}
        if step in ("context", "weights", "value"):
            at["head"] = head
        if positions is not None:
            at["positions"] = positions

        def change(x: Tensor, values: Tensor = values, columns: slice = columns) -> Tensor:
            return put(x, values, columns, positions)

        cases[f"{stack}.{step}"] = (at, run(model, IDS, [places[place](change)]).logits[0])
    return cases


def sublayers_of(model: PreTrainedModel) -> list[nn.Module]:
    """The modules whose outputs the stream adds, in all blocks."""
    config = model.config
    if config.is_encoder_decoder:
        stacks = {
            "encoder": config.encoder_layers,
            "decoder": config.decoder_layers,
            "cross": config.decoder_layers,
        }
    else:
        stacks = {"encoder" if config.model_type == "bert" else "decoder": config.num_hidden_layers}
    sites = [
        site_of(model, stack, layer) for stack, layers in stacks.items() for layer in range(layers)
    ]
    return list(
        {
            id(module): module for site in sites for module in (site.output, site.feed_forward)
        }.values()
    )


def along_path(model: PreTrainedModel, sender: tuple, receiver: tuple) -> tuple[dict, Tensor]:
    """The addresses of a path's ends, and the logits if it alone carries the sender's output of the
    other run."""
    stack, layer, head = sender
    sends = site_of(model, stack, layer)
    held: dict[str, Tensor] = {}
    run(model, SOURCE_IDS, [lambda: on_input(sends.output, kept(held, "context"))])
    width = held["context"].shape[-1] // sends.heads
    of_sender = slice(head * width, (head + 1) * width)
    # The outputs of the run, which all components but the sender's keep.
    others = [module for module in sublayers_of(model) if module is not sends.output]
    own: dict[str, Tensor] = {}
    run(
        model,
        IDS,
        [
            lambda at=at, module=module: on_output(module, kept(own, str(at)))
            for at, module in enumerate(others)
        ],
    )
    hooks = [
        lambda at=at, module=module: on_output(module, lambda _, at=at: own[str(at)])
        for at, module in enumerate(others)
    ]
    hooks.append(lambda: on_input(sends.output, lambda x: put(x, held["context"], of_sender, None)))

    into_stack, into_layer, into_head, part = receiver
    first = {"stack": stack, "layer": layer, "step": "context", "head": head}
    if part == "output":
        step = "ff-normed" if model.config.model_type in ("bert", "marian") else "ff-sum"
        last = {"stack": into_stack, "layer": into_layer, "step": step}
        return {"from": first, "to": last}, run(model, IDS, hooks).logits[0]
    receives = site_of(model, into_stack, into_layer)
    name = part.removesuffix("-rotated")
    module, offset = {
        "query": (receives.query, 0),
        "key": (receives.key, receives.first_key),
        "value": (receives.value, receives.first_value),
    }[name]
    of_receiver = into_head if name == "query" else into_head * receives.kv_heads // receives.heads
    into_width = (
        receives.output.in_features // receives.heads
        if isinstance(receives.output, nn.Linear)
        else width
    )
    columns = slice(offset + of_receiver * into_width, offset + (of_receiver + 1) * into_width)
    run(model, IDS, [*hooks, lambda: on_output(module, kept(held, "received"))])
    logits = run(
        model, IDS, [lambda: on_output(module, lambda x: put(x, held["received"], columns, None))]
    ).logits[0]
    return {
        "from": first,
        "to": {"stack": into_stack, "layer": into_layer, "step": part, "head": into_head},
    }, logits


def write() -> None:
    described, tensors = {}, {}
    for name, patches in CASES.items():
        model = tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name)
        described[name] = {
            "ids": IDS,
            "source_ids": SOURCE_IDS,
            "target_ids": TARGET_IDS,
            "patches": [],
        }
        plain = run(model, IDS, []).logits[0]
        for patch in patches:
            for case, (at, logits) in patched(model, *patch).items():
                assert not torch.allclose(plain, logits, atol=1e-2), (
                    f"{name}/{case}: the patch changes next to nothing"
                )
                described[name]["patches"].append({"name": case, "at": at})
                tensors[f"{name}/{case}"] = logits
        described[name]["paths"] = []
        for at, path in enumerate(PATHS[name]):
            addresses, logits = along_path(model, *path)
            assert not torch.allclose(plain, logits, atol=1e-3), (
                f"{name}/{path}: the path changes next to nothing"
            )
            described[name]["paths"].append({"name": f"path.{at}", **addresses})
            tensors[f"{name}/path.{at}"] = logits
    save_json(HERE / "patches.json", described)
    save_tensors(HERE / "patches.safetensors", tensors)
