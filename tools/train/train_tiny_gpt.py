"""Trains the small decoder-only model (GPT-2 architecture, Radford et al. 2019).

English training sentences, each behind an end-of-text token, are packed into lines of
256 tokens. Two lines in five are repetitions instead: one, two, four or eight stretches,
24 to 96 tokens together, follow each other in random order until the line is full; in
half of these lines the stretches are text, in half random tokens. Random tokens that
can only be guessed are left out of the loss. Everyday sentences hardly ever repeat a
longer phrase; the repetitions make it worth the model's while to form induction heads
(Olsson et al. 2022).

    python train_tiny_gpt.py --data fra-eng.zip --work work/tiny-gpt
"""

import random

import torch
from tokenizers import Tokenizer
from transformers import GPT2Config, GPT2LMHeadModel

import build_tokenizer
from corpus import english, read_pairs, split
from cross_entropy import linear_cross_entropy
from positions import start_as_sinusoids
from training import SEED, Task, arguments, train

D_MODEL = 128
LINE_TOKENS = 256
LINES_PER_BATCH = 16
STEPS = 1800
REPETITION_SHARE = 0.4
# How many stretches a line repeats, and how long they are together.
STRETCHES = (1, 2, 4, 8)
SHORTEST, LONGEST = 24, 96
END_ID = 0
IGNORED = -100


def configuration(vocabulary: int) -> GPT2Config:
    return GPT2Config(
        vocab_size=vocabulary,
        n_positions=LINE_TOKENS,
        n_embd=D_MODEL,
        n_layer=4,
        n_head=4,
        resid_pdrop=0.1,
        embd_pdrop=0.1,
        attn_pdrop=0.0,
        activation_function="gelu_pytorch_tanh",
        # GPT-2's 0.02 suits a width of 768; here it would leave all attention uniform for a long
        # time.
        initializer_range=D_MODEL**-0.5,
        bos_token_id=END_ID,
        eos_token_id=END_ID,
        attn_implementation="sdpa",
    )


def packed(sentences: list[list[int]]) -> list[list[int]]:
    """Whole lines only; each sentence comes with its end-of-text token in front."""
    stream = [token for sentence in sentences for token in sentence]
    return [
        stream[i : i + LINE_TOKENS] for i in range(0, len(stream) - LINE_TOKENS + 1, LINE_TOKENS)
    ]


def repetition(line: list[int], vocabulary: int, rng: random.Random) -> tuple[list[int], list[int]]:
    """A line made of a few stretches in random order, over and over, and its labels."""
    n_stretches = rng.choice(STRETCHES)
    drawn = rng.random() < 0.5
    stretches = []
    for _ in range(n_stretches):
        length = rng.randint(SHORTEST // n_stretches, LONGEST // n_stretches)
        first = rng.randrange(LINE_TOKENS - length)
        stretches.append(
            [rng.randrange(1, vocabulary) for _ in range(length)]
            if drawn
            else line[first : first + length]
        )
    tokens, labels, seen = [END_ID], [IGNORED], set()
    while len(tokens) < LINE_TOKENS:
        k = rng.randrange(n_stretches)
        tokens += stretches[k]
        foreseeable = n_stretches == 1 and k in seen
        if not drawn:
            labels += stretches[k]
        elif k in seen:
            labels += [stretches[k][0] if foreseeable else IGNORED, *stretches[k][1:]]
        else:
            labels += [IGNORED] * len(stretches[k])
        seen.add(k)
    return tokens[:LINE_TOKENS], labels[:LINE_TOKENS]


class TinyGpt(Task):
    muon_rate = 8e-3
    adam_rate = 4e-3

    def __init__(
        self, tokenizer: Tokenizer, train_sentences: list[str], validation_sentences: list[str]
    ):
        self.vocabulary = tokenizer.get_vocab_size()
        self.sentences = [e.ids for e in tokenizer.encode_batch(train_sentences)]
        self.validation = packed([e.ids for e in tokenizer.encode_batch(validation_sentences)])
        torch.manual_seed(SEED)
        self.model = GPT2LMHeadModel(configuration(self.vocabulary))
        # Of the usual waves (base 10,000) most are too long to tell neighbours apart in 256 tokens.
        start_as_sinusoids(self.model.transformer.wpe.weight, base=100.0, loudness=2.0)
        self.batches_per_epoch = len(packed(self.sentences)) // LINES_PER_BATCH
        self.epoch, self.lines = -1, []

    def loss(self, step: int) -> torch.Tensor:
        epoch, batch = divmod(step, self.batches_per_epoch)
        if epoch != self.epoch:
            order = list(self.sentences)
            random.Random(SEED * 1000 + epoch).shuffle(order)
            self.epoch, self.lines = epoch, packed(order)
        rng = random.Random(SEED * 1_000_000 + step)
        tokens, labels = [], []
        for line in self.lines[batch * LINES_PER_BATCH : (batch + 1) * LINES_PER_BATCH]:
            repeats = rng.random() < REPETITION_SHARE
            inputs, wanted = repetition(line, self.vocabulary, rng) if repeats else (line, line)
            tokens.append(inputs)
            labels.append(wanted)
        return self.cross_entropy(torch.tensor(tokens), torch.tensor(labels))

    def validation_loss(self) -> float:
        lines = torch.tensor(self.validation)
        return self.cross_entropy(lines, lines).item()

    def cross_entropy(self, tokens: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        hidden = self.model.transformer(input_ids=tokens, use_cache=False).last_hidden_state[:, :-1]
        asked = labels[:, 1:] != IGNORED
        return linear_cross_entropy(hidden[asked], self.model.lm_head.weight, labels[:, 1:][asked])


def main() -> None:
    options = arguments(__doc__, STEPS).parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    training_pairs, validation, _ = split(read_pairs(options.data))
    sentences = english(training_pairs)
    tokenizer = build_tokenizer.kept(
        options.work / "tokenizer.json", build_tokenizer.gpt, sentences
    )
    train(TinyGpt(tokenizer, sentences, list(validation)), options)


if __name__ == "__main__":
    main()
