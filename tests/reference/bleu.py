"""BLEU as sacreBLEU takes it, on a few small corpora: what the page's own count is compared with.

    python bleu.py

Needs sacrebleu 2.6.0 (tools/train/requirements.txt) and nothing else, so `generate.py` leaves it out.
"""

import json
from pathlib import Path

import sacrebleu

CORPORA = [
    {
        "name": "close",
        "hypotheses": ["Le chien mord l'homme.", "J'ai faim et soif.", "Marie est partie hier soir, à 8 h 30."],
        "references": [["Le chien mord l'homme."], ["J'ai faim et soif.", "Je suis affamé et assoiffé."], ["Marie est partie hier, à 8 h 30."]],
    },
    {
        "name": "punctuation",
        "hypotheses": ["« Non », dit-il : 3,5 % - c'est (trop) !", "A&amp;B/C 1.000-2 x.y", "Quoi ?..."],
        "references": [["« Non ! » dit-il : 3,5 %, c'est trop !"], ["A&B / C 1.000 - 2 x . y"], ["Quoi ?", "Comment ?"]],
    },
    {
        "name": "short",
        "hypotheses": ["oui", "non merci"],
        "references": [["oui"], ["non , merci beaucoup à tous"]],
    },
    {"name": "nothing in common", "hypotheses": ["un deux trois quatre cinq"], "references": [["six sept huit neuf dix"]]},
    {"name": "nothing written", "hypotheses": ["", ""], "references": [["un deux"], ["trois"]]},
    {
        "name": "repeated",
        "hypotheses": ["le le le le le le le", "chat chat sur le tapis"],
        "references": [["le chat est sur le tapis", "il y a un chat sur le tapis"], ["le chat est sur le tapis"]],
    },
    {
        "name": "no long matches",
        "hypotheses": ["le chat noir dort ici", "un chien brun court vite"],
        "references": [["ce chat noir mange là"], ["le chien brun dort bien"]],
    },
]


def score(hypotheses: list[str], references: list[list[str]]) -> float:
    most = max(map(len, references))
    # sacreBLEU takes streams of equal length; None stands for "no further reference".
    streams = [[refs[k] if k < len(refs) else None for refs in references] for k in range(most)]
    return sacrebleu.corpus_bleu(hypotheses, streams).score


def main() -> None:
    for corpus in CORPORA:
        corpus["bleu"] = score(corpus["hypotheses"], corpus["references"])
    written = {"signature": "sacrebleu " + sacrebleu.__version__, "corpora": CORPORA}
    Path(__file__).with_suffix(".json").write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
