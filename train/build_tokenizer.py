"""Trains the shared subword vocabulary: BPE over Metaspace words, punctuation apart."""

import argparse
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from corpus import read_pairs, split

PAD, EOS, UNK = "<pad>", "</s>", "<unk>"
VOCABULARY = 6000


def build(sentences: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token=UNK, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Punctuation()]
    )
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=[PAD, EOS, UNK], min_frequency=2, show_progress=False
    )
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {EOS}", pair=f"$A {EOS} $B {EOS}", special_tokens=[(EOS, 1)]
    )
    return tokenizer


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="path of fra-eng.zip")
    arguments.add_argument("--out", type=Path, required=True, help="folder for tokenizer.json")
    options = arguments.parse_args()
    train, _, _ = split(read_pairs(options.data))
    options.out.mkdir(parents=True, exist_ok=True)
    build([text for pair in train for text in pair]).save(str(options.out / "tokenizer.json"))
