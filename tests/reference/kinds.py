"""Kinds of attention, scales, temperatures and dropout on the tiny models. Ids come by seed."""

from transformers import PreTrainedModel

from cases import Draw, written
from edited_cases import write_cases
from run_model import Case

NAMES = ("marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny")

SCORES = {
    "dot": {"scale": "none"},
    "scaled-by-a-number": {"scale": 0.7},
    "cosine": {"kind": "cosine", "scale": 6},
    "additive": {"kind": "additive", "parameters": {"seed": 4}},
    "additive-wide": {"kind": "additive", "parameters": {"width": 11, "seed": 5}, "temperature": 0.25},
    "hot": {"temperature": 3},
    "cold": {"temperature": 0.3},
    "dropped": {"dropout": {"rate": 0.4, "seed": 8}},
    "dropped-cosine": {"kind": "cosine", "temperature": 0.2, "dropout": {"rate": 0.25, "seed": 2}},
}
# Any stack can have these.
CHEAP = {
    "sliding": {"kind": "sliding", "parameters": {"width": 1}},
    "sliding-dropped": {"kind": "sliding", "temperature": 0.5, "dropout": {"rate": 0.3, "seed": 3}},
    "blocks": {"kind": "blocks", "parameters": {"size": 2, "neighbours": 1}},
    "blocks-alone": {"kind": "blocks", "parameters": {"size": 3, "neighbours": 0}},
    "linear": {"kind": "linear"},
    "performer": {"kind": "performer", "parameters": {"features": 24, "seed": 6}},
    "performer-hot": {"kind": "performer", "parameters": {"features": 5, "seed": 7}, "scale": "none", "temperature": 4},
    "chunked": {"kind": "chunked", "parameters": {"size": 2}},
    "chunked-cold": {"kind": "chunked", "parameters": {"size": 3}, "temperature": 0.5},
}
# These see all tokens at once.
WHOLE = {
    "low-rank": {"kind": "low-rank", "parameters": {"rank": 2}},
    "low-rank-none": {"kind": "low-rank", "parameters": {"rank": 0}},
    "linformer": {"kind": "linformer", "parameters": {"keys": 2}},
    "linformer-of-many": {"kind": "linformer", "parameters": {"keys": 9}, "temperature": 0.5},
}


def marian(draw: Draw, model: PreTrainedModel) -> list[Case]:
    start = model.config.decoder_start_token_id

    def pair(label: str, source: int, target: int, edits: dict, **rest) -> Case:
        return Case(label, draw.ids(source), target_ids=[start, *draw.ids(target - 1)], edits=edits, **rest)

    holes = [1, 0, 1, 1, 0, 1, 1]
    return [
        pair("nothing-edited", 5, 4, {}),
        *(pair(f"{name}-everywhere", 7, 5, {"attention": [edit]}, attention_mask=holes)
          for name, edit in (SCORES | CHEAP).items()),
        *(pair(f"{name}-in-the-encoder", 7, 4, {"attention": [{"stack": "encoder", **edit}]}, attention_mask=holes)
          for name, edit in WHOLE.items()),
        pair("linformer-across", 9, 5, {"attention": [{"stack": "cross", **WHOLE["linformer"]}]}),
        pair("few-keys", 3, 9, {"attention": [{"stack": "cross", **CHEAP["sliding"]},
                                              {"stack": "decoder", **CHEAP["blocks"]}]}),
        pair("with-all-other-edits", 6, 5, {
            "attention": [{"layers": [0], **CHEAP["linear"]}, {"layers": [1], "heads": [0, 1], **CHEAP["blocks"]}],
            "masks": [{"stack": "encoder", "layers": [0], "block": [[0, 0], [2, 2], [3, 1]]},
                      {"stack": "decoder", "preset": {"kind": "none"}, "mode": "replace"},
                      {"stack": "cross", "heads": [1], "block": [[1, key] for key in range(6)]}],
            "heads": [{"layers": [0], "heads": [1], "pattern": "diagonal", "gate": 0.5}],
            "blocks": [{"stack": "decoder", "norm": "pre"}]}),
        pair("large-fill", 7, 5, {
            "attention": [{"layers": [0], **CHEAP["sliding"]}, {"layers": [1], **CHEAP["chunked"]},
                          {"layers": [2], "stack": "encoder", **CHEAP["performer"]}],
            "masks": [{"fill": "-1e9"}, {"stack": "encoder", "block": [[1, key] for key in range(7)]}]}),
        written(model, draw, Case("written-under-kinds", [0] * 6, max_new_tokens=9, edits={"attention": [
            {"stack": "decoder", "layers": [0], "heads": [0], **CHEAP["linear"]},
            {"stack": "decoder", "layers": [1], "heads": [1], **CHEAP["performer"]},
            {"stack": "decoder", "heads": [2], **CHEAP["chunked"]},
            {"stack": "cross", "layers": [0], **CHEAP["sliding-dropped"]},
            {"stack": "cross", "layers": [1], "heads": [0], **WHOLE["linformer"]},
            {"stack": "encoder", "layers": [1], **WHOLE["low-rank"]}]}), stops=False),
    ]


def calmed(edits: dict[str, dict], least: float) -> dict[str, dict]:
    """No temperature below this one."""
    return {name: edit | ({"temperature": max(edit["temperature"], least)} if "temperature" in edit else {})
            for name, edit in edits.items()}


def alone(stack: str, coldest: float = 0):
    """Models of one stack; `stack` is its name. A head that is colder would say how f32 rounds and nothing else."""
    scores, cheap = calmed(SCORES, coldest), calmed(CHEAP, coldest)

    def cases(draw: Draw, model: PreTrainedModel) -> list[Case]:
        there = scores | cheap | (WHOLE if stack == "encoder" else {})
        found = [
            Case("nothing-edited", draw.ids(5), edits={}),
            *(Case(name, draw.ids(7), attention_mask=[1, 1, 0, 1, 1, 1, 1], edits={"attention": [edit]})
              for name, edit in there.items()),
            Case("each-its-own", draw.ids(8), edits={
                "attention": [{"layers": [at % 3], "heads": [at % 4 % 3], **edit}
                              for at, edit in enumerate((scores | cheap).values())
                              if edit.get("kind") != "linear" and "dropout" not in edit],
                "masks": [{"layers": [1], "block": [[0, 0], [5, 2]]}],
                "heads": [{"layers": [2], "heads": [1], "pattern": [[1, 2, 0], [0, 1, 1]]}]}),
        ]
        if stack == "decoder":
            found.append(written(model, draw, Case("written-under-kinds", [0] * 5, max_new_tokens=9, edits={"attention": [
                {"layers": [0], "heads": [0], **CHEAP["linear"]}, {"layers": [1], "heads": [1], **CHEAP["performer"]},
                {"layers": [2], **CHEAP["blocks"]}, {"layers": [0], "heads": [2], **SCORES["dropped"]},
                {"layers": [1], "heads": [2], **CHEAP["chunked"]}]}), stops=False))
        return found

    return cases


# The scores of the random Llama are large: at 0.3 PyTorch's own f32 is 1.6e-5 from f64, and so is every order of sums.
# So temperatures below 0.7 are not tried on it.
CASES_OF = {"marian": marian, "bert": alone("encoder"), "gpt2": alone("decoder"), "llama": alone("decoder", 0.7)}


def write() -> dict:
    def cases_of(name: str, model: PreTrainedModel) -> list[Case]:
        return CASES_OF[model.config.model_type](Draw(f"{name} kinds", model), model)

    return {"kinds_f32_error": write_cases("kinds", NAMES, cases_of)}
