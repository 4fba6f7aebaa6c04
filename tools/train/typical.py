"""Typical sentences of heads: the held-out sentences on which a head plays its role most, and those
on which it deviates.

A head's role is the most specific one whose threshold its scores in `headscope.json` reach
(docs/roles.md); a sentence's score is that role's score on this sentence alone. Sentences without
an eligible query are left out. Of equal scores the earlier sentence comes first.

    python typical.py --model ../../models/en-fr

adds them to the `headscope.json` of a finished model; describe.py does the same when it writes that
file.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
import transformers

from bundled import Bundled
from roles import Tallies, Text

AT_EACH_END = 10
# The most specific role first, each with the score from which a head wears it.
THRESHOLDS = {
    "induction": 0.5,
    "duplicate": 0.5,
    "aligned": 0.5,
    "previous": 0.5,
    "next": 0.5,
    "self": 0.5,
    "separator": 0.5,
    "first": 0.5,
    "rare": 0.5,
    "near": 0.5,
    "positional": 0.9,
    "broad": 0.8,
}

# Stack -> [sentence] -> [layer][head] -> role -> score.
Scores = dict[str, list[list[list[dict[str, float | None]]]]]


def assigned(scores: dict[str, float | None]) -> str | None:
    return next(
        (role for role, threshold in THRESHOLDS.items() if (scores[role] or 0) >= threshold), None
    )


def ends(scores: list[float | None]) -> dict[str, list[list[float]]]:
    """The sentences with the largest and with the smallest scores, by index; none is at both
    ends."""
    known = [(index, score) for index, score in enumerate(scores) if score is not None]
    most = sorted(known, key=lambda one: -one[1])[:AT_EACH_END]
    least = [one for one in sorted(known, key=lambda one: one[1])[:AT_EACH_END] if one not in most]
    return {"most": [list(one) for one in most], "least": [list(one) for one in least]}


def of_sentences(bundled: Bundled, counts: np.ndarray, sentences: list[str]) -> Scores:
    found: Scores = {}
    for sentence in sentences:
        ids = bundled.read(sentence)
        for stack, weights in bundled.attentions(ids).items():
            kind, queries, keys = bundled.sides(stack, ids)
            tallies = Tallies()
            tallies.add(
                weights,
                Text(
                    kind, np.array(queries), np.array(keys), frozenset(bundled.special_ids), counts
                ),
            )
            found.setdefault(stack, []).append(tallies.scores())
    return found


def typical(bundled: Bundled, notes: dict) -> dict[str, list]:
    """Stack -> [layer][head] -> the role and its sentences; null for a head without a role."""
    sentences = [sentence["text"] for sentence in notes["sentences"]]
    scores = of_sentences(bundled, np.array(notes["unigrams"]), sentences)
    return {
        stack: [
            [
                (role := assigned(head))
                and {"role": role, **ends([one[layer][at][role] for one in scores[stack]])}
                for at, head in enumerate(heads)
            ]
            for layer, heads in enumerate(layers)
        ]
        for stack, layers in notes["roles"].items()
    }


def write(path: Path, notes: dict) -> None:
    path.write_text(
        json.dumps(notes, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    print(f"{path}: {path.stat().st_size} bytes")


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--model", type=Path, required=True, help="folder of the bundled model")
    folder = arguments.parse_args().model
    torch.set_num_threads(1)
    transformers.logging.disable_progress_bar()
    path = folder / "headscope.json"
    notes = json.loads(path.read_text(encoding="utf-8"))
    notes["typical"] = typical(Bundled(folder), notes)
    write(path, notes)


if __name__ == "__main__":
    main()
