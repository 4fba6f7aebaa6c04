"""Do more heads help? The translator with 1 to 16 heads at equal width and equal, short training.

Every run differs from `train_en_fr.py` in its number of heads and the length of its
schedule alone. Writes `heads.json` beside the model's card, whose table it is.

    python head_table.py --data fra-eng.zip --work work/heads --out ../../models/en-fr
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import MarianMTModel

from corpus import read_pairs, split
from evaluate_en_fr import scores, translate
from train_en_fr import configuration

HEADS = (1, 2, 4, 8, 16)
STEPS = 400


def trained(heads: int, data: Path, work: Path) -> dict:
    """Trains with so many heads, or goes on; then what it reached."""
    script = Path(__file__).with_name("train_en_fr.py")
    command = [sys.executable, str(script), "--data", str(data), "--work", str(work)]
    subprocess.run([*command, "--steps", str(STEPS), "--heads", str(heads)], check=True)
    last = json.loads((work / "log.jsonl").read_text().splitlines()[-1])
    return {
        "heads": heads,
        "head_width": configuration(1).d_model // heads,
        "validation_loss": last["validation_loss"],
    }


def bleu(heads: int, data: Path, work: Path) -> dict:
    """Greedy, on the held-out sources."""
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    model = MarianMTModel(configuration(tokenizer.get_vocab_size(), heads)).eval()
    model.load_state_dict(torch.load(work / "checkpoint.pt", weights_only=True)["average"])
    _, _, test = split(read_pairs(data))
    return scores(translate(model, tokenizer, list(test), beams=1), list(test.values()))


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--data", type=Path, required=True, help="path of fra-eng.zip")
    arguments.add_argument("--work", type=Path, required=True, help="folder for the runs")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the translator")
    options = arguments.parse_args()
    rows = []
    for heads in HEADS:
        work = options.work / str(heads)
        rows.append(trained(heads, options.data, work) | bleu(heads, options.data, work))
        print(json.dumps(rows[-1]), flush=True)
        (options.out / "heads.json").write_text(
            json.dumps({"steps": STEPS, "rows": rows}, indent=2) + "\n"
        )


if __name__ == "__main__":
    main()
