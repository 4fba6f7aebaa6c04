"""Beam search as Hugging Face writes with it, in families of both architectures and with the
bundled models. The weights of the families are those of the topic `families`."""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

from vectors import HERE, generator, save_cases, save_json

BEAMS, LENGTH = 4, 50
# Sums of neighbouring candidates are so far apart: f32 orders them alike everywhere.
DECISIVE = 1e-4
DECODERS = (
    "gpt_neo",
    "gpt_neox",
    "opt",
    "llama-llama3",
    "mistral",
    "qwen3",
    "gemma2",
    "phi3",
    "stablelm",
)
TRANSLATORS = ("bart", "mbart", "m2m_100", "t5")
BUNDLED = HERE.parents[1] / "models"
# How the search ends and what a length counts, one for each model in turn.
ENDS = (
    {"early_stopping": True, "length_penalty": 1.0},
    {"early_stopping": False, "length_penalty": 1.0},
    {"early_stopping": "never", "length_penalty": 1.0},
    {"early_stopping": False, "length_penalty": 0.0},
    {"early_stopping": "never", "length_penalty": 0.4},
    {"early_stopping": "never", "length_penalty": -0.5},
    {"early_stopping": True, "length_penalty": 2.0},
    {"early_stopping": False, "length_penalty": -1.0},
)


@dataclass
class Case:
    """One search. `files` is generation_config.json, `sent` the request."""

    name: str
    model: str
    ids: list[int]
    files: dict
    sent: dict = field(default_factory=dict)


class Undecided(Exception):
    """Two candidates are too close to be ordered alike everywhere."""


def model_of(name: str, files: dict):
    """A model of Hugging Face with a generation_config.json."""
    families = json.loads((HERE / "families.json").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        folder = Path(folder)
        if name in families:
            prefix = f"{name}/weights/"
            weights = load_file(HERE / "families.safetensors")
            own = {
                part.removeprefix(prefix): value
                for part, value in weights.items()
                if part.startswith(prefix)
            }
            config = families[name]["config"]
        else:
            source = BUNDLED / name
            config = json.loads((source / "config.json").read_text(encoding="utf-8"))
            own = load_file(source / "model.safetensors")
        save_json(folder / "config.json", config)
        save_file(own, folder / "model.safetensors", {"format": "pt"})
        save_json(folder / "generation_config.json", files)
        auto = AutoModelForSeq2SeqLM if config.get("is_encoder_decoder") else AutoModelForCausalLM
        return auto.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()


def searched(case: Case) -> dict:
    """What Hugging Face writes."""
    model = model_of(case.model, case.files)
    continuations = model._get_top_k_continuations

    def watched(**given):
        sums = given["accumulated_log_probs"]
        best = sums.topk(min(given["beams_to_keep"] + 1, sums.shape[-1])).values[0]
        best = best[best > -1e8]
        if len(best) > 1 and float((best[:-1] - best[1:]).min()) < DECISIVE:
            raise Undecided(case.name)
        return continuations(**given)

    model._get_top_k_continuations = watched
    beams = case.sent.get("num_beams", 1)
    ids = torch.tensor([case.ids])
    with torch.no_grad():
        output = model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            num_return_sequences=beams,
            output_scores=True,
            return_dict_in_generate=True,
            **{"num_beams": 1, "max_new_tokens": LENGTH} | case.sent,
        )
    given = 1 if model.config.is_encoder_decoder else len(case.ids)
    if beams == 1:
        for scores in output.scores:
            best, second = scores[0].topk(2).values
            if best - second < DECISIVE:
                raise Undecided(case.name)
        return {"texts": [output.sequences[0, given:].tolist()]}
    lengths = (output.beam_indices >= 0).sum(-1)
    texts = [row[given : given + n].tolist() for row, n in zip(output.sequences, lengths)]
    return {"texts": texts, "scores": output.sequences_scores.tolist()}


def start_of(name: str) -> dict:
    """The start token, which a translator needs."""
    starts = {"bart": 2, "mbart": 2, "m2m_100": 2, "t5": 0}
    return {"decoder_start_token_id": starts[name]} if name in starts else {}


