"""Folders whose small files win over their tokenizer.json, and what AutoTokenizer makes of them:
`cases` with its ids without special tokens, `drawn`, whose special tokens are drawn at random in
each file that may name them, and `classes`, which class it takes.
"""

import json
import random
import tempfile
from pathlib import Path

from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)
from transformers import AutoTokenizer, dynamic_module_utils
from transformers.tokenization_utils_base import PreTrainedTokenizerBase

from vectors import HERE, save_json

MBART = "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN".split()
TEXTS = ["Hello café 中文 12 is", " hello", "hello  hello", "x<tok>hello", "İs ``hello''"]
LETTERS = "abcdefghijklmnopqrstuvwxyzHI 0123456789.,'`éàç中文"


def word_piece() -> Tokenizer:
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "hello",
        "Hello",
        "cafe",
        "café",
        "中文",
        "is",
        *LETTERS,
    ]
    pieces += [f"##{letter}" for letter in LETTERS]
    tokenizer = Tokenizer(
        models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def byte_bpe() -> Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("h", "e"), ("he", "l"), ("hel", "l"), ("hell", "o"), ("Ġ", "hello"), ("1", "2")]
    pieces = ["<|endoftext|>", *alphabet, *("".join(pair) for pair in merges)]
    tokenizer = Tokenizer(models.BPE({piece: at for at, piece in enumerate(pieces)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def marked_bpe() -> Tokenizer:
    letters = [
        "<unk>",
        "<s>",
        "</s>",
        "▁",
        *LETTERS.replace(" ", ""),
        *(f"<0x{byte:02X}>" for byte in range(256)),
    ]
    merges = [("h", "e"), ("he", "l"), ("hel", "l"), ("hell", "o"), ("▁", "hello"), ("▁", "▁")]
    pieces = [*letters, *("".join(pair) for pair in merges)]
    model = models.BPE(
        {piece: at for at, piece in enumerate(pieces)},
        merges,
        unk_token="<unk>",
        fuse_unk=True,
        byte_fallback=True,
    )
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    return tokenizer


def unigram() -> Tokenizer:
    pieces = [
        "<s>",
        "<unk>",
        "</s>",
        "<pad>",
        "[CLS]",
        "[SEP]",
        "▁",
        "▁hello",
        "hello",
        "▁Hello",
        *LETTERS.replace(" ", ""),
    ]
    tokenizer = Tokenizer(
        models.Unigram([(piece, -float(at)) for at, piece in enumerate(pieces)], 1)
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    return tokenizer


def languages() -> Tokenizer:
    pieces = [
        "<s>",
        "<pad>",
        "</s>",
        "<unk>",
        "[CLS]",
        "[SEP]",
        "▁",
        "▁hello",
        "hello",
        "▁Hello",
        *LETTERS.replace(" ", ""),
    ]
    pieces += [*MBART, *(f"<madeupword{at}>" for at in range(7)), "[MASK]", "<mask>"]
    tokenizer = Tokenizer(
        models.Unigram(
            [(piece, -float(at) if at > 3 else 0.0) for at, piece in enumerate(pieces)], 3
        )
    )
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", *MBART])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    return tokenizer


CASES = [
    ("bert", word_piece, {"tokenizer_class": "BertTokenizer", "do_lower_case": False}),
    ("bert", word_piece, {"tokenizer_class": "BertTokenizerFast", "strip_accents": False}),
    ("bert", word_piece, {"tokenizer_class": "BertTokenizer", "tokenize_chinese_chars": False}),
    ("distilbert", word_piece, {"do_lower_case": False}),
    ("mpnet", word_piece, {"tokenizer_class": "MPNetTokenizer", "do_lower_case": False}),
    ("gpt2", byte_bpe, {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": True}),
    ("gpt2", byte_bpe, {}),
    ("gpt2", byte_bpe, {"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": True}),
    ("roberta", byte_bpe, {"tokenizer_class": "RobertaTokenizer"}),
    ("gpt_neox", byte_bpe, {"tokenizer_class": "GPTNeoXTokenizer"}),
    ("qwen2", byte_bpe, {"tokenizer_class": "PreTrainedTokenizerFast"}),
    ("olmo2", byte_bpe, {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": True}),
    ("llama", byte_bpe, {"tokenizer_class": "LlamaTokenizer"}),
    ("llama", marked_bpe, {"tokenizer_class": "LlamaTokenizer"}),
    ("llama", marked_bpe, {"tokenizer_class": "LlamaTokenizerFast", "add_prefix_space": False}),
    ("mistral", marked_bpe, {"tokenizer_class": "LlamaTokenizer"}),
    ("gemma", marked_bpe, {"tokenizer_class": "GemmaTokenizer"}),
    ("t5", unigram, {"tokenizer_class": "T5Tokenizer"}),
    ("xlm-roberta", unigram, {"tokenizer_class": "XLMRobertaTokenizer", "add_prefix_space": False}),
    ("camembert", languages, {}),
    ("camembert", languages, {"tokenizer_class": "CamembertTokenizer", "add_prefix_space": False}),
    ("big_bird", languages, {}),
    ("big_bird", languages, {"tokenizer_class": "BigBirdTokenizer", "add_prefix_space": False}),
    ("deberta-v2", languages, {"unk_token": "<unk>"}),
    (
        "deberta-v2",
        languages,
        {
            "unk_token": "<unk>",
            "do_lower_case": True,
            "split_by_punct": True,
            "add_prefix_space": False,
        },
    ),
    ("xlm-roberta-xl", languages, {}),
    ("bert", word_piece, {"additional_special_tokens": ["hello"]}),
    ("olmo2", byte_bpe, {"bos_token": "hello"}),
    ("olmo2", byte_bpe, {"model_specific_special_tokens": {"image_token": "hello"}}),
    (
        "olmo2",
        byte_bpe,
        {"model_specific_special_tokens": {"image_token": "hello"}, "video_token": "is"},
    ),
    ("gpt2", byte_bpe, {"tokenizer_class": "CodeGenTokenizer", "add_prefix_space": True}),
    ("mbart", languages, {"src_lang": "fr_XX"}),
    (
        "albert",
        unigram,
        {"tokenizer_class": "AlbertTokenizer", "do_lower_case": False, "keep_accents": True},
    ),
]


def translated() -> Tokenizer:
    letters = ["<s>", "<pad>", "</s>", "<unk>", "▁", *LETTERS.replace(" ", "")]
    merges = [("h", "e"), ("he", "l"), ("hel", "l"), ("hell", "o"), ("▁", "hello")]
    pieces = [*letters, *("".join(pair) for pair in merges), "eng_Latn", "fra_Latn", "<mask>"]
    tokenizer = Tokenizer(
        models.BPE(
            {piece: at for at, piece in enumerate(pieces)}, merges, unk_token="<unk>", fuse_unk=True
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer


BUILDS = (word_piece, byte_bpe, marked_bpe, unigram, languages, translated)
FAMILIES = "albert bart bert big_bird camembert data2vec-text deberta deberta-v2 distilbert electra ernie eurobert gemma gemma2 gemma3_text gpt-sw3 gpt2 gpt_neo gpt_neox ibert internlm3 llama m2m_100 marian mbart megatron-bert ministral mistral modernbert mpnet mt5 mvp olmo2 opt phi3 plbart qwen2 qwen3 roberta roberta-prelayernorm seed_oss smollm3 stablelm starcoder2 t5 xlm-roberta xlm-roberta-xl".split()
# The kinds of folders that are drawn: family, class, file.
VARIANTS = [
    ("bert", "BertTokenizer", word_piece),
    ("electra", None, word_piece),
    ("mpnet", "MPNetTokenizer", word_piece),
    ("gpt2", "GPT2Tokenizer", byte_bpe),
    ("roberta", "RobertaTokenizer", byte_bpe),
    ("deberta", "DebertaTokenizer", byte_bpe),
    ("gpt_neox", "GPTNeoXTokenizer", byte_bpe),
    ("gpt2", "CodeGenTokenizer", byte_bpe),
    ("qwen2", "Qwen2TokenizerFast", byte_bpe),
    ("llama", "LlamaTokenizer", marked_bpe),
    ("llama", "CodeLlamaTokenizerFast", marked_bpe),
    ("gemma", "GemmaTokenizer", marked_bpe),
    ("bert", "HerbertTokenizerFast", marked_bpe),
    ("m2m_100", "NllbTokenizer", translated),
    ("xlm-roberta", "XLMRobertaTokenizer", languages),
    ("camembert", "CamembertTokenizer", languages),
    ("mbart", "BarthezTokenizer", languages),
    ("mbart", "MBartTokenizer", languages),
    ("mbart", "MBart50TokenizerFast", languages),
    ("llama", "XGLMTokenizer", languages),
    ("big_bird", "BigBirdTokenizer", languages),
    ("deberta-v2", "DebertaV2Tokenizer", languages),
    ("t5", "T5Tokenizer", languages),
    ("albert", "AlbertTokenizer", languages),
    ("bert", "PreTrainedTokenizerFast", word_piece),
    ("mistral", "LlamaTokenizer", marked_bpe),
    ("smollm3", None, byte_bpe),
]
NAMES = "bos_token eos_token unk_token sep_token pad_token cls_token mask_token".split()
FLAGS = "lstrip rstrip normalized single_word special".split()
POOL = "hello [MASK] <mask> <tok> <new> <other> </s> <s> [CLS] [SEP] <unk> Hello <extra_id_0> en_XX is 12 <pad>".split()
OPTIONS = {
    "add_prefix_space": [True, False],
    "do_lower_case": [True, False],
    "strip_accents": [None, True, False],
    "legacy": [True, False],
    "src_lang": ["fr_XX", "fra_Latn"],
    "extra_ids": [0, 2],
    "legacy_behaviour": [True],
    "add_bos_token": [True],
    "unk_id": [2],
    "keep_accents": [True],
    "split_by_punct": [True],
}


class Drawn:
    """Draws the files of a folder."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def often(self, share: float) -> bool:
        return self.random.random() < share

    def described(self) -> dict:
        flags = {flag: self.often(0.5) for flag in FLAGS if self.often(0.6)}
        return {"content": self.random.choice(POOL), **flags}

    def token(self) -> str | dict:
        return (
            self.random.choice(POOL)
            if self.often(0.5)
            else {"__type": "AddedToken", **self.described()}
        )

    def tokens(self, most: int) -> list:
        return [self.token() for _ in range(self.random.randrange(most))]

    def settings(self, kind: str | None, added: list[dict]) -> dict:
        settings = {} if kind is None else {"tokenizer_class": kind}
        for name in NAMES:
            if self.often(0.25):
                settings[name] = self.token() if self.often(0.93) else None
        if self.often(0.2):
            settings[self.random.choice(["image_token", "eot_token"])] = self.token()
        if self.often(0.3):
            settings["additional_special_tokens"] = self.tokens(3) if self.often(0.9) else None
        if self.often(0.25):
            settings["extra_special_tokens"] = self.random.choice(
                [self.tokens(3), {"audio_token": self.token()}, None]
            )
        if self.often(0.35):
            known = self.random.sample(added, min(len(added), 4))
            decoder = {
                str(one["id"]): {key: one[key] for key in ("content", *FLAGS)} for one in known
            }
            decoder.update(
                (str(self.random.randrange(1, 200)), self.described())
                for _ in range(self.random.randrange(3))
            )
            settings["added_tokens_decoder"] = decoder
        for name, values in OPTIONS.items():
            if self.often(0.12):
                settings[name] = self.random.choice(values)
        return settings

    def map(self) -> dict | None:
        if not self.often(0.3):
            return None
        found = {
            name: self.described() if self.often(0.5) else self.random.choice(POOL)
            for name in NAMES
            if self.often(0.4)
        }
        for one in found.values():
            if isinstance(one, dict):
                one.pop("special", None)
        if self.often(0.3):
            found["additional_special_tokens"] = self.random.sample(POOL, 2)
        if self.often(0.2):
            found["extra_special_tokens"] = self.random.choice(
                [self.random.sample(POOL, 2), {"video_token": self.random.choice(POOL)}]
            )
        return found

    def folder(self) -> dict:
        family, kind, build = self.random.choice(VARIANTS)
        tokenizer = build()
        for _ in range(self.random.randrange(4)):
            tokenizer.add_tokens([AddedToken(**self.described())])
        whole = tokenizer.token_to_id("hello")
        if self.often(0.3) and whole is not None:
            tokenizer.post_processor = processors.TemplateProcessing(
                single="hello $A", pair="hello $A $B:1", special_tokens=[("hello", whole)]
            )
        if self.often(0.15):
            tokenizer.enable_padding(pad_token=self.random.choice(POOL))
        file = json.loads(tokenizer.to_str())
        texts = [
            "".join(self.random.choices([*POOL, " ", "  ", "HELLO", "é", "x"], k=6))
            for _ in range(2)
        ]
        added = (
            dict(zip(self.random.sample(POOL, 2), self.random.sample(range(1, 150), 2)))
            if self.often(0.2)
            else None
        )
        names = {
            "family": family,
            "file": build.__name__,
            "settings": self.settings(kind, file["added_tokens"]),
        }
        return {**names, "map": self.map(), "added": added, "json": file, "texts": texts}


def read(case: dict):
    """What AutoTokenizer makes of a folder's files."""
    files = {
        "tokenizer.json": case["json"],
        "config.json": {"model_type": case["family"], "vocab_size": 1000},
        "tokenizer_config.json": case["settings"],
        "special_tokens_map.json": case["map"],
        "added_tokens.json": case["added"],
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            if content is not None:
                (Path(folder) / name).write_text(json.dumps(content))
        return AutoTokenizer.from_pretrained(folder).backend_tokenizer


def are_distinct(tokenizer: Tokenizer) -> bool:
    """Whether no two added tokens are one by their normalized texts: which of them a text has,
    chance would say."""
    tokens = [
        token.content for token in tokenizer.get_added_tokens_decoder().values() if token.normalized
    ]
    texts = [
        tokenizer.normalizer.normalize_str(text) if tokenizer.normalizer else text
        for text in tokens
    ]
    return len(set(texts)) == len(texts)


def compact(file: dict) -> str:
    """The added tokens of a file: number, text and the first letters of flags of each, an `x` for a
    special one."""
    letters = dict(zip(FLAGS, "lrnsx"))
    tokens = [
        (one["id"], one["content"], "".join(letters[flag] for flag in FLAGS if one[flag]))
        for one in file["added_tokens"]
    ]
    return ", ".join(f"{number} {content} {flags}" for number, content, flags in tokens)


def draw(count: int, seed: int) -> list[dict]:
    """Folders whose tokens AutoTokenizer reads, with the ids and types of their texts and of a
    pair."""
    folders = Drawn(seed)
    plain = {build.__name__: json.loads(build().to_str()) for build in BUILDS}
    cases = []
    while len(cases) < count:
        case = folders.folder()
        try:
            tokenizer = read(case)
            tokenizer.no_padding()
            if not are_distinct(tokenizer):
                continue
            found = [tokenizer.encode(text) for text in case["texts"]]
            pair = tokenizer.encode("hello", "is")
        except BaseException:  # What the libraries refuse, some of it by a panic.
            continue
        file = case.pop("json")
        changed = {
            key: file[key]
            for key in ("post_processor", "padding")
            if file[key] != plain[case["file"]][key]
        }
        case = {key: value for key, value in case.items() if value is not None}
        given = {"ids": [one.ids for one in found], "pair": pair.ids, "types": pair.type_ids}
        cases.append({**case, "tokens": compact(file), **changed, **given})
    return cases


def classes() -> dict:
    """The class that AutoTokenizer takes of each family for each name in its settings, and beside
    code of the folder's own."""
    names = [
        "",
        "PreTrainedTokenizer",
        "TokenizersBackend",
        "Foo",
        "Bert",
        "GPT2",
        "Llama",
        "Roberta",
        "Bart",
        "Electra",
        "Longformer",
    ]
    names += [
        "XLMRoberta",
        "Nllb",
        "M2M100",
        "XGLM",
        "MBart50",
        "PLBart",
        "Qwen2",
        "CodeLlama",
        "CLIP",
        "Gemma",
        "T5",
        "Bloom",
        "Herbert",
    ]
    # Whether code of a folder may run is asked for no second.
    dynamic_module_utils.TIME_OUT_REMOTE_CODE = 0
    from_pretrained = PreTrainedTokenizerBase.__dict__["from_pretrained"]
    PreTrainedTokenizerBase.from_pretrained = classmethod(lambda cls, *_, **__: cls)

    def taken(family: str, settings: dict, file: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "config.json").write_text(json.dumps({"model_type": family}))
            (Path(folder) / "tokenizer_config.json").write_text(json.dumps(settings))
            (Path(folder) / "tokenizer.json").write_text(file)
            try:
                return AutoTokenizer.from_pretrained(folder).__name__.removesuffix("Tokenizer")
            except ValueError:
                return "-"

    def named(name: str) -> dict:
        full = name if name.startswith(("PreTrained", "Tokenizers")) else f"{name}Tokenizer"
        return {"tokenizer_class": f"{full}Fast"} if name else {}

    code = {"auto_map": {"AutoTokenizer": ["own.Slow", "own.Fast"]}}
    found = {
        family: {
            "named": [taken(family, named(name), "{}") for name in names],
            "bytes": [taken(family, named(name), '{"type":"ByteLevel"}') for name in names[4:7]],
            "code": [taken(family, {**named(name), **code}, "{}") for name in names[:7]],
        }
        for family in FAMILIES
    }
    PreTrainedTokenizerBase.from_pretrained = from_pretrained
    return {
        "names": names,
        "families": {
            family: {key: " ".join(row) for key, row in rows.items()}
            for family, rows in found.items()
        },
    }


# Fields of tokenizer_config.json beside tokens, as classes of transformers 5.24 and folders on hubs
# have them.
FIELDS = "_commit_hash add_bos_token add_eos_token add_prefix_space backend chat_control_tokens chat_template clean_up_tokenization_spaces clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output device_map do_basic_tokenize do_lower_case errors extra_ids files_loaded from_slow is_local keep_accents legacy legacy_behaviour local_files_only max_len max_length merges_file model_input_names model_max_length model_type name_or_path never_split num_madeup_words pad_to_multiple_of pad_token_type_id padding padding_side processor_class remove_space response_schema response_template return_attention_mask return_tensors return_token_type_ids separate_vocabs sp_model_kwargs spaces_between_special_tokens special_tokens_map_file split_by_punct src_lang stride strip_accents tgt_lang tokenize_chinese_chars tokenizer_file transformers_version trim_offsets truncation truncation_side truncation_strategy unk_id use_default_system_prompt use_fast verbose vocab_file".split()
VALUES = [True, False, 3, "left", "fr_XX", ["x"], {"x": "y"}]


def fields() -> dict:
    """The fields that change the tokenizer of each kind of folder, tried with values of all
    types."""
    found = {}
    for family, kind, build in VARIANTS:
        case = {"family": family, "json": json.loads(build().to_str()), "map": None, "added": None}
        named = {} if kind is None else {"tokenizer_class": kind}
        before = read({**case, "settings": named}).to_str()

        def changes(field: str) -> bool:
            for value in VALUES:
                try:
                    if read({**case, "settings": {**named, field: value}}).to_str() != before:
                        return True
                except BaseException:  # A value that the class does not take.
                    continue
            return False

        found[f"{family} {kind or ''}".strip()] = " ".join(filter(changes, FIELDS))
    return {"all": " ".join(FIELDS), "changing": found}


def write_settings() -> None:
    cases = []
    for family, build, settings in CASES:
        tokenizer = build()
        tokenizer.add_tokens(["<tok>"])
        with tempfile.TemporaryDirectory() as folder:
            tokenizer.save(str(Path(folder) / "tokenizer.json"))
            (Path(folder) / "config.json").write_text(json.dumps({"model_type": family}))
            (Path(folder) / "tokenizer_config.json").write_text(json.dumps(settings))
            read_back = AutoTokenizer.from_pretrained(folder)
            ids = [read_back.encode(text, add_special_tokens=False) for text in TEXTS]
            whole = read_back.backend_tokenizer.encode("hello", "is")
        case = {"family": family, "file": build.__name__, "settings": settings, "ids": ids}
        cases.append({**case, "pair": whole.ids, "types": whole.type_ids})
    files = {}
    for build in BUILDS:
        tokenizer = build()
        tokenizer.add_tokens(["<tok>"])
        files[build.__name__] = json.loads(tokenizer.to_str())
    folders = {"cases": cases, "drawn": draw(140, 20), "classes": classes(), "fields": fields()}
    save_json(HERE / "tokenizer-settings.json", {"files": files, "texts": TEXTS, **folders})


if __name__ == "__main__":
    write_settings()
