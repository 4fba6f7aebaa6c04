"""Measures the encoder on held-out English sentences: how often it fills in what is masked.

Every ordinary token is masked exactly once. The tokens of a sentence are put in an order
drawn by seed and parted into groups of 15 % (at least one token); each group is masked at
once, in a copy of the sentence of its own, always by [MASK]. The baseline answers with the
most frequent token of the training text wherever it is asked.

    python evaluate_tiny_bert.py --data fra-eng.zip --model ../../models/tiny-bert
"""

import random
from collections import defaultdict

import torch

import held_out
from bundled import Bundled, command_line, write_evaluation
from describe import unigrams

MASKED_SHARE = 0.15
BEST = 5
BATCH = 100


def copies(
    ids: list[int], special: list[int], mask: int, rng: random.Random
) -> list[tuple[list[int], list[int]]]:
    """The sentence with one group of positions masked, and that group; all groups."""
    ordinary = [at for at, index in enumerate(ids) if index not in special]
    rng.shuffle(ordinary)
    size = max(1, round(MASKED_SHARE * len(ordinary)))
    groups = [ordinary[i : i + size] for i in range(0, len(ordinary), size)]
    return [
        ([mask if at in group else index for at, index in enumerate(ids)], group)
        for group in groups
    ]


@torch.no_grad()
def guesses(bundled: Bundled, sentences: list[list[int]]) -> list[tuple[int, list[int]]]:
    """What stood at each masked position, and the most probable ids there, the best first."""
    mask, rng = bundled.tokenizer.token_to_id("[MASK]"), random.Random(held_out.SEED)
    by_length = defaultdict(list)
    for ids in sentences:
        for masked, group in copies(ids, bundled.special_ids, mask, rng):
            by_length[len(ids)].append((ids, masked, group))
    found = []
    for _, same in sorted(by_length.items()):
        for i in range(0, len(same), BATCH):
            batch = same[i : i + BATCH]
            best = (
                bundled.model(input_ids=torch.tensor([masked for _, masked, _ in batch]))
                .logits.topk(BEST)
                .indices
            )
            found += [
                (ids[at], best[row, at].tolist())
                for row, (ids, _, group) in enumerate(batch)
                for at in group
            ]
    return found


def main() -> None:
    options = command_line(__doc__)
    torch.set_num_threads(1)
    split, bundled = held_out.read(options.data), Bundled(options.model)
    sentences = [encoding.ids for encoding in bundled.tokenizer.encode_batch(list(split.test))]
    counts = unigrams(bundled, split)
    counts[bundled.special_ids] = 0
    most_frequent = int(counts.argmax())
    found = guesses(bundled, sentences)

    def share(right: list[bool]) -> float:
        return round(sum(right) / len(right), 4)

    result = {
        "sentences": len(sentences),
        "masked_tokens": len(found),
        "accuracy": share([wanted == best[0] for wanted, best in found]),
        f"accuracy_top_{BEST}": share([wanted in best for wanted, best in found]),
        "baseline": share([wanted == most_frequent for wanted, _ in found]),
        "baseline_token": bundled.tokenizer.id_to_token(most_frequent),
    }
    write_evaluation(options.model, result)


if __name__ == "__main__":
    main()