def cases_of(name: str, index: int, ids: list[int]) -> list[Case]:
    """The searches of one model: without an end token, with one, and one under the settings that
    change scores."""
    start = start_of(name)
    greedy = searched(Case(f"{name}-greedy", name, ids, start))["texts"][0]
    # An end token that some beams come to, early or late.
    ends = sorted(set(greedy[6 + index % 5 :]) - set(greedy[:4])) or greedy[-1:]
    end = ends[index % len(ends)]
    search = {"num_beams": BEAMS, "max_new_tokens": LENGTH}
    settings = {
        "repetition_penalty": 1.2,
        "no_repeat_ngram_size": 3,
        "suppress_tokens": greedy[:1],
        "bad_words_ids": [greedy[1:3]],
        "min_new_tokens": 9,
    }
    if start and index % 2:
        settings |= {
            "forced_bos_token_id": next(id for id in (9, 10, 11) if id not in (end, greedy[0]))
        }
    if index % 3 == 0:
        settings |= {"forced_eos_token_id": [end], "max_new_tokens": 14}
    return [
        Case(f"{name}-open", name, ids, start, search),
        Case(
            f"{name}-ended",
            name,
            ids,
            start | {"eos_token_id": end},
            search | ENDS[index % len(ENDS)],
        ),
        Case(
            f"{name}-ends",
            name,
            ids,
            start | {"eos_token_id": [end, greedy[5]]},
            search | ENDS[(index + 3) % len(ENDS)] | {"max_new_tokens": 12},
        ),
        Case(
            f"{name}-settings",
            name,
            ids,
            start | {"eos_token_id": end},
            search | ENDS[(index + 5) % len(ENDS)] | settings,
        ),
    ]


def texts_of(name: str) -> Iterator[list[int]]:
    """Texts for a bundled model that never saw them, by its tokenizer."""
    listed = json.loads((HERE / "trained.json").read_text(encoding="utf-8"))
    for one in listed[name]["inputs"]:
        if "edits" not in one:
            yield one["ids"] if name == "en-fr" else one["ids"][:5]


def drawn_texts(name: str) -> Iterator[list[int]]:
    """Texts of four random tokens."""
    for attempt in range(100):
        yield torch.randint(4, 29, (4,), generator=generator(f"beams {name} {attempt}")).tolist()


def bundled_cases(name: str, index: int, ids: list[int]) -> list[Case]:
    """A search by a bundled model with its own files."""
    files = json.loads((BUNDLED / name / "generation_config.json").read_text(encoding="utf-8"))
    return [
        Case(
            f"{name}-{index}",
            name,
            ids,
            files,
            {"num_beams": BEAMS, "max_new_tokens": LENGTH} | ENDS[index],
        )
    ]


def described(cases: list[Case]) -> list[dict]:
    return [
        {"name": case.name, "ids": case.ids, "generation_config": case.files, "sent": case.sent}
        | searched(case)
        for case in cases
    ]


def decisive(
    name: str, texts: Iterator[list[int]], cases: Callable[[list[int]], list[Case]]
) -> list[dict]:
    """The searches on the first text on which they are decisive."""
    for ids in texts:
        try:
            return described(cases(ids))
        except Undecided as undecided:
            print(f"{undecided}: too close", flush=True)
    raise RuntimeError(f"{name}: no text is decisive")


def write(names: Collection[str] = ()) -> None:
    torch.set_num_threads(1)
    for index, name in enumerate(DECODERS + TRANSLATORS):
        if not names or name in names:
            found = decisive(name, drawn_texts(name), lambda ids: cases_of(name, index, ids))
            save_cases("beams", name, found)
            print(name, flush=True)
    for name in ("en-fr", "tiny-gpt"):
        if not names or name in names:
            texts = texts_of(name)
            found = [
                one
                for index in range(3)
                for one in decisive(name, texts, lambda ids: bundled_cases(name, index, ids))
            ]
            save_cases("beams", name, found)
            print(name, flush=True)
