"""Small tokenizers of several kinds, and what the Python library makes of difficult strings."""

import json

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

from vectors import save_cases

LINES = [
    "The animal didn't cross the street because it was too tired.",
    "Attention is all you need, said the model to the sentence.",
    "A head looks at every word; another head looks only one word back.",
    "She sells seashells by the seashore, and he reads 1,024 letters a day.",
    "L'élève a déjà mangé une crêpe à Noël, n'est-ce pas ?",
    "Où est la bibliothèque ? Elle est près de la gare.",
    "Der Fluß fließt schön über die Brücke.",
    "שלום עולם", "مرحبا بالعالم", "你好，世界", "Привет, мир!",
]

TEXTS = [
    "",
    " ",
    "The animal looks at the street.",
    "the ANIMAL",
    "  two  spaces,\ttabs\tand\nlines \r\n",
    "déjà vu, déja\u0300 vu",
    "L’élève n’a pas 3,14 €.",
    "crêpe\u00a0: ½ ﬁn",
    "🙂",
    "a🙂b 👩‍👩‍👧 🇫🇷 👍🏽",
    "שלום עולם",
    "مرحبا، بالعالم!",
    "你好，世界",
    "Привет мир",
    "don't can't I'll we've",
    "hello...world!!! (really?) [yes] {no} #1 @2",
    "x" * 150,
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "seashells " * 8,
    "\u200bzero\u200dwidth\ufeff",
    "a\u0000b",
    "▁literal Ġmarks ##here",
    "</s> <unk> [CLS] [SEP] <|endoftext|>",
    # JavaScript lowercases a final sigma in another way.
    "ΑΣ ΟΔΟΣ, Σ",
    # White space to Unicode, not to JavaScript; then the reverse.
    "next\u0085line\u0085. a\u0085 b",
    "a\ufeffb\ufeff! \ufeff c",
]
PAIRS = [["The street.", "It was tired."], ["word", ""], ["élève", "🙂 世界"]]


def metaspace_bpe() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Punctuation()]
    )
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    # Only European letters are learned, so that the rest is unknown to this one.
    tokenizer.train_from_iterator(LINES[:7], trainers.BpeTrainer(
        vocab_size=260, special_tokens=["<pad>", "</s>", "<unk>"], show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return tokenizer


def bytelevel_bpe() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(LINES, trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<|endoftext|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def wordpiece(
    normalizer: normalizers.Normalizer = normalizers.BertNormalizer(lowercase=True),
    splitter: pre_tokenizers.PreTokenizer = pre_tokenizers.BertPreTokenizer(),
) -> Tokenizer:
    """Vocabulary by rule: the library's trainer for this kind gives another one each time."""
    words = {word for line in [*LINES, "ΟΔΟΣ"] for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(line))}
    letters = set("".join(words))
    continued = {f"##{piece}" for piece in letters | {"ed", "ing", "ion", "shell", "less"}}
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = dict.fromkeys([*special, *sorted(letters), *sorted(continued), *sorted(words)])
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def write() -> None:
    built = {
        "metaspace-bpe": metaspace_bpe(),
        "bytelevel-bpe": bytelevel_bpe(),
        "wordpiece": wordpiece(),
        "punctuation-split": wordpiece(normalizers.Lowercase()),
        "word-split": wordpiece(normalizers.Lowercase(), pre_tokenizers.Whitespace()),
        "whitespace-split": wordpiece(normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit()),
    }
    for name, tokenizer in built.items():
        # Read back: what counts is what the file says.
        written = tokenizer.to_str()
        tokenizer = Tokenizer.from_str(written)
        cases = []
        for text in TEXTS:
            encoding = tokenizer.encode(text)
            cases.append({
                "text": text,
                "ids": encoding.ids,
                "words": encoding.word_ids,
                "decoded": tokenizer.decode(encoding.ids),
            })
        for text, pair in PAIRS:
            encoding = tokenizer.encode(text, pair)
            cases.append({"text": text, "pair": pair, "ids": encoding.ids, "type_ids": encoding.type_ids})
        save_cases("tokenizers", name, {"tokenizer": json.loads(written), "cases": cases})
