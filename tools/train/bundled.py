"""A bundled model as Hugging Face computes it: its f16 weights in f32, its own tokenizer, one text
at a time."""

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import (
    AutoConfig,
    BertForMaskedLM,
    GPT2LMHeadModel,
    MarianMTModel,
    PreTrainedModel,
)

import held_out

CLASSES = {"marian": MarianMTModel, "gpt2": GPT2LMHeadModel, "bert": BertForMaskedLM}
LONGEST_TRANSLATION = 80


def command_line(description: str) -> argparse.Namespace:
    """What every script that measures a finished model is told: `data` and `model`."""
    arguments = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--data", type=Path, required=True, help="path of fra-eng.zip")
    arguments.add_argument("--model", type=Path, required=True, help="folder of the bundled model")
    return arguments.parse_args()


def write_evaluation(folder: Path, result: dict) -> None:
    (folder / "evaluation.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result))


@dataclass
class Ids:
    """What a model reads of one text; `target_ids` in a translator only."""

    ids: list[int]
    target_ids: list[int] | None = None

    def described(self) -> dict[str, list[int]]:
        return {key: value for key, value in vars(self).items() if value is not None}


class Bundled:
    def __init__(self, folder: Path):
        self.kind = AutoConfig.from_pretrained(folder).model_type
        self.model: PreTrainedModel = (
            CLASSES[self.kind]
            .from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
            .eval()
        )
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        added = self.tokenizer.get_added_tokens_decoder()
        self.special_ids = sorted(index for index, token in added.items() if token.special)

    @property
    def vocabulary(self) -> int:
        return self.model.config.vocab_size

    @property
    def ordinary_ids(self) -> list[int]:
        return [index for index in range(self.vocabulary) if index not in self.special_ids]

    @torch.no_grad()
    def translated(self, ids: list[int]) -> Ids:
        """The source with the model's own greedy text, as the decoder read it: all but the last
        written token."""
        written = self.model.generate(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            num_beams=1,
            do_sample=False,
            max_length=LONGEST_TRANSLATION + 1,
        )
        return Ids(ids, written[0, :-1].tolist())

    def read(self, text: str) -> Ids:
        ids = self.tokenizer.encode(text).ids
        return self.translated(ids) if self.kind == "marian" else Ids(ids)

    def repeated_sequences(self) -> list[Ids]:
        """Repeated random tokens, always the same for one vocabulary."""
        rng = random.Random(held_out.SEED)
        template = self.tokenizer.encode("a").ids
        ordinary = [index not in self.special_ids for index in template]
        opening, closing = template[: ordinary.index(True)], template[ordinary.index(True) :]
        closing = [index for index in closing if index in self.special_ids]
        sequences = []
        for _ in range(held_out.REPEATED_SEQUENCES):
            sequence = Ids(held_out.repeated(self.ordinary_ids, opening, closing, rng))
            if self.kind == "marian":
                start = [self.model.config.decoder_start_token_id]
                sequence.target_ids = held_out.repeated(self.ordinary_ids, start, [], rng)
            sequences.append(sequence)
        return sequences

    @torch.no_grad()
    def attentions(self, text: Ids) -> dict[str, np.ndarray]:
        """The weights of every stack, [layer, head, query, key]."""
        if self.kind == "marian":
            output = self.model(
                input_ids=torch.tensor([text.ids]),
                decoder_input_ids=torch.tensor([text.target_ids]),
                output_attentions=True,
                use_cache=False,
            )
            stacks = {
                "encoder": output.encoder_attentions,
                "decoder": output.decoder_attentions,
                "cross": output.cross_attentions,
            }
        else:
            output = self.model(input_ids=torch.tensor([text.ids]), output_attentions=True)
            stacks = {"decoder" if self.kind == "gpt2" else "encoder": output.attentions}
        return {stack: torch.cat(layers).numpy() for stack, layers in stacks.items()}

    def sides(self, stack: str, text: Ids) -> tuple[str, list[int], list[int]]:
        """Which kind of attention a stack has, and the ids of its queries and of its keys."""
        if stack == "encoder":
            return "bidirectional", text.ids, text.ids
        own = text.ids if text.target_ids is None else text.target_ids
        return ("causal", own, own) if stack == "decoder" else ("cross", own, text.ids)
