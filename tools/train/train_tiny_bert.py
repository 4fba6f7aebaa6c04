"""Trains the small encoder (BERT architecture, Devlin et al. 2019) to fill in masked tokens.

A text is one English training sentence, or two that have a French translation in
common, with [SEP] between them: what is hidden in one can often be found in the other.
Of the ordinary tokens 15 % are chosen (at least one); of these 80 % become [MASK], 10 %
a random token, 10 % stay (section 3.1). Next-sentence prediction is left out.

    python train_tiny_bert.py --data fra-eng.zip --work work/tiny-bert
"""

import random

import torch
from tokenizers import Encoding, Tokenizer
from torch.nn import functional
from transformers import BertConfig, BertForMaskedLM

import build_tokenizer
from batches import Batches, padded
from corpus import english, paraphrases, read_pairs, split
from positions import start_as_sinusoids
from training import SEED, Task, arguments, train

D_MODEL = 128
STEPS = 2400
CHOSEN_SHARE, MASKED_SHARE, RANDOM_SHARE = 0.15, 0.8, 0.1
PAD_ID, MASK_ID, FIRST_ORDINARY_ID = 0, 4, 5
MOST_TOKENS = 128
VALIDATION_SEED = 7
# Few sentences have a paraphrase: each pair is there several times, hidden differently every time.
PARAPHRASE_COPIES = 3


def configuration(vocabulary: int) -> BertConfig:
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=D_MODEL,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=4 * D_MODEL,
        max_position_embeddings=MOST_TOKENS,
        type_vocab_size=2,
        hidden_dropout_prob=0.1,
        attention_probs_dropout_prob=0.0,
        pad_token_id=PAD_ID,
        # BERT's 0.02 suits a width of 768; here it would leave all attention uniform for a long
        # time.
        initializer_range=D_MODEL**-0.5,
        attn_implementation="eager",
    )


def masked(ids: list[int], vocabulary: int, rng: random.Random) -> tuple[list[int], list[int]]:
    """The text as the model reads it, and the positions that it is asked for."""
    ordinary = [i for i, token in enumerate(ids) if token >= FIRST_ORDINARY_ID]
    chosen = sorted(rng.sample(ordinary, max(1, round(CHOSEN_SHARE * len(ordinary)))))
    read = list(ids)
    for i in chosen:
        draw = rng.random()
        if draw < MASKED_SHARE:
            read[i] = MASK_ID
        elif draw < MASKED_SHARE + RANDOM_SHARE:
            read[i] = rng.randrange(FIRST_ORDINARY_ID, vocabulary)
    return read, chosen


def readable(encodings: list[Encoding]) -> list[Encoding]:
    """Those that fit the model and have something to hide."""
    return [e for e in encodings if len(e.ids) <= MOST_TOKENS and max(e.ids) >= FIRST_ORDINARY_ID]


class TinyBert(Task):
    muon_rate = 6e-3
    adam_rate = 3e-3
    average_decay = 0.998

    def __init__(
        self, tokenizer: Tokenizer, texts: list[str | tuple[str, str]], validation: list[str]
    ):
        self.vocabulary = tokenizer.get_vocab_size()
        self.texts = readable(tokenizer.encode_batch(texts))
        self.validation = readable(tokenizer.encode_batch(validation))
        torch.manual_seed(SEED)
        self.model = BertForMaskedLM(configuration(self.vocabulary))
        start_as_sinusoids(
            self.model.bert.embeddings.position_embeddings.weight, base=10_000.0, loudness=1.0
        )
        self.batches = Batches([(len(text.ids),) for text in self.texts])

    def loss(self, step: int) -> torch.Tensor:
        chosen = self.batches.of_step(step)
        return self.cross_entropy(
            [self.texts[i] for i in chosen], random.Random(SEED * 1_000_000 + step)
        )

    def validation_loss(self) -> float:
        return self.cross_entropy(self.validation, random.Random(VALIDATION_SEED)).item()

    def cross_entropy(self, texts: list[Encoding], rng: random.Random) -> torch.Tensor:
        read, rows, columns, wanted = [], [], [], []
        for row, text in enumerate(texts):
            ids, chosen = masked(text.ids, self.vocabulary, rng)
            read.append(ids)
            rows += [row] * len(chosen)
            columns += chosen
            wanted += [text.ids[i] for i in chosen]
        ids, mask = padded(read, PAD_ID)
        types, _ = padded([text.type_ids for text in texts], 0)
        hidden = self.model.bert(
            input_ids=ids, attention_mask=mask, token_type_ids=types
        ).last_hidden_state
        # The output head only where it is asked: its 4,000 columns are most of the work.
        logits = self.model.cls(hidden[rows, columns])
        return functional.cross_entropy(logits, torch.tensor(wanted))


def main() -> None:
    options = arguments(__doc__, STEPS).parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    training_pairs, validation, _ = split(read_pairs(options.data))
    sentences = english(training_pairs)
    texts = sentences + PARAPHRASE_COPIES * paraphrases(training_pairs)
    tokenizer = build_tokenizer.kept(
        options.work / "tokenizer.json", build_tokenizer.bert, sentences
    )
    train(TinyBert(tokenizer, texts, list(validation)), options)


if __name__ == "__main__":
    main()
