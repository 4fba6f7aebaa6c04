"""Frozen heads, and residuals and norms left out or moved, on the tiny models. Ids and drawn patterns come by seed."""

import torch
from transformers import PreTrainedModel

from cases import Draw, written
from edited_cases import write_cases
from run_model import Case

NAMES = ("marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny")


class Hand(Draw):
    """Draws patterns as well as ids."""

    def __init__(self, name: str, model: PreTrainedModel):
        super().__init__(f"{name} heads and blocks", model)

    def pattern(self, rows: int, columns: int) -> list[list[float]]:
        """Numbers from 0 to 4 in steps of a quarter, many of them 0, the second row nothing else."""
        cells = torch.randint(-12, 17, (rows, columns), generator=self.random).clamp(min=0) / 4
        cells[1:2] = 0
        return cells.tolist()


def marian(draw: Hand, model: PreTrainedModel) -> list[Case]:
    start = model.config.decoder_start_token_id

    def pair(label: str, source: int, target: int, edits: dict, **rest) -> Case:
        return Case(label, draw.ids(source), target_ids=[start, *draw.ids(target - 1)], edits=edits, **rest)

    def text(label: str, source: int, tokens: int, edits: dict) -> Case:
        return written(model, draw, Case(label, [0] * source, max_new_tokens=tokens, edits=edits), stops=False)

    holes = [1, 0, 1, 1, 0, 1, 1]
    return [
        pair("nothing-edited", 5, 4, {}),
        *(pair(f"{name}-everywhere", 7, 5, {"heads": [{"heads": [1], "pattern": name}]}, attention_mask=holes)
          for name in ("uniform", "diagonal", "previous")),
        *(pair(f"{name}-across-few-keys", 3, 8, {"heads": [{"stack": "cross", "pattern": name}]})
          for name in ("uniform", "diagonal", "previous")),
        pair("drawn-encoder", 6, 4, {"heads": [
            {"stack": "encoder", "layers": [1], "heads": [0, 3], "pattern": draw.pattern(6, 6)}]}),
        pair("drawn-decoder", 5, 7, {"heads": [
            {"stack": "decoder", "layers": [0], "heads": [1], "pattern": draw.pattern(7, 7)}]}),
        pair("drawn-cross", 6, 5, {"heads": [{"stack": "cross", "heads": [2], "pattern": draw.pattern(5, 6)}]}),
        pair("drawn-too-small", 7, 6, {"heads": [
            {"stack": "encoder", "heads": [0], "pattern": draw.pattern(4, 5)},
            {"stack": "cross", "heads": [0], "pattern": "uniform"},
            {"stack": "cross", "heads": [0], "pattern": draw.pattern(3, 2)}]}),
        pair("frozen-masked-and-gated", 6, 5, {
            "masks": [{"stack": "encoder", "layers": [0], "block": [[0, 0], [2, 2], [3, 1]]},
                      {"stack": "cross", "heads": [1], "block": [[1, key] for key in range(6)]}],
            "heads": [{"layers": [0], "heads": [0, 1], "pattern": "diagonal", "gate": 0.5},
                      {"stack": "cross", "heads": [1], "pattern": draw.pattern(5, 6)},
                      {"stack": "cross", "heads": [1], "gate": 2}]}),
        pair("no-residuals", 6, 5, {"blocks": [{"residual": False}]}),
        pair("no-norms", 6, 5, {"blocks": [{"layers": [1], "norm": "none"}]}),
        pair("pre-norms", 6, 5, {"blocks": [{"norm": "pre"}]}, attention_mask=[1, 1, 0, 1, 1, 0]),
        *(pair(f"bare-{sublayer}", 6, 5, {"blocks": [
            {"layers": [1], "sublayers": [sublayer], "residual": False, "norm": "none"}]})
          for sublayer in ("self-attention", "cross-attention", "feed-forward")),
        pair("each-its-own", 5, 6, {"blocks": [
            {"stack": "encoder", "layers": [0, 2], "norm": "pre"},
            {"stack": "encoder", "layers": [2], "sublayers": ["feed-forward"], "norm": "model", "residual": False},
            {"stack": "decoder", "layers": [1], "sublayers": ["cross-attention"], "norm": "none", "residual": False},
            {"stack": "decoder", "layers": [0], "sublayers": ["self-attention", "feed-forward"], "norm": "pre"}]}),
        pair("heads-and-blocks", 6, 5, {
            "heads": [{"stack": "cross", "heads": [0], "pattern": "previous"}],
            "blocks": [{"stack": "decoder", "norm": "pre"}]}),
        text("written-under-patterns", 6, 9, {"heads": [
            {"stack": "decoder", "heads": [0], "pattern": "previous"},
            {"stack": "decoder", "layers": [1], "heads": [2], "pattern": "uniform"},
            {"stack": "cross", "layers": [0], "heads": [1], "pattern": "diagonal"},
            {"stack": "decoder", "layers": [0], "heads": [1], "pattern": draw.pattern(6, 6)}]}),
        text("written-rejoined", 6, 9, {"blocks": [
            {"stack": "decoder", "layers": [1], "norm": "pre"},
            {"stack": "encoder", "layers": [0], "sublayers": ["feed-forward"], "residual": False}]}),
    ]


