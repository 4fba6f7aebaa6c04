"""Describes a bundled model from held-out text: writes `headscope.json` beside its weights.

The role scores of every head (roles.py), its typical sentences (typical.py), how long the longest
text of training was, the unigram counts of the training text, and the held-out sentences
themselves, on which importance and pruning are measured.

    python describe.py --data fra-eng.zip --model ../../models/en-fr
"""

import numpy as np
import torch
import transformers

import held_out
import typical
from bundled import Bundled, Ids, command_line
from corpus import paraphrases
from roles import ROLES, Tallies, Text
from train_tiny_gpt import LINE_TOKENS

NOTE = (
    "drawn from the test split, which the model did not see in training; the scores are taken on "
    "these sentences, induction on repeated random tokens"
)


def unigrams(bundled: Bundled, split: held_out.Split) -> np.ndarray:
    """How often each id occurs in the training text; a translator reads both sides of every
    pair."""
    texts = (
        [side for pair in split.train for side in pair]
        if bundled.kind == "marian"
        else split.english
    )
    counts = np.zeros(bundled.vocabulary, dtype=np.int64)
    for encoding in bundled.tokenizer.encode_batch_fast(texts):
        np.add.at(counts, encoding.ids, 1)
    return counts


def longest(bundled: Bundled, split: held_out.Split) -> dict[str, int]:
    """The most tokens that training ever saw in one text, on each side."""

    def most(texts: list) -> int:
        return max(len(encoding.ids) for encoding in bundled.tokenizer.encode_batch_fast(texts))

    if bundled.kind == "marian":
        sources, targets = zip(*split.train)
        return {"source": most(list(sources)), "target": most(list(targets))}
    # The writer's sentences were packed into lines; the reader also saw pairs of them.
    return {
        "source": LINE_TOKENS
        if bundled.kind == "gpt2"
        else max(most(split.english), most(paraphrases(split.train)))
    }


def role_scores(
    bundled: Bundled, counts: np.ndarray, sentences: list[Ids], repeated: list[Ids]
) -> dict[str, list]:
    """Stack -> [layer][head] -> role -> score."""
    tallies: dict[str, Tallies] = {}
    sentence_roles = tuple(role for role in ROLES if role != "induction")
    for texts, roles in ((sentences, sentence_roles), (repeated, ("induction",))):
        for ids in texts:
            for stack, weights in bundled.attentions(ids).items():
                kind, queries, keys = bundled.sides(stack, ids)
                text = Text(
                    kind, np.array(queries), np.array(keys), frozenset(bundled.special_ids), counts
                )
                tallies.setdefault(stack, Tallies()).add(weights, text, roles)
    return {stack: tally.scores() for stack, tally in tallies.items()}


def main() -> None:
    options = command_line(__doc__)
    torch.set_num_threads(1)
    transformers.logging.disable_progress_bar()
    split, bundled = held_out.read(options.data), Bundled(options.model)
    counts, sentences = unigrams(bundled, split), held_out.described(split.test)
    translates = bundled.kind == "marian"
    notes = {
        "version": 1,
        "heldOut": {"sentences": len(sentences), "seed": held_out.SEED, "note": NOTE},
        "longest": longest(bundled, split),
        "roles": role_scores(
            bundled,
            counts,
            [bundled.read(text) for text in sentences],
            bundled.repeated_sequences(),
        ),
        "unigrams": counts.tolist(),
        "sentences": [
            {"text": text} | ({"targets": split.test[text]} if translates else {})
            for text in sentences
        ],
    }
    typical.write(
        options.model / "headscope.json", notes | {"typical": typical.typical(bundled, notes)}
    )


if __name__ == "__main__":
    main()
