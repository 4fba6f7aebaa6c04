"""Measures the translator on held-out sources and writes the figures for its card.

sacreBLEU and chrF, greedy and beam 4, against one reference (the first in the file)
and against all references of a source. Greedy decoding is Hugging Face's own, on the
f16 weights as they are shipped, computed in f32.

    python evaluate_en_fr.py --data fra-eng.zip --model ../../models/en-fr
"""

import sacrebleu
import torch
from tokenizers import Tokenizer
from transformers import MarianMTModel

import held_out
from bundled import command_line, write_evaluation

BATCH = 100
BEAMS = 4
MAX_NEW_TOKENS = 80


def translate(
    model: MarianMTModel, tokenizer: Tokenizer, sources: list[str], beams: int
) -> list[str]:
    pad, end = model.config.pad_token_id, model.config.eos_token_id
    encoded = [encoding.ids for encoding in tokenizer.encode_batch(sources)]
    order = sorted(range(len(sources)), key=lambda i: len(encoded[i]))
    texts = [""] * len(sources)
    for first in range(0, len(order), BATCH):
        rows = order[first : first + BATCH]
        width = max(len(encoded[i]) for i in rows)
        ids = torch.tensor([encoded[i] + [pad] * (width - len(encoded[i])) for i in rows])
        mask = torch.tensor([[1] * len(encoded[i]) + [0] * (width - len(encoded[i])) for i in rows])
        with torch.no_grad():
            written = model.generate(
                input_ids=ids,
                attention_mask=mask,
                num_beams=beams,
                do_sample=False,
                max_length=MAX_NEW_TOKENS + 1,
            )
        for row, i in zip(written.tolist(), rows):
            row = row[1:]
            texts[i] = tokenizer.decode(row[: row.index(end)] if end in row else row)
    return texts


def scores(texts: list[str], references: list[list[str]]) -> dict[str, float]:
    most = max(map(len, references))
    # sacreBLEU takes streams of equal length; None stands for "no further reference".
    streams = [[refs[k] if k < len(refs) else None for refs in references] for k in range(most)]
    single = [[refs[0] for refs in references]]
    return {
        "bleu_single": round(sacrebleu.corpus_bleu(texts, single).score, 2),
        "bleu_multi": round(sacrebleu.corpus_bleu(texts, streams).score, 2),
        "chrf_single": round(sacrebleu.corpus_chrf(texts, single).score, 2),
        "chrf_multi": round(sacrebleu.corpus_chrf(texts, streams).score, 2),
    }


def main() -> None:
    options = command_line(__doc__)
    torch.manual_seed(0)
    model = MarianMTModel.from_pretrained(options.model, dtype=torch.float32).eval()
    tokenizer = Tokenizer.from_file(str(options.model / "tokenizer.json"))
    test = held_out.read(options.data).test
    sources, references = list(test), list(test.values())
    result = {
        "sources": len(sources),
        "references": sum(map(len, references)),
        "signature": "sacrebleu " + sacrebleu.__version__,
    }
    for name, beams in (("greedy", 1), (f"beam_{BEAMS}", BEAMS)):
        texts = translate(model, tokenizer, sources, beams)
        result[name] = scores(texts, references)
    write_evaluation(options.model, result)


if __name__ == "__main__":
    main()
