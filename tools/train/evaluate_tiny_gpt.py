"""Measures the decoder-only model on held-out English sentences and on repeated random tokens.

Perplexity: each sentence by itself behind the end-of-text token, over its own tokens (the
end-of-text token after it is not asked for); per token, and per word, where words are
what spaces part. On repeated random tokens (Olsson et al. 2022) the previous-token and the
induction score of every head (roles.py), and how often the model's first guess is right in
the first and in the second of two equal stretches.

    python evaluate_tiny_gpt.py --data fra-eng.zip --model ../../models/tiny-gpt
"""

import math
from collections import defaultdict

import numpy as np
import torch
from torch.nn import functional

import held_out
from bundled import Bundled, command_line, write_evaluation
from roles import Tallies, Text

BATCH = 100
HEAD_ROLES = ("previous", "induction")


def of_equal_length(texts: list[list[int]]) -> list[list[list[int]]]:
    """Batches that need no padding."""
    by_length = defaultdict(list)
    for ids in texts:
        by_length[len(ids)].append(ids)
    return [
        same[i : i + BATCH]
        for _, same in sorted(by_length.items())
        for i in range(0, len(same), BATCH)
    ]


@torch.no_grad()
def surprise(bundled: Bundled, texts: list[list[int]]) -> tuple[float, int]:
    """Sum of -ln p over all tokens but the first of each text, and how many these are."""
    total, count = 0.0, 0
    for batch in of_equal_length(texts):
        ids = torch.tensor(batch)
        logits = bundled.model(input_ids=ids, use_cache=False).logits[:, :-1]
        wanted = ids[:, 1:]
        total += functional.cross_entropy(
            logits.flatten(0, 1).double(), wanted.flatten(), reduction="sum"
        ).item()
        count += wanted.numel()
    return total, count


@torch.no_grad()
def repetition(bundled: Bundled) -> dict:
    """What the heads and the guesses are like on repeated random tokens."""
    tally, right = Tallies(), []
    for text in bundled.repeated_sequences():
        ((stack, weights),) = bundled.attentions(text).items()
        kind, queries, keys = bundled.sides(stack, text)
        # Neither score asks how frequent a token is.
        counts = np.zeros(bundled.vocabulary)
        given = Text(
            kind, np.array(queries), np.array(keys), frozenset(bundled.special_ids), counts
        )
        tally.add(weights, given, HEAD_ROLES)
        guesses = (
            bundled.model(input_ids=torch.tensor([text.ids]), use_cache=False)
            .logits[0, :-1]
            .argmax(dim=-1)
        )
        right.append((guesses == torch.tensor(text.ids[1:])).float())
    share = torch.stack(right).mean(dim=0)
    half = held_out.REPEATED_TOKENS
    return {
        "sequences": held_out.REPEATED_SEQUENCES,
        "tokens": half,
        "right_in_first": round(share[:half].mean().item(), 4),
        # The first token of the second stretch cannot be known yet.
        "right_in_second": round(share[half + 1 :].mean().item(), 4),
        "heads": tally.scores(HEAD_ROLES),
    }


def main() -> None:
    options = command_line(__doc__)
    torch.set_num_threads(1)
    sentences, bundled = list(held_out.read(options.data).test), Bundled(options.model)
    total, tokens = surprise(
        bundled, [encoding.ids for encoding in bundled.tokenizer.encode_batch(sentences)]
    )
    words = sum(len(sentence.split()) for sentence in sentences)
    result = {
        "sentences": len(sentences),
        "tokens": tokens,
        "words": words,
        "loss_per_token": round(total / tokens, 4),
        "perplexity_per_token": round(math.exp(total / tokens), 2),
        "perplexity_per_word": round(math.exp(total / words), 2),
        "repeated_random_tokens": repetition(bundled),
    }
    write_evaluation(options.model, result)


if __name__ == "__main__":
    main()
