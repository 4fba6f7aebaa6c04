"""Runs one case through a Hugging Face model and names everything it computed."""

from contextlib import ExitStack
from dataclasses import dataclass, replace

import torch
from transformers import PreTrainedModel

from edited_attention import edited
from edited_blocks import rejoined
from edited_positions import placed

# Two ways to compute the same thing in f32 may differ by this much.
SAME = {"rtol": 1e-5, "atol": 2e-5}


@dataclass
class Case:
    """One input. `edits` of None is the untouched model; `{}` only changes what a row without an
    allowed cell gives."""

    name: str
    ids: list[int]
    token_type_ids: list[int] | None = None
    attention_mask: list[int] | None = None
    target_ids: list[int] | None = None
    edits: dict | None = None
    max_new_tokens: int | None = None
    generated: list[int] | None = None
    read_ids: list[int] | None = None
    pixels: list[float] | None = None

    def described(self) -> dict:
        return {key: value for key, value in vars(self).items() if value is not None}


def context_of(model: PreTrainedModel, case: Case):
    stack = ExitStack()
    if case.edits is not None:
        stack.enter_context(edited(model, case.edits))
        stack.enter_context(rejoined(model, case.edits.get("blocks", [])))
        stack.enter_context(placed(model, case.edits.get("positions", [])))
    return stack


def image_shape(config) -> tuple[int, int, int]:
    size = config.image_size
    return (config.num_channels, *(size if isinstance(size, list) else [size, size]))


def inputs_of(model: PreTrainedModel, case: Case) -> dict[str, torch.Tensor]:
    """The keyword arguments of the forward pass, batch of one."""
    is_translator = model.config.is_encoder_decoder
    rows = {
        "input_ids": case.ids if is_translator else case.read_ids or case.ids,
        "attention_mask": case.attention_mask,
        "token_type_ids": case.token_type_ids,
        "decoder_input_ids": (case.read_ids or case.target_ids) if is_translator else None,
    }
    if case.pixels is not None:
        return {
            "pixel_values": torch.tensor(case.pixels, dtype=model.dtype).reshape(
                1, *image_shape(model.config)
            )
        }
    return {key: torch.tensor([row]) for key, row in rows.items() if row is not None}


@torch.no_grad()
def forward(model: PreTrainedModel, case: Case) -> dict[str, torch.Tensor]:
    """Every hidden state, attention weight and logit of the case, without the batch axis."""
    with context_of(model, case):
        output = model(
            **inputs_of(model, case),
            output_hidden_states=True,
            output_attentions=True,
            use_cache=False,
        )
    if model.config.is_encoder_decoder:
        stacks = {
            "encoder.hidden": output.encoder_hidden_states,
            "encoder.attention": output.encoder_attentions,
            "decoder.hidden": output.decoder_hidden_states,
            "decoder.attention": output.decoder_attentions,
            "cross.attention": output.cross_attentions,
        }
    else:
        stack = "decoder" if model.can_generate() else "encoder"
        stacks = {f"{stack}.hidden": output.hidden_states, f"{stack}.attention": output.attentions}
        if case.pixels is not None:
            # Hugging Face gives the last one before the final norm here, after it of all other
            # models.
            *below, last = output.hidden_states
            stacks["encoder.hidden"] = [*below, model.base_model.layernorm(last)]
    named = {
        f"{kind}.{layer}": value[0]
        for kind, values in stacks.items()
        for layer, value in enumerate(values)
    }
    if "logits" in output:
        # An image has one row for all of its patches.
        named["logits"] = output.logits[0] if case.pixels is None else output.logits
    return named


@torch.no_grad()
def generate(model: PreTrainedModel, case: Case) -> torch.Tensor:
    """Greedy decoding. Fills in what was written and read; returns the raw logits, one row a
    step."""
    ids = torch.tensor([case.ids])
    mask = torch.tensor([case.attention_mask]) if case.attention_mask else torch.ones_like(ids)
    with context_of(model, case):
        output = model.generate(
            input_ids=ids,
            attention_mask=mask,
            max_new_tokens=case.max_new_tokens,
            num_beams=1,
            do_sample=False,
            use_cache=case.edits is None,
            output_logits=True,
            return_dict_in_generate=True,
        )
    sequence = output.sequences[0].tolist()
    logits = torch.cat(output.logits)
    case.generated = sequence[-len(logits) :]
    case.read_ids = sequence[:-1]
    return logits


def check_consistent(model: PreTrainedModel, case: Case) -> None:
    """The reference against itself: our attention function without edits, and decoding with a
    cache."""
    ours = forward(model, case)
    if case.edits == {} and case.attention_mask is None:
        for part, value in forward(model, replace(case, edits=None)).items():
            torch.testing.assert_close(ours[part], value, **SAME)
    if case.max_new_tokens:
        logits = generate(model, replace(case))
        torch.testing.assert_close(ours["logits"][-len(logits) :], logits, **SAME)
