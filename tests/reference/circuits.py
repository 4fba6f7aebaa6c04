"""What heads read and write by their weights alone: spectra of `W_Q W_Kᵀ` and `W_V W_O` as whole
matrices, and of the circuits over the vocabulary, `[v, v]`, by NumPy in f64 from the modules of
Hugging Face (Elhage et al. 2021); the rank at 90 % of Cordonnier et al. 2020; and the weight on the
token before in a text without content, by a hook that puts it before the block. The topic reads
what `models` wrote."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

import tiny_models
from vectors import HERE, save_json

# The stacks of each model, and the block whose heads are asked.
STACKS = {
    "bert-tiny": ["encoder"],
    "gpt2-tiny": ["decoder"],
    "llama-tiny": ["decoder"],
    "marian-tiny": ["encoder", "decoder", "cross"],
}
LAYER = 1
MOST_TOKENS = 64
PAIRS = 5


@dataclass
class Stack:
    """The modules of a stack, and what a token is in its stream."""

    blocks: nn.ModuleList
    # `[v, d]`: each token alone, and the mean token with each position, `[n, d]`.
    tokens: Tensor
    empty: Tensor


@dataclass
class Head:
    """The factors of a head, without biases: three `[d, d_h]` and one `[d_h, d]`."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    output: np.ndarray


def stack_of(model: PreTrainedModel, stack: str) -> Stack:
    kind = model.config.model_type
    if kind == "bert":
        parts = model.bert.embeddings
        types = parts.token_type_embeddings.weight[0]
        words = parts.word_embeddings.weight
        empty = words.mean(0) + parts.position_embeddings.weight[:MOST_TOKENS] + types
        return Stack(
            model.bert.encoder.layer, parts.LayerNorm(words + types), parts.LayerNorm(empty)
        )
    if kind == "gpt2":
        own = model.transformer
        return Stack(own.h, own.wte.weight, own.wte.weight.mean(0) + own.wpe.weight[:MOST_TOKENS])
    if kind == "llama":
        words = model.model.embed_tokens.weight
        count = min(MOST_TOKENS, model.config.max_position_embeddings)
        return Stack(model.model.layers, words, words.mean(0).expand(count, -1))
    own = model.model.encoder if stack == "encoder" else model.model.decoder
    scale = model.config.d_model**0.5 if model.config.scale_embedding else 1.0
    words = own.embed_tokens.weight * scale
    return Stack(own.layers, words, words.mean(0) + own.embed_positions.weight[:MOST_TOKENS])


def head_of(model: PreTrainedModel, block: nn.Module, stack: str, head: int) -> Head:
    config = model.config
    if config.model_type == "gpt2":
        heads, width = config.n_head, config.n_embd // config.n_head
        columns = block.attn.c_attn.weight.detach().numpy().reshape(config.n_embd, 3, heads, width)
        output = block.attn.c_proj.weight.detach().numpy()
        return Head(
            *(columns[:, part, head] for part in range(3)),
            output[head * width : (head + 1) * width],
        )
    if config.model_type == "bert":
        own = block.attention.self
        maps, out, heads, kv_heads = (
            (own.query, own.key, own.value),
            block.attention.output.dense,
            config.num_attention_heads,
            config.num_attention_heads,
        )
    elif config.model_type == "llama":
        own = block.self_attn
        maps, out, heads, kv_heads = (
            (own.q_proj, own.k_proj, own.v_proj),
            own.o_proj,
            config.num_attention_heads,
            config.num_key_value_heads,
        )
    else:
        own = block.encoder_attn if stack == "cross" else block.self_attn
        heads = kv_heads = (
            config.encoder_attention_heads if stack == "encoder" else config.decoder_attention_heads
        )
        maps, out = (own.q_proj, own.k_proj, own.v_proj), own.out_proj
    query, key, value = (one.weight.detach().numpy() for one in maps)
    width = len(query) // heads
    shared = head * kv_heads // heads

    def rows(weight, at):
        return weight[at * width : (at + 1) * width].T

    return Head(
        rows(query, head),
        rows(key, shared),
        rows(value, shared),
        out.weight.detach().numpy()[:, head * width : (head + 1) * width].T,
    )


def heads_of(model: PreTrainedModel, stack: str) -> int:
    return (
        getattr(
            model.config,
            "encoder_attention_heads" if stack == "encoder" else "decoder_attention_heads",
            None,
        )
        or model.config.num_attention_heads
    )


def entered(model: PreTrainedModel, block: nn.Module, x: Tensor) -> np.ndarray:
    """The rows as the block's attention reads them."""
    norm = {"gpt2": "ln_1", "llama": "input_layernorm"}.get(model.config.model_type)
    return (getattr(block, norm)(x) if norm else x).detach().numpy()


