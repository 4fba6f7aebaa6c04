"""Texts under the settings of generation_config.json or config.json, as Hugging Face writes them.

Greedy texts are compared token by token, sampling by the probabilities from which a token is drawn.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, GenerationConfig
from transformers.generation.logits_process import (
    MinPLogitsWarper,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from vectors import HERE, save_json

# The best score is so much above the second: f32 decides alike everywhere.
DECISIVE = 1e-3
# The greedy texts of the families begin so; whatever is forbidden or forced is drawn from what is
# written then.
WANTED = 12

# The settings of sampling, in the order in which Hugging Face applies them. The vocabulary has 40
# entries.
SAMPLINGS = [
    {"temperature": 1.0, "top_k": 0},
    {"temperature": 0.7, "top_k": 0},
    {"temperature": 1.0, "top_k": 6},
    {"temperature": 1.0, "top_k": 0, "top_p": 0.8},
    {"temperature": 1.0, "top_k": 0, "min_p": 0.2},
    {"temperature": 1.6, "top_k": 30, "top_p": 0.9, "min_p": 0.05},
    {"temperature": 0.05, "top_k": 50, "top_p": 0.0},
]


@dataclass
class Setting:
    """One text. `own` is generation_config.json, None for no such file; `changed` are fields of
    config.json."""

    name: str
    model: str
    own: dict | None
    changed: dict = field(default_factory=dict)
    # None leaves the length to the settings.
    max_new_tokens: int | None = WANTED
    ids: list[int] | None = None
    attention_mask: list[int] | None = None


def settings(written: dict[str, list[int]]) -> list[Setting]:
    """Every setting that greedy decoding follows, at least once in each of its forms."""
    llama, bart, marian = (written[name] for name in ("llama-llama3", "bart", "marian-tiny"))
    start = {"decoder_start_token_id": 2}
    return [
        Setting(
            "m2m-forced-language", "m2m_100", start | {"forced_bos_token_id": 11, "max_length": 200}
        ),
        Setting(
            "nllb-length",
            "m2m_100",
            start | {"forced_bos_token_id": 5, "max_length": 9},
            max_new_tokens=None,
        ),
        Setting(
            "mbart-start-and-language",
            "mbart",
            {"decoder_start_token_id": 7, "forced_bos_token_id": 9},
        ),
        Setting("mbart-start-is-bos", "mbart", {"bos_token_id": 6, "eos_token_id": [4, 17]}),
        Setting(
            "bart-summary",
            "bart",
            start
            | {
                "forced_bos_token_id": 0,
                "forced_eos_token_id": 3,
                "eos_token_id": 3,
                "no_repeat_ngram_size": 2,
                "min_length": 6,
            },
        ),
        Setting(
            "bart-forced-ends",
            "bart",
            start | {"forced_eos_token_id": [3, 8], "max_new_tokens": 5},
            max_new_tokens=None,
        ),
        Setting(
            "bart-begin",
            "bart",
            start | {"begin_suppress_tokens": [bart[0]], "suppress_tokens": bart[2:4]},
        ),
        Setting(
            "bart-begin-after-forced",
            "bart",
            start | {"forced_bos_token_id": 0, "begin_suppress_tokens": [18]},
        ),
        Setting(
            "bart-first-configs",
            "bart",
            None,
            {"force_bos_token_to_be_generated": True, "bos_token_id": 4},
        ),
        Setting(
            "bart-config-alone",
            "bart",
            None,
            {"forced_bos_token_id": 6, "no_repeat_ngram_size": 3, "eos_token_id": [bart[4], 29]},
        ),
        Setting(
            "bart-config-is-not-read",
            "bart",
            start,
            {"forced_bos_token_id": 6, "eos_token_id": bart[1]},
        ),
        Setting(
            "marian-bad-words",
            "marian-tiny",
            {
                "decoder_start_token_id": 60,
                "eos_token_id": 59,
                "bad_words_ids": [[60], [marian[0]], marian[1:3], [59]],
            },
        ),
        Setting(
            "marian-bad-words-of-three",
            "marian-tiny",
            {"decoder_start_token_id": 60, "eos_token_id": 59, "bad_words_ids": [marian[1:4]]},
        ),
        Setting("llama-two-ends", "llama-llama3", {"eos_token_id": [31, llama[2]]}),
        Setting("llama-two-ends-in-config", "llama-llama3", None, {"eos_token_id": [31, llama[3]]}),
        Setting("llama-suppressed", "llama-llama3", {"suppress_tokens": [llama[0], llama[2]]}),
        Setting("llama-penalty", "llama-llama3", {"repetition_penalty": 1.8}),
        Setting("llama-reward", "llama-llama3", {"repetition_penalty": 0.8}),
        Setting(
            "llama-penalty-after-padding",
            "llama-llama3",
            {"repetition_penalty": 1.3, "pad_token_id": 0},
            ids=[3, 3, 4, 9, 21, 8],
            attention_mask=[0, 0, 1, 1, 1, 1],
        ),
        Setting("llama-every-token-once", "llama-llama3", {"no_repeat_ngram_size": 1}),
        Setting(
            "llama-least",
            "llama-llama3",
            {"eos_token_id": [llama[0], llama[1]], "min_new_tokens": 3, "min_length": 100},
        ),
        Setting("llama-length", "llama-llama3", {"max_length": 9}, max_new_tokens=None),
        Setting(
            "t5-least",
            "t5",
            {"decoder_start_token_id": 0, "eos_token_id": written["t5"][0], "min_length": 4},
        ),
        Setting(
            "t5-beams-are-said",
            "t5",
            {
                "decoder_start_token_id": 0,
                "num_beams": 4,
                "do_sample": True,
                "length_penalty": 2.0,
                "task": "summary",
            },
        ),
        Setting("gpt-neo-forced-first", "gpt_neo", {"forced_bos_token_id": 7}, ids=[5]),
    ]


def write() -> None:
    families = json.loads((HERE / "families.json").read_text(encoding="utf-8"))
    weights = load_file(HERE / "families.safetensors")
    written: dict[str, list[int]] = {}
    texts: dict[str, list[int]] = {}
    for name in ("m2m_100", "mbart", "bart", "marian-tiny", "llama-llama3", "t5", "gpt_neo"):
        cases = families[name]["cases"] if name in families else []
        texts[name] = next(
            (case["ids"] for case in cases if case["name"] == "greedy"), [5, 9, 13, 5]
        )
        plain = (
            {"decoder_start_token_id": 60, "eos_token_id": 59} if name == "marian-tiny" else None
        )
        written[name], _ = _written(Setting("plain", name, plain), texts[name], families, weights)
    described = []
    for setting in settings(written):
        generated, given = _written(setting, setting.ids or texts[setting.model], families, weights)
        described.append(
            {
                "name": setting.name,
                "model": setting.model,
                "generation_config": setting.own,
                "changed": setting.changed,
                "ids": setting.ids or texts[setting.model],
                "attention_mask": setting.attention_mask,
                "max_new_tokens": setting.max_new_tokens,
                "generated": generated,
            }
        )
        print(f"{setting.name}: {generated} after {given}", flush=True)
    keys = sorted(key for key in vars(GenerationConfig()) if key != "_original_object_hash")
    save_json(
        HERE / "generation.json", {"keys": keys, "cases": described, "samplings": samplings()}
    )


def samplings() -> list[dict]:
    """Scores, two of them equal, and the probabilities from which Hugging Face draws a token."""
    scores = torch.randn((1, 40), generator=torch.Generator().manual_seed(7)) * 2
    scores[0, 11] = scores[0, 30]
    scores[0, 3] = -torch.inf
    described = []
    for sampling in SAMPLINGS:
        changed = scores
        if sampling["temperature"] != 1.0:
            changed = TemperatureLogitsWarper(sampling["temperature"])(None, changed)
        if sampling["top_k"] != 0:
            changed = TopKLogitsWarper(sampling["top_k"])(None, changed)
        if sampling.get("top_p", 1.0) < 1.0:
            changed = TopPLogitsWarper(sampling["top_p"])(None, changed)
        if "min_p" in sampling:
            changed = MinPLogitsWarper(sampling["min_p"])(None, changed)
        described.append(
            {
                "sampling": sampling,
                # JSON has no infinity.
                "scores": [None if score == -torch.inf else score for score in scores[0].tolist()],
                "probabilities": changed.softmax(-1)[0].tolist(),
            }
        )
    return described


def _written(
    setting: Setting, ids: list[int], families: dict, weights: dict
) -> tuple[list[int], list[int]]:
    """What Hugging Face writes, and the tokens that stood before it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        if setting.model in families:
            config = families[setting.model]["config"]
            prefix = f"{setting.model}/weights/"
            own = {
                part.removeprefix(prefix): value
                for part, value in weights.items()
                if part.startswith(prefix)
            }
        else:
            config = json.loads(
                (HERE / "models" / setting.model / "config.json").read_text(encoding="utf-8")
            )
            own = load_file(HERE / "models" / setting.model / "model.safetensors")
        save_json(folder / "config.json", config | setting.changed)
        save_file(own, folder / "model.safetensors", {"format": "pt"})
        if setting.own is not None:
            save_json(folder / "generation_config.json", setting.own)
        auto = AutoModelForSeq2SeqLM if config.get("is_encoder_decoder") else AutoModelForCausalLM
        model = auto.from_pretrained(
            folder, attn_implementation="eager", dtype=torch.float32
        ).eval()
        mask = torch.tensor([setting.attention_mask or [1] * len(ids)])
        length = (
            {} if setting.max_new_tokens is None else {"max_new_tokens": setting.max_new_tokens}
        )
        with torch.no_grad():
            output = model.generate(
                input_ids=torch.tensor([ids]),
                attention_mask=mask,
                do_sample=False,
                num_beams=1,
                output_scores=True,
                return_dict_in_generate=True,
                **length,
            )
    for scores in output.scores:
        best, second = scores[0].topk(2).values
        # Of several tokens that are forced at once the lowest is written.
        if best - second < DECISIVE and not best == second == 0:
            raise RuntimeError(
                f"{setting.name}: {best} and {second} are too close; draw another text"
            )
    sequence = output.sequences[0].tolist()
    return sequence[-len(output.scores) :], sequence[: -len(output.scores)]
