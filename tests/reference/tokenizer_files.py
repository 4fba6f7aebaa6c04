"""Small tokenizers of several kinds, and what the Python library makes of difficult strings; and
small vocabularies in the files of older folders and of GGUF, with the ids that Hugging Face's
library gives 1,000 lines."""

import base64
import gzip
import io
import json
import random
import tempfile
from pathlib import Path

import sentencepiece
import transformers
from sentencepiece import sentencepiece_model_pb2
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
from transformers.integrations.gguf import convert_gguf_tokenizer

from vectors import HERE, SEED, save_cases, save_json

FOLDER = HERE / "tokenizer-files"

LINES = [
    "The animal didn't cross the street because it was too tired.",
    "Attention is all you need, said the model to the sentence.",
    "A head looks at every word; another head looks only one word back.",
    "She sells seashells by the seashore, and he reads 1,024 letters a day.",
    "L'élève a déjà mangé une crêpe à Noël, n'est-ce pas ?",
    "Où est la bibliothèque ? Elle est près de la gare.",
    "Der Fluß fließt schön über die Brücke.",
    "שלום עולם",
    "مرحبا بالعالم",
    "你好，世界",
    "Привет, мир!",
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
    tokenizer.train_from_iterator(
        LINES[:7],
        trainers.BpeTrainer(
            vocab_size=260, special_tokens=["<pad>", "</s>", "<unk>"], show_progress=False
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return tokenizer


def bytelevel_bpe() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        LINES,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=["<|endoftext|>"],
            show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def wordpiece(
    normalizer: normalizers.Normalizer = normalizers.BertNormalizer(lowercase=True),
    splitter: pre_tokenizers.PreTokenizer = pre_tokenizers.BertPreTokenizer(),
) -> Tokenizer:
    """Vocabulary by rule: the library's trainer for this kind gives another one each time."""
    words = {
        word
        for line in [*LINES, "ΟΔΟΣ"]
        for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(line))
    }
    letters = set("".join(words))
    continued = {f"##{piece}" for piece in letters | {"ed", "ing", "ion", "shell", "less"}}
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = dict.fromkeys([*special, *sorted(letters), *sorted(continued), *sorted(words)])
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = Tokenizer(
        models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer


def write_tokenizers() -> None:
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
            cases.append(
                {
                    "text": text,
                    "ids": encoding.ids,
                    "words": encoding.word_ids,
                    "decoded": tokenizer.decode(encoding.ids),
                }
            )
        for text, pair in PAIRS:
            encoding = tokenizer.encode(text, pair)
            cases.append(
                {"text": text, "pair": pair, "ids": encoding.ids, "type_ids": encoding.type_ids}
            )
        save_cases("tokenizers", name, {"tokenizer": json.loads(written), "cases": cases})


# What a line is put together from: words of many scripts, numbers, code, marks, emoji, odd
# characters.
WORDS = """
the animal street tired because attention need model sentence looks another word back seashells reads letters day
L'élève déjà mangé crêpe Noël, n'est-ce bibliothèque près gare Fluß fließt schön Brücke don't we've can't I'll
naïve café nai\u0308ve cafe\u0301 A\u030angstro\u0308m İstanbul ıssız ŁÓDŹ Tiếng Việt Þingvellir ŒUVRE Ærø ǅ ﬁn ﬀ ½ ² ™ ℃ Ⅷ ㎏ ①
καλημέρα κόσμε ΟΔΟΣ Σίσυφος ἀρχή ΑΣ Привет, мир! Ёжик ЩУКА подъезд їжак ћирилица Њ
你好，世界 注意力就是你所需要的 鳥 𠮷野家 龍 中文 学习 こんにちは カタカナ ｶﾞｷﾞ 東京タワー がぎ ゛ 한국어 각 텍스트
مرحبا بالعالم، السَّلَامُ ١٢٣ ﷺ ﻻ فارسی شלום שלום עולם שָׁלוֹם נ״ט नमस्ते दुनिया क्षत्रिय ४५६ স্বাগতম தமிழ் ภาษาไทย สวัสดี น้ำ ០១ ქართული ՀԱՅ
🙂 👍🏽 👩‍👩‍👧 🇫🇷 ❤️ 🏳️‍🌈 🤷🏾‍♀️ ☃ ✓ → ∑ √2 ∞ ℝ 𝔘𝔫𝔦 ＦＵＬＬ ｗｉｄｅ １２３
1 42 3.14 1,024 2024-01-31 100% €9.99 $5 0x1F 1e-5 7th 12345678 Ⅻ
for(i=0;i<10;++i){ x[i]+=1; } def f(x): return x**2 #!/bin/sh a_b camelCase HTTPServer </div> <b>x</b> `code` ``q'' "s" 'q' C++ a&b https://a.org/?q=1&r=%20 me@site.org
... !!! ?! — – … « » „“ ‘’ ( ) [ ] { } / \\\\ | ~ ^ * _ - -- --- @ # & ▁ Ġ ## <s> </s> <unk> <pad> <mask> [CLS] [MASK] <|endoftext|> <extra_id_0>
a\u0301\u0323 e\u0308\u0301 \u0301 q\u0307\u0323 \u200b a\u200db \u200f \u00ad x\ufeffy \u0000 \ufffd \u2028 \x07 \ue000 \U000e0041 \u0f77
""".strip("\n").split()
SPACES = [" "] * 12 + [
    "  ",
    "   ",
    "\t",
    "\n",
    "\r\n",
    "\u00a0",
    "\u3000",
    "\u2003",
    "\u0085",
    "",
    "",
]


def lines() -> list[str]:
    """The difficult texts, then words put together at random; a random script is likely to go
    on."""
    source = random.Random(SEED)
    made = [*TEXTS, *LINES, ">>fra<< The animal looks at the street."]
    while len(made) < 1000:
        at, line = source.randrange(len(WORDS)), source.choice(["", "", "", " ", "  ", "\t"])
        for _ in range(source.randint(1, 12)):
            at = (
                (at + source.randint(1, 6)) % len(WORDS)
                if source.random() < 0.6
                else source.randrange(len(WORDS))
            )
            line += WORDS[at] + source.choice(SPACES)
        made.append(line if source.random() < 0.3 else line.strip(" "))
    return made


def wordpiece_vocabulary(texts: list[str]) -> str:
    """Vocabulary by rule, as in `wordpiece`, cased and uncased at once."""
    splitter = pre_tokenizers.BertPreTokenizer()
    cases = [normalizers.BertNormalizer(lowercase=lowercase) for lowercase in (True, False)]
    words = {
        word
        for text in texts
        for case in cases
        for word, _ in splitter.pre_tokenize_str(case.normalize_str(text))
    }
    short = sorted(word for word in words if len(word) < 9)
    letters = sorted(set("".join(words)))
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<s>", "<pad>", "</s>", "<mask>"]
    return (
        "\n".join(
            dict.fromkeys([*special, *letters, *(f"##{letter}" for letter in letters), *short[::3]])
        )
        + "\n"
    )


def bytelevel(texts: list[str], special: list[str]) -> dict[str, str]:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=1000,
            special_tokens=special,
            show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    model = json.loads(tokenizer.to_str())["model"]
    merges = "\n".join(" ".join(pair) for pair in model["merges"])
    return {
        "vocab.json": json.dumps(model["vocab"], ensure_ascii=False),
        "merges.txt": f"#version: 0.2\n{merges}\n",
    }


def spm(texts: list[str], **options: object) -> bytes:
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(text.replace("\0", " ") for text in texts),
        model_writer=written,
        minloglevel=2,
        vocab_size=700,
        character_coverage=0.99,
        hard_vocab_limit=False,
        num_threads=1,
        **options,
    )
    return written.getvalue()


def without_charsmap(model: bytes) -> tuple[bytes, bytes, bytes]:
    """A model and its table of characters, which is the largest part and the same in all: joined
    they are the model again."""
    whole = sentencepiece_model_pb2.ModelProto.FromString(model)
    table = sentencepiece_model_pb2.ModelProto()
    table.normalizer_spec.precompiled_charsmap = whole.normalizer_spec.precompiled_charsmap
    whole.normalizer_spec.ClearField("precompiled_charsmap")
    # Of how it was trained only what is read again.
    del whole.trainer_spec.input[:]
    return (
        whole.SerializeToString(),
        table.SerializePartialToString(),
        table.normalizer_spec.precompiled_charsmap,
    )


def numbered(model: bytes, first: list[str], last: str, place: int | None = None) -> str:
    """Ids in another order, some pieces left out, and pieces of a target language that no source
    text is cut into."""
    pieces = pieces_of(model)[3:]
    kept = [piece for at, (piece, _, _) in enumerate(pieces) if at % 40 != 7]
    order = [*kept[::2], "▁straß", "ß", "你好", "Щ", *kept[1::2]]
    names = [*first, *dict.fromkeys(order)]
    names.insert(len(names) if place is None else place, last)
    return json.dumps({piece: at for at, piece in enumerate(names)}, ensure_ascii=False)


def pieces_of(model: bytes) -> list[tuple[str, float, int]]:
    return [
        (piece.piece, piece.score, piece.type)
        for piece in sentencepiece_model_pb2.ModelProto.FromString(model).pieces
    ]


def digest(ids: list[int]) -> str:
    """Of one line: 16 bits of FNV-1a."""
    hashed = 0x811C9DC5
    for byte in ",".join(map(str, ids)).encode():
        hashed = (hashed ^ byte) * 0x01000193 % 2**32
    return f"{(hashed ^ hashed >> 16) & 0xFFFF:04x}"


def hugging_face(
    files: dict[str, bytes], settings: dict, config: dict
) -> transformers.PreTrainedTokenizerBase:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        (Path(folder) / "config.json").write_text(json.dumps(config))
        (Path(folder) / "tokenizer_config.json").write_text(json.dumps(settings))
        return transformers.AutoTokenizer.from_pretrained(folder)


def gguf(
    architecture: str, kind: str, pieces: list[tuple[str, float, int]], **others: object
) -> dict:
    """The metadata of a GGUF file, as its writers name them."""
    texts, scores, types = zip(*pieces, strict=True)
    own = {"model": kind, "tokens": texts, "scores": scores, "token_type": types, **others}
    return {
        "general.architecture": architecture,
        **{f"tokenizer.ggml.{key}": value for key, value in own.items()},
    }


def write_files() -> None:
    texts = lines()
    special = {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1}
    llama = {
        "model_type": "bpe",
        "byte_fallback": True,
        "split_digits": True,
        "remove_extra_whitespaces": False,
        "normalization_rule_name": "identity",
        "allow_whitespace_only_pieces": True,
        "user_defined_symbols": ["<sep>", "<mask>"],
    }
    trained = {
        "t5.model": spm(texts, pad_id=0, eos_id=1, unk_id=2, bos_id=-1),
        "fairseq.model": spm(texts),
        "fairseq-bpe.model": spm(texts, model_type="bpe"),
        "albert.model": spm(texts, **special, control_symbols=["[CLS]", "[SEP]", "[MASK]"]),
        "llama.model": spm(texts, **llama),
        "gemma.model": spm(
            texts,
            **llama,
            add_dummy_prefix=False,
            pad_id=0,
            eos_id=1,
            bos_id=2,
            unk_id=3,
            bos_piece="<bos>",
            eos_piece="<eos>",
        ),
    }
    bytewise = bytelevel(texts, ["<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    named = ["</s>", "<unk>", ">>fra<<"]
    read = numbered(trained["fairseq.model"], named, "<pad>")
    # Where special tokens have other ids than in the source's, Hugging Face takes those of the
    # source.
    written = numbered(trained["fairseq-bpe.model"], named, "<pad>", json.loads(read)["<pad>"])
    files = {
        **trained,
        "bert.txt": wordpiece_vocabulary(texts).encode(),
        "marian.json": read.encode(),
        "written.json": written.encode(),
        "m2m.json": numbered(
            trained["fairseq-bpe.model"], ["<s>", "<pad>", "</s>", "<unk>"], "madeupword0000"
        ).encode(),
        **{name: text.encode() for name, text in bytewise.items()},
    }
    cased = {"do_lower_case": False, "strip_accents": False}
    bos = {"add_bos_token": True}
    # As in the files that came with it.
    mask = {
        "mask_token": {
            "__type": "AddedToken",
            "content": "<mask>",
            "lstrip": True,
            "rstrip": False,
            "single_word": False,
            "normalized": False,
        }
    }
    byte_files = {"vocab.json": "vocab.json", "merges.txt": "merges.txt"}
    arabic = {
        "src_lang": "ar",
        "additional_special_tokens": ["__af__", "__am__", "__ar__"],
    }  # The first of 100.
    marian = {
        "source.spm": "fairseq.model",
        "target.spm": "fairseq.model",
        "vocab.json": "marian.json",
    }
    folders = {
        "bert": ({"vocab.txt": "bert.txt"}, "BertTokenizer", {}),
        "electra": ({"vocab.txt": "bert.txt"}, "ElectraTokenizer", cased),
        "mpnet": ({"vocab.txt": "bert.txt"}, "MPNetTokenizer", {}),
        "gpt2": (byte_files, "GPT2Tokenizer", {}),
        "roberta": (byte_files, "RobertaTokenizer", mask),
        "opt": (
            byte_files,
            "GPT2Tokenizer",
            {
                **bos,
                "bos_token": "</s>",
                "eos_token": "</s>",
                "unk_token": "</s>",
                "pad_token": "<pad>",
            },
        ),
        "qwen2": (byte_files, "Qwen2Tokenizer", {}),
        "t5": ({"spiece.model": "t5.model"}, "T5Tokenizer", {}),
        "xlm-roberta": ({"sentencepiece.bpe.model": "fairseq.model"}, "XLMRobertaTokenizer", {}),
        "camembert": ({"sentencepiece.bpe.model": "fairseq.model"}, "CamembertTokenizer", {}),
        "mbart": (
            {"sentencepiece.bpe.model": "fairseq.model"},
            "MBartTokenizer",
            {"src_lang": "fr_XX"},
        ),
        "mbart50": (
            {"sentencepiece.bpe.model": "fairseq.model"},
            "MBart50Tokenizer",
            {"src_lang": "fr_XX"},
        ),
        "m2m_100": (
            {"sentencepiece.bpe.model": "fairseq-bpe.model", "vocab.json": "m2m.json"},
            "M2M100Tokenizer",
            arabic,
        ),
        "albert": ({"spiece.model": "albert.model"}, "AlbertTokenizer", {}),
        "marian": (marian, "MarianTokenizer", {}),
        # What a translator writes, of a vocabulary of its own.
        "marian written": (
            {**marian, "target.spm": "fairseq-bpe.model", "target_vocab.json": "written.json"},
            "MarianTokenizer",
            {"separate_vocabs": True},
        ),
        "llama": ({"tokenizer.model": "llama.model"}, "LlamaTokenizer", bos),
        "gemma": ({"tokenizer.model": "gemma.model"}, "GemmaTokenizer", bos),
    }
    cases = {}
    for family, (names, tokenizer_class, options) in folders.items():
        settings = {"tokenizer_class": tokenizer_class, **options}
        config = {"model_type": family.split()[0]}
        tokenizer = hugging_face(
            {name: files[own] for name, own in names.items()}, settings, config
        )
        if family == "mbart":  # Its class forgets the table that the file has.
            charsmap = without_charsmap(trained["fairseq.model"])[2]
            tokenizer.backend_tokenizer.normalizer = normalizers.Precompiled(charsmap)
        print(family, type(tokenizer).__name__, flush=True)
        ids = (
            tokenizer(text_target=text).input_ids if "written" in family else tokenizer.encode(text)
            for text in texts
        )
        cases[family] = {
            "files": names,
            "settings": settings,
            "digests": [digest(one) for one in ids],
        }
    cases |= gguf_cases(
        files, texts, {"bert": cases["bert"]["digests"], "bert cased": cases["electra"]["digests"]}
    )
    FOLDER.mkdir(exist_ok=True)
    kept = {}
    for name, data in files.items():
        if name.endswith(".model"):
            data, table, _ = without_charsmap(data)
            if name == "t5.model":
                (FOLDER / "charsmap.gz").write_bytes(gzip.compress(table, 9, mtime=0))
            kept[name] = base64.b64encode(data).decode()
        else:
            kept[name] = data.decode()
    save_json(FOLDER / "files.json", kept)
    joined = {name: {**case, "digests": "".join(case["digests"])} for name, case in cases.items()}
    save_json(FOLDER / "cases.json", {"lines": texts, "cases": joined})


# How llama.cpp cuts texts for these values of `tokenizer.ggml.pre`, by the patterns of the
# tokenizer.json that its source quotes.
GPT_2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)"
CASED = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ENDING"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*ENDING"
    r"|DIGITS| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PATTERNS = {
    "default": [r"[\p{P}\$\+<=>\^~\|]+", GPT_2, r"\p{N}+", "[0-9][0-9][0-9]"],
    "falcon": [r"[\p{P}\$\+<=>\^~\|`]+", GPT_2, "[0-9][0-9][0-9]"],
    "gpt-4o": [
        CASED.replace("ENDING", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?").replace("DIGITS", r"\p{N}{1,3}")
    ],
    "tekken": [CASED.replace("ENDING", "").replace("DIGITS", r"\p{N}")],
    "deepseek-coder": ["[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-퟿]+", r"\p{N}"],
    "deepseek-v3": [
        r"\p{N}{1,3}",
        "[一-龥぀-ゟ゠-ヿ]+",
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
        r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ],
    "smollm": [r"\p{N}", GPT_2],
}
PIECES = {
    "llama": "llama.model",
    "gemma2": "gemma.model",
    "t5": "t5.model",
    "bert": "bert.txt",
    "bert cased": "bert.txt",
}


def gguf_cases(
    files: dict[str, bytes], texts: list[str], bert: dict[str, list[str]]
) -> dict[str, dict]:
    vocabulary = json.loads(files["vocab.json"])
    byte_pieces = [
        (piece, 0.0, 3 if at < 6 else 1)
        for piece, at in sorted(vocabulary.items(), key=lambda item: item[1])
    ]
    merges = files["merges.txt"].decode().split("\n")[1:-1]
    plain = [
        (piece, 0.0, 3 if piece[0] + piece[-1] == "[]" else 1)
        for piece in files["bert.txt"].decode().split("\n")[:-1]
    ]
    bare = [
        (
            piece
            if piece[0] + piece[-1] == "[]"
            else piece[2:]
            if piece[:2] == "##" and piece != "##"
            else f"▁{piece}",
            score,
            kind,
        )
        for piece, score, kind in plain
    ]
    t5 = [*pieces_of(files["t5.model"]), *((f"[PAD{at}]", 0.0, 3) for at in range(100))]
    metadata = {
        "llama": gguf(
            "llama",
            "llama",
            pieces_of(files["llama.model"]),
            bos_token_id=1,
            eos_token_id=2,
            unknown_token_id=0,
        ),
        "gemma2": gguf(
            "gemma2",
            "llama",
            pieces_of(files["gemma.model"]),
            bos_token_id=2,
            eos_token_id=1,
            unknown_token_id=3,
        ),
        "t5": gguf(
            "t5",
            "t5",
            t5,
            eos_token_id=1,
            unknown_token_id=2,
            padding_token_id=0,
            add_eos_token=True,
            remove_extra_whitespaces=True,
        ),
        "bert": gguf(
            "bert", "bert", bare, cls_token_id=2, seperator_token_id=3, unknown_token_id=1
        ),
        "bert cased": gguf(
            "bert",
            "bert",
            bare,
            cls_token_id=2,
            seperator_token_id=3,
            unknown_token_id=1,
            **{"normalizer.lowercase": False, "normalizer.strip_accents": False},
        ),
        **{
            pre: gguf(
                "llama",
                "gpt2",
                byte_pieces,
                merges=merges,
                pre=pre,
                bos_token_id=0,
                eos_token_id=0,
                add_bos_token=False,
            )
            for pre in ("gpt-2", "llama-bpe", "qwen2", *PATTERNS)
        },
    }
    cases = {}
    for name, entries in metadata.items():
        own = {key.removeprefix("tokenizer.ggml."): value for key, value in entries.items()}
        if name in bert:
            digests = bert[name]
        elif name in PATTERNS:
            model = models.BPE(
                vocabulary,
                [tuple(merge.split(" ")) for merge in merges],
                ignore_merges=name == "tekken",
            )
            tokenizer = Tokenizer(model)
            splits = [
                pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in PATTERNS[name]
            ]
            tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
                [*splits, pre_tokenizers.ByteLevel(False, use_regex=False)]
            )
            tokenizer.add_special_tokens([piece for piece, _, _ in byte_pieces[:6]])
            digests = [digest(tokenizer.encode(text).ids) for text in texts]
        else:
            read = {**own, "tokenizer_type": own["model"], "pre_tokenizer_type": own.get("pre")}
            tokenizer, _ = convert_gguf_tokenizer(entries["general.architecture"], read)
            around = {"llama": "{0} $A", "gemma2": "{0} $A", "t5": "$A {1}"}.get(name, "$A")
            if (
                name == "llama"
            ):  # As llama.cpp, which keeps a text's own space behind the one that it adds.
                tokenizer.normalizer = normalizers.Sequence(
                    [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
                )
                tokenizer.pre_tokenizer = None
            if name == "qwen2":  # As in the tokenizer.json that the file was made from.
                tokenizer.normalizer = normalizers.NFC()
            ends = [own["tokens"][own.get(f"{end}_token_id", 0)] for end in ("bos", "eos")]
            tokenizer.post_processor = processors.TemplateProcessing(
                single=around.format(*ends),
                pair="$A $B",
                special_tokens=[(end, tokenizer.token_to_id(end)) for end in dict.fromkeys(ends)],
            )
            digests = [digest(tokenizer.encode(text).ids) for text in texts]
        # The test makes the lists of the pieces' own file.
        lists = ("tokens", "scores", "token_type", "merges")
        others = {key: value for key, value in entries.items() if key.split(".")[-1] not in lists}
        cases[f"gguf {name}"] = {
            "pieces": PIECES.get(name, "vocab.json"),
            "metadata": others,
            "digests": digests,
        }
    return cases
