"""The three vocabularies, each from training sentences alone."""

from pathlib import Path

from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

TRANSLATOR_VOCABULARY = 6000
ENGLISH_VOCABULARY = 4000


def translator(sentences: list[str]) -> Tokenizer:
    """BPE over Metaspace words, punctuation apart; both languages share it."""
    pad, end, unknown = "<pad>", "</s>", "<unk>"
    tokenizer = Tokenizer(models.BPE(unk_token=unknown, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Punctuation()]
    )
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=TRANSLATOR_VOCABULARY,
        special_tokens=[pad, end, unknown],
        min_frequency=2,
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {end}", pair=f"$A {end} $B {end}", special_tokens=[(end, 1)]
    )
    return tokenizer


def gpt(sentences: list[str]) -> Tokenizer:
    """GPT-2's byte-level BPE (Radford et al. 2019, section 2.2), with the end-of-text token before
    every text."""
    end = "<|endoftext|>"
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=ENGLISH_VOCABULARY,
        special_tokens=[end],
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{end} $A", pair=f"{end} $A {end} $B", special_tokens=[(end, 0)]
    )
    return tokenizer


def bert(sentences: list[str]) -> Tokenizer:
    """BERT's uncased WordPiece (Devlin et al. 2019, section 3)."""
    pad, unknown, start, separator, mask = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
    tokenizer = Tokenizer(models.WordPiece(unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=ENGLISH_VOCABULARY,
        special_tokens=[pad, unknown, start, separator, mask],
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {separator}",
        pair=f"{start} $A {separator} $B:1 {separator}:1",
        special_tokens=[(start, 2), (separator, 3)],
    )
    return tokenizer


def kept(path: Path, build, sentences: list[str]) -> Tokenizer:
    """The tokenizer of a training run: built once, then read."""
    if not path.exists():
        build(sentences).save(str(path))
    return Tokenizer.from_file(str(path))
