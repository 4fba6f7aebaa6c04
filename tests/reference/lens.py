"""What each depth of a model predicts (the logit lens), and what adds up to a logit. A depth is
read by Hugging Face's own code: of a copy of the model whose blocks above the depth are taken away,
so that the final norm and the head read what the last of the others leaves. Models and texts are
those of the topics `models`, `families` and `settings`, which these read."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import transformers
from safetensors.numpy import save_file as save_numbers
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import PreTrainedModel

import families
import tiny_models
from drawn import drawn
from run_model import Case, inputs_of
from vectors import HERE, save_json, save_tensors

MODELS = {
    "bert-tiny": "seven-tokens",
    "gpt2-tiny": "seven-tokens",
    "llama-tiny": "padded-right",
    "marian-tiny": "seven-to-two",
}
FAMILIES = [
    "electra",
    "modernbert",
    "mpnet",
    "gpt_neox",
    "opt",
    "gemma2",
    "gemma3_text",
    "olmo2",
    "mbart",
    "t5",
    "flan-t5",
    "vit",
    "deit",
]
SETTINGS = ["opt-projected", "opt-post-norm", "stablelm-parallel", "roberta-decoder"]
BEST = 4


def described(topic: str) -> dict:
    return json.loads((HERE / f"{topic}.json").read_text(encoding="utf-8"))


def models(names: list[str] = FAMILIES):
    """Each model by its name, with its case: the tiny ones, these families, and some settings."""
    cases = described("models")
    for name, label in MODELS.items():
        case = next(case for case in cases[name] if case["name"] == label)
        yield name, tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name), case
    autos = {
        name: auto
        for auto, names in (
            (families.Masked, families.MASKED),
            (families.Causal, families.CAUSAL),
            (families.Seq2Seq, families.SEQ2SEQ),
            (families.Classified, families.CLASSIFIED),
        )
        for name in names
    }
    texts, numbers = described("families"), load_file(HERE / "families.safetensors")
    for name in names:
        own = {
            part.removeprefix(f"{name}/weights/"): value
            for part, value in numbers.items()
            if part.startswith(f"{name}/weights/")
        }
        yield (
            name,
            opened(autos[name], texts[name]["config"], lambda path, own=own: save_file(own, path)),
            texts[name]["cases"][0],
        )
    for name, setting in ((name, described("settings")[name]) for name in SETTINGS):
        weights = {part: drawn(part, shape) for part, shape in setting["tensors"].items()}
        model_class = getattr(transformers, setting["config"]["architectures"][0])
        yield (
            name,
            opened(
                model_class, setting["config"], lambda path, own=weights: save_numbers(own, path)
            ),
            setting["case"],
        )


def opened(model_class, config: dict, save) -> PreTrainedModel:
    with TemporaryDirectory() as name:
        folder = Path(name)
        save_json(folder / "config.json", config)
        save(folder / "model.safetensors")
        return tiny_models.load(model_class, folder)


def blocks_of(model: PreTrainedModel) -> tuple[nn.Module, str]:
    """The module that has the list of blocks of the stack that predicts, and the list's name."""
    lists = [
        name.split(".")
        for name, module in model.named_modules()
        if isinstance(module, nn.ModuleList)
    ]
    # A list inside of a block is not one of blocks; the decoder comes last.
    name = ".".join([path for path in lists if not any(part.isdigit() for part in path)][-1])
    owner, _, own = name.rpartition(".")
    return model.get_submodule(owner), own


@torch.no_grad()
def logits_of(model: PreTrainedModel, case: Case) -> Tensor:
    logits = model(**inputs_of(model, case), use_cache=False).logits
    return logits if case.pixels is not None else logits[0]


def lens_of(model: PreTrainedModel, case: Case) -> Tensor:
    """The logits of every depth, `[depth, position, vocabulary]`, in f64."""
    model = model.double()
    owner, name = blocks_of(model)
    blocks = getattr(owner, name)
    depths = []
    for depth in range(len(blocks) + 1):
        setattr(owner, name, blocks[:depth])
        depths.append(logits_of(model, case))
    setattr(owner, name, blocks)
    return torch.stack(depths)


def measured(logits: Tensor) -> dict[str, Tensor]:
    """What the lens says of the logits; the chosen entry of a position is the one after its
    number."""
    logs = logits.log_softmax(-1)
    best = logits.topk(BEST)
    ids = torch.arange(1, logits.shape[1] + 1) % logits.shape[2]
    chosen = logits.gather(2, ids.expand(len(logits), -1).unsqueeze(2))
    return {
        "ids": best.indices,
        "logits": best.values,
        "probabilities": logs.exp().gather(2, best.indices),
        "entropy": -(logs.exp() * logs).sum(-1),
        "divergence": (logs[-1].exp() * (logs[-1] - logs)).sum(-1),
        "chosen": (chosen - logits.logsumexp(-1, keepdim=True)).exp().squeeze(2),
        "ranks": (logits > chosen).sum(-1),
    }


def write() -> None:
    cases, tensors = {}, {}
    for name, model, case in models():
        cases[name] = {key: value for key, value in case.items() if key != "generated"}
        logits = lens_of(model, Case(**case))
        gaps = logits.sort(-1).values.diff(dim=-1)
        print(f"{name}: {list(logits.shape)}, entries at least {gaps.min():.1e} apart", flush=True)
        tensors |= {f"{name}/{part}": value for part, value in measured(logits).items()}
    save_json(HERE / "lens.json", cases)
    save_tensors(HERE / "lens.safetensors", tensors)