def through(norm: nn.Module | None, x: np.ndarray) -> np.ndarray:
    """Rows through a norm without its scale."""
    if norm is None:
        return x
    centred = x - x.mean(-1, keepdims=True) if isinstance(norm, nn.LayerNorm) else x
    return centred * norm.weight.detach().numpy()


def share(matrix: np.ndarray) -> float:
    values = np.linalg.eigvals(matrix)
    return float(values.sum().real / np.abs(values).sum())


def rank90(values: np.ndarray) -> int:
    return int(np.searchsorted(np.cumsum(values**2), 0.9 * (values**2).sum()) + 1)


@torch.no_grad()
def before(model: PreTrainedModel, stack: str, own: Stack, layer: int) -> list[float]:
    """The mean weight of each head of a block on the token before, of an empty text."""
    n = len(own.empty)
    hook = own.blocks[layer].register_forward_pre_hook(
        lambda _, given, named: (
            ((own.empty[None], *given[1:]), named)
            if given
            else (given, named | {"hidden_states": own.empty[None]})
        ),
        with_kwargs=True,
    )
    ids = torch.ones(1, n, dtype=torch.long)
    target = {"decoder_input_ids": ids} if model.config.is_encoder_decoder else {}
    output = model(input_ids=ids, output_attentions=True, use_cache=False, **target)
    hook.remove()
    if model.config.is_encoder_decoder:
        attentions = output.encoder_attentions if stack == "encoder" else output.decoder_attentions
    else:
        attentions = output.attentions
    return attentions[layer][0].diagonal(-1, -2, -1).mean(-1).tolist()


def final_of(model: PreTrainedModel) -> tuple[nn.Module | None, np.ndarray]:
    norm = {"gpt2": lambda: model.transformer.ln_f, "llama": lambda: model.model.norm}.get(
        model.config.model_type, lambda: None
    )()
    return norm, model.get_output_embeddings().weight.detach().numpy()


def pairs(matrix: np.ndarray) -> list[list[float]]:
    order = np.argsort(-matrix, axis=None)[:PAIRS]
    return [
        [int(at // matrix.shape[1]), int(at % matrix.shape[1]), float(matrix.flat[at])]
        for at in order
    ]


def circuits_of(model: PreTrainedModel, stack: str, head: int) -> dict:
    own = stack_of(model, stack)
    block = own.blocks[LAYER]
    at = head_of(model, block, stack, head)
    value_output = at.value @ at.output
    eigenvalues = np.linalg.eigvals(value_output)
    eigenvalues = eigenvalues[np.argsort(-np.abs(eigenvalues))][: at.value.shape[1]]

    def singular(matrix):
        return np.linalg.svd(matrix, compute_uv=False)[: at.value.shape[1]].tolist()

    joined = np.linalg.svd(
        sum(
            one.query @ one.key.T
            for one in (head_of(model, block, stack, of) for of in range(heads_of(model, stack)))
        ),
        compute_uv=False,
    )
    found = {
        "queryKey": singular(at.query @ at.key.T),
        "valueOutput": singular(value_output),
        "sizes": np.abs(eigenvalues).tolist(),
        "copying": share(value_output),
        "sharedRank": rank90(joined),
    }
    if stack == "cross":
        return found
    tokens = entered(model, block, own.tokens)
    found["previousToken"] = before(model, stack, own, LAYER)[head]
    scale = getattr(block.self_attn, "scaling", None) if hasattr(block, "self_attn") else None
    scale = scale or at.query.shape[1] ** -0.5
    found["pairs"] = {"query-key": pairs(tokens @ at.query @ at.key.T @ tokens.T * scale)}
    if stack == "decoder":
        norm, unembedding = final_of(model)
        logits = tokens @ at.value @ through(norm, at.output) @ unembedding.T
        found["tokenCopying"] = share(logits)
        found["pairs"]["value-output"] = pairs(logits)
        earlier = before(model, stack, own, 0)
        best = int(np.argmax(earlier))
        first = head_of(model, own.blocks[0], stack, best)
        entry = {"gpt2": "ln_1", "llama": "input_layernorm"}.get(model.config.model_type)
        moved = (
            entered(model, own.blocks[0], own.tokens)
            @ first.value
            @ through(entry and getattr(block, entry), first.output)
        )
        matching = share(tokens @ at.query @ (moved @ at.key).T)
        found["induction"] = {
            "layer": 0,
            "head": best,
            "previousToken": earlier[best],
            "matching": matching,
        }
    return found


def write() -> None:
    torch.set_default_dtype(torch.float64)
    described = {}
    for name, stacks in STACKS.items():
        model = tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name).double()
        model.set_attn_implementation("eager")
        described[name] = {
            stack: [circuits_of(model, stack, head) for head in range(heads_of(model, stack))]
            for stack in stacks
        }
        print(f"{name}: {list(described[name])}", flush=True)
    torch.set_default_dtype(torch.float32)
    save_json(HERE / "circuits.json", described)
