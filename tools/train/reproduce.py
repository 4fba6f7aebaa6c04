"""Trains the first 200 steps of a bundled model again and compares the losses with its training
curve.

Another processor sums in another order, so losses drift apart slowly; they still must
agree far better than two different seeds would. The tokenizer is the model's own: the
trainer of WordPiece numbers single characters in no fixed order.

    python reproduce.py --data fra-eng.zip --model ../../models/tiny-gpt
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bundled import command_line

STEPS = 200
# Two seeds differ by some 0.05 in these means of losses around 4 to 8.
LARGEST_DIFFERENCE = 0.02


def losses(path: Path) -> dict[int, float]:
    entries = map(json.loads, path.read_text().splitlines())
    return {entry["step"]: entry["loss"] for entry in entries if entry["step"] <= STEPS}


def main() -> None:
    options = command_line(__doc__)
    script = Path(__file__).with_name(f"train_{options.model.resolve().name.replace('-', '_')}.py")
    with tempfile.TemporaryDirectory() as work:
        shutil.copy(options.model / "tokenizer.json", work)
        command = [
            sys.executable,
            str(script),
            "--data",
            str(options.data),
            "--work",
            work,
            "--stop-after",
            str(STEPS),
        ]
        subprocess.run(command, check=True)
        now = losses(Path(work) / "log.jsonl")
    then = losses(options.model / "training-curve.jsonl")
    largest = max(abs(now[step] - then[step]) for step in then)
    print(f"{len(then)} losses of the first {STEPS} steps: largest difference {largest:.4f}")
    if now.keys() != then.keys() or largest > LARGEST_DIFFERENCE:
        sys.exit("The training does not reproduce.")


if __name__ == "__main__":
    main()
