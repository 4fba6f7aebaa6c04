"""Folders whose tokenizer_config.json wins over their tokenizer.json, and the ids that AutoTokenizer gives without special tokens."""

import json
import tempfile
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import AutoTokenizer

from vectors import HERE, save_json

MBART = "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN".split()
TEXTS = ["Hello café 中文 12 is", " hello", "hello  hello", "x<tok>hello", "İs ``hello''"]
LETTERS = "abcdefghijklmnopqrstuvwxyzHI 0123456789.,'`éàç中文"


def word_piece() -> Tokenizer:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "Hello", "cafe", "café", "中文", "is", *LETTERS]
    pieces += [f"##{letter}" for letter in LETTERS]
    tokenizer = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def byte_bpe() -> Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("h", "e"), ("he", "l"), ("hel", "l"), ("hell", "o"), ("Ġ", "hello"), ("1", "2")]
    pieces = ["<|endoftext|>", *alphabet, *("".join(pair) for pair in merges)]
    tokenizer = Tokenizer(models.BPE({piece: at for at, piece in enumerate(pieces)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(False)])
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def marked_bpe() -> Tokenizer:
    letters = ["<unk>", "<s>", "</s>", "▁", *LETTERS.replace(" ", ""), *(f"<0x{byte:02X}>" for byte in range(256))]
    merges = [("h", "e"), ("he", "l"), ("hel", "l"), ("hell", "o"), ("▁", "hello"), ("▁", "▁")]
    pieces = [*letters, *("".join(pair) for pair in merges)]
    model = models.BPE({piece: at for at, piece in enumerate(pieces)}, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return tokenizer


def unigram() -> Tokenizer:
    pieces = ["<s>", "<unk>", "</s>", "<pad>", "[CLS]", "[SEP]", "▁", "▁hello", "hello", "▁Hello", *LETTERS.replace(" ", "")]
    tokenizer = Tokenizer(models.Unigram([(piece, -float(at)) for at, piece in enumerate(pieces)], 1))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    return tokenizer


def languages() -> Tokenizer:
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "[CLS]", "[SEP]", "▁", "▁hello", "hello", "▁Hello", *LETTERS.replace(" ", "")]
    pieces += [*MBART, *(f"<madeupword{at}>" for at in range(7)), "[MASK]", "<mask>"]
    tokenizer = Tokenizer(models.Unigram([(piece, -float(at) if at > 3 else 0.0) for at, piece in enumerate(pieces)], 3))
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
    ("deberta-v2", languages, {"unk_token": "<unk>", "do_lower_case": True, "split_by_punct": True, "add_prefix_space": False}),
    ("xlm-roberta-xl", languages, {}),
    ("bert", word_piece, {"additional_special_tokens": ["hello"]}),
    ("olmo2", byte_bpe, {"bos_token": "hello"}),
    ("gpt2", byte_bpe, {"tokenizer_class": "CodeGenTokenizer", "add_prefix_space": True}),
    ("mbart", languages, {"src_lang": "fr_XX"}),
    ("albert", unigram, {"tokenizer_class": "AlbertTokenizer", "do_lower_case": False, "keep_accents": True}),
]


def write_settings() -> None:
    cases = []
    for family, build, settings in CASES:
        tokenizer = build()
        tokenizer.add_tokens(["<tok>"])
        with tempfile.TemporaryDirectory() as folder:
            tokenizer.save(str(Path(folder) / "tokenizer.json"))
            (Path(folder) / "config.json").write_text(json.dumps({"model_type": family}))
            (Path(folder) / "tokenizer_config.json").write_text(json.dumps(settings))
            read = AutoTokenizer.from_pretrained(folder)
            ids = [read.encode(text, add_special_tokens=False) for text in TEXTS]
            whole = read.backend_tokenizer.encode("hello", "is")
        case = {"family": family, "file": build.__name__, "settings": settings, "ids": ids}
        cases.append({**case, "pair": whole.ids, "types": whole.type_ids})
    files = {}
    for build in (word_piece, byte_bpe, marked_bpe, unigram, languages):
        tokenizer = build()
        tokenizer.add_tokens(["<tok>"])
        files[build.__name__] = json.loads(tokenizer.to_str())
    save_json(HERE / "tokenizer-settings.json", {"files": files, "texts": TEXTS, "cases": cases})


if __name__ == "__main__":
    write_settings()
