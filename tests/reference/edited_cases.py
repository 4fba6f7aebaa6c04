"""Writes what the tiny models compute in f64 under edits of some topic, and how far they are from it in f32."""

from collections.abc import Callable

from transformers import PreTrainedModel

import tiny_models
from run_model import Case, check_consistent, forward
from vectors import HERE, save_answers, save_cases, save_tensors

# Their answers are so many that each model has a file of its own.
LARGE = ("masks", "placed")
# Tests compare with 1e-5·max(1, max|x|) or a little more; what f32 itself is farther from than this is of no use.
LARGEST_F32_ERROR = (2e-5, 2e-6)


def write_cases(topic: str, names: tuple[str, ...], cases_of: Callable[[str, PreTrainedModel], list[Case]],
                largest: tuple[float, float] = LARGEST_F32_ERROR, reads_last: bool = False) -> dict:
    """The topic's JSON file and its answers; gives how far f32 is from f64.

    `largest` is absolute and relative. `reads_last`: a case reads the last token that it wrote, which decoding does not.
    """
    errors = {}
    for name in names:
        kind, _ = tiny_models.CONFIGS[name]
        model = tiny_models.load(kind, HERE / "models" / name)
        found = cases_of(name, model)
        exact = {case.name: forward(model.double(), case) for case in found}
        model.float()
        tensors, errors[name] = {}, 0.0
        for case in found:
            if not (reads_last and case.max_new_tokens):
                check_consistent(model, case)
            for part, value in forward(model, case).items():
                tensors[f"{case.name}.{part}"] = exact[case.name][part]
                error = (value - exact[case.name][part]).abs().max().item()
                if error > largest[0] + largest[1] * value.abs().max().item():
                    raise RuntimeError(f"{name}: {case.name}.{part}: f32 is {error} from f64; choose calmer edits")
                errors[name] = max(errors[name], error)
        save_cases(topic, name, [case.described() for case in found])
        if topic in LARGE:
            save_tensors(HERE / topic / f"{name}.safetensors", tensors)
        else:
            save_answers(topic, name, tensors)
        print(f"{topic} of {name}: {len(found)} cases, f32 within {errors[name]:.1e} of f64", flush=True)
    return errors
