"""Trains the English-French translator (Marian architecture, Vaswani et al. 2017).

python train_en_fr.py --data fra-eng.zip --work work/en-fr
"""

import torch
from tokenizers import Tokenizer
from transformers import MarianConfig, MarianMTModel

import build_tokenizer
from batches import Batches, padded
from corpus import read_pairs, split
from cross_entropy import linear_cross_entropy
from training import SEED, Task, arguments, train

D_MODEL = 192
HEADS = 8
STEPS = 4200
LABEL_SMOOTHING = 0.1
VALIDATION_BATCH = 100
PAD_ID, EOS_ID = 0, 1

Example = tuple[list[int], list[int]]


def configuration(vocabulary: int, heads: int = HEADS) -> MarianConfig:
    return MarianConfig(
        vocab_size=vocabulary,
        d_model=D_MODEL,
        encoder_layers=3,
        decoder_layers=3,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=4 * D_MODEL,
        decoder_ffn_dim=4 * D_MODEL,
        activation_function="relu",
        dropout=0.1,
        attention_dropout=0.0,
        activation_dropout=0.0,
        max_position_embeddings=256,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        init_std=D_MODEL**-0.5 / 2,
        pad_token_id=PAD_ID,
        eos_token_id=EOS_ID,
        bos_token_id=None,
        decoder_start_token_id=PAD_ID,
        forced_eos_token_id=None,
        # Sentences of ten tokens: faster than the kernels made for long ones.
        attn_implementation="eager",
    )


class Translation(Task):
    def __init__(
        self,
        tokenizer: Tokenizer,
        pairs: list[tuple[str, str]],
        validation: list[tuple[str, str]],
        heads: int,
    ):
        self.examples, self.validation = (encoded(tokenizer, part) for part in (pairs, validation))
        torch.manual_seed(SEED)
        self.model = MarianMTModel(configuration(tokenizer.get_vocab_size(), heads))
        # By target, then source: both sides of a batch are of like length.
        self.batches = Batches([(len(target), len(source)) for source, target in self.examples])

    def loss(self, step: int) -> torch.Tensor:
        chosen = self.batches.of_step(step)
        return self.cross_entropy([self.examples[i] for i in chosen], LABEL_SMOOTHING)

    def validation_loss(self) -> float:
        parts = [
            self.validation[i : i + VALIDATION_BATCH]
            for i in range(0, len(self.validation), VALIDATION_BATCH)
        ]
        return sum(self.cross_entropy(part, 0.0).item() for part in parts) / len(parts)

    def cross_entropy(self, examples: list[Example], smoothing: float) -> torch.Tensor:
        source, source_mask = padded([source for source, _ in examples], PAD_ID)
        target, target_mask = padded([target for _, target in examples], PAD_ID)
        read = torch.cat([torch.full((len(target), 1), PAD_ID), target[:, :-1]], dim=1)
        hidden = self.model.model(
            input_ids=source, attention_mask=source_mask, decoder_input_ids=read, use_cache=False
        ).last_hidden_state
        asked = target_mask.bool()
        # Marian's output bias is a buffer of zeros.
        return linear_cross_entropy(
            hidden[asked], self.model.lm_head.weight, target[asked], smoothing
        )


def encoded(tokenizer: Tokenizer, pairs: list[tuple[str, str]]) -> list[Example]:
    sources = tokenizer.encode_batch([source for source, _ in pairs])
    targets = tokenizer.encode_batch([target for _, target in pairs])
    return [(source.ids, target.ids) for source, target in zip(sources, targets)]


def main() -> None:
    parser = arguments(__doc__, STEPS)
    parser.add_argument(
        "--heads", type=int, default=HEADS, help=f"heads of every attention (default {HEADS})"
    )
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    training_pairs, validation, _ = split(read_pairs(options.data))
    texts = [text for pair in training_pairs for text in pair]
    tokenizer = build_tokenizer.kept(
        options.work / "tokenizer.json", build_tokenizer.translator, texts
    )
    first_references = [(source, targets[0]) for source, targets in validation.items()]
    train(Translation(tokenizer, training_pairs, first_references, options.heads), options)


if __name__ == "__main__":
    main()