def alone(stack: str):
    """Models of one stack; `stack` is its name."""

    def cases(draw: Hand, model: PreTrainedModel) -> list[Case]:
        moved = "post" if stack == "decoder" else "pre"

        def text(label: str, length: int, edits: dict, **rest) -> Case:
            return Case(label, draw.ids(length), edits=edits, **rest)

        def grown(label: str, prompt: int, tokens: int, edits: dict) -> Case:
            return written(model, draw, Case(label, [0] * prompt, max_new_tokens=tokens, edits=edits), stops=False)

        found = [
            text("nothing-edited", 5, {}),
            *(text(f"{name}", 6, {"heads": [{"layers": [0, 2], "heads": [1, 2], "pattern": name}]},
                   attention_mask=[1, 1, 0, 1, 1, 1]) for name in ("uniform", "diagonal", "previous")),
            text("drawn", 6, {"heads": [{"stack": stack, "layers": [1], "heads": [0], "pattern": draw.pattern(6, 6)}]}),
            text("drawn-too-small", 7, {"heads": [{"heads": [2], "pattern": "uniform"},
                                                  {"heads": [2], "pattern": draw.pattern(3, 4)}]}),
            text("frozen-masked-and-gated", 6, {
                "masks": [{"layers": [0], "heads": [1], "block": [[0, 0], [3, 3], [4, 2]]}],
                "heads": [{"layers": [0], "heads": [1], "pattern": "diagonal", "gate": -0.5}]}),
            text("no-residuals", 6, {"blocks": [{"residual": False}]}),
            text("no-norms", 6, {"blocks": [{"layers": [1], "norm": "none"}]}),
            text("norms-moved", 6, {"blocks": [{"norm": moved}]}),
            *(text(f"bare-{sublayer}", 6, {"blocks": [
                {"layers": [1], "sublayers": [sublayer], "residual": False, "norm": "none"}]})
              for sublayer in ("self-attention", "feed-forward")),
            text("each-its-own", 7, {
                "heads": [{"layers": [1], "heads": [0], "pattern": "previous"}],
                "blocks": [{"layers": [0, 1], "norm": moved}, {"layers": [1], "residual": False},
                           {"layers": [0], "sublayers": ["feed-forward"], "norm": "model"}]}),
        ]
        if stack == "encoder":
            return found
        return found + [
            grown("written-under-patterns", 5, 9, {"heads": [
                {"layers": [0], "heads": [0], "pattern": "previous"}, {"layers": [1], "heads": [1], "pattern": "uniform"},
                {"layers": [2], "heads": [2], "pattern": draw.pattern(8, 8)}]}),
            grown("written-rejoined", 5, 9, {"blocks": [
                {"layers": [1], "norm": moved}, {"layers": [2], "sublayers": ["feed-forward"], "residual": False}]}),
        ]

    return cases


CASES_OF = {"marian": marian, "bert": alone("encoder"), "gpt2": alone("decoder"), "llama": alone("decoder")}


def write() -> dict:
    def cases_of(name: str, model: PreTrainedModel) -> list[Case]:
        return CASES_OF[model.config.model_type](Hand(name, model), model)

    return {"heads_f32_error": write_cases("heads", NAMES, cases_of)}
