"""The training loop of all bundled models: seeded, resumable, f32 on the CPU.

What differs between them is a `Task`: a model, the loss of the batch of a step, and the
loss on validation data. Batches and dropout depend on the seed and the step alone, so a
resumed run sees what it would have seen.
"""

import argparse
import json
import time
from abc import ABC, abstractmethod
from pathlib import Path

import torch
from safetensors.torch import save_file

from optimiser import MuonAndAdamW

SEED = 1706
CLIP_NORM = 1.0
CHECKPOINT_EVERY = 200
LOG_EVERY = 20
# Every one of the first steps is logged, so that another machine can see that it trains the same
# thing.
LOGGED_SINGLY = 20


class Task(ABC):
    """A model and what it is trained on."""

    model: torch.nn.Module
    muon_rate = 3e-3
    adam_rate = 1.5e-3
    warm_up_steps = 150
    # The rate falls to zero by itself, so the average need not reach far back.
    average_decay = 0.99

    @abstractmethod
    def loss(self, step: int) -> torch.Tensor:
        """The training loss of the batch that belongs to a step."""

    @abstractmethod
    def validation_loss(self) -> float:
        """Cross-entropy per token, or per image, on the validation data, in nats; the model is in
        eval mode."""


def arguments(description: str, steps: int, reads_pairs: bool = True) -> argparse.ArgumentParser:
    """What every training script can be told; one that draws its data needs no file."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    if reads_pairs:
        parser.add_argument("--data", type=Path, required=True, help="path of fra-eng.zip")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for checkpoints and the log"
    )
    parser.add_argument(
        "--steps", type=int, default=steps, help=f"length of the schedule (default {steps})"
    )
    parser.add_argument("--stop-after", type=int, help="stop early, the schedule unchanged")
    parser.add_argument(
        "--keep",
        type=int,
        nargs="*",
        default=[],
        help="steps whose weights stay in kept/, for checkpoints.py",
    )
    return parser


def rate_fraction(step: int, steps: int, warm_up_steps: int) -> float:
    """Linear warm-up, then linear to zero."""
    return min((step + 1) / warm_up_steps, (steps - step) / max(1, steps - warm_up_steps))


def save(path: Path, state: dict) -> None:
    torch.save(state, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


class Average:
    """A running average of the weights, which is what is validated and exported."""

    def __init__(self, model: torch.nn.Module, decay: float):
        self.decay = decay
        self.weights = {name: value.clone() for name, value in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model: torch.nn.Module, step: int) -> None:
        decay = min(self.decay, step / (step + 10))
        now = model.state_dict()
        torch._foreach_lerp_([self.weights[name] for name in now], list(now.values()), 1 - decay)

    def validate(self, task: Task) -> float:
        """The task's validation loss with the averaged weights."""
        trained = {name: value.clone() for name, value in task.model.state_dict().items()}
        task.model.load_state_dict(self.weights)
        task.model.eval()
        with torch.no_grad():
            loss = task.validation_loss()
        task.model.load_state_dict(trained)
        task.model.train()
        return loss


def train(task: Task, options: argparse.Namespace) -> None:
    """Trains from the last checkpoint in `options.work`, or from the start."""
    optimiser = MuonAndAdamW(task.model, task.muon_rate, task.adam_rate)
    average, step = Average(task.model, task.average_decay), 0
    checkpoint = options.work / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        task.model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        average.weights, step = state["average"], state["step"]
    parameters = sum(p.numel() for p in task.model.parameters() if p.requires_grad)
    print(f"{parameters} trained parameters, from step {step}", flush=True)

    kept = options.work / "kept"
    kept.mkdir(exist_ok=True)
    if step == 0 and 0 in options.keep:
        save_file(average.weights, kept / "0.safetensors")

    task.model.train()
    last = min(options.steps, options.stop_after or options.steps)
    started, recent = time.monotonic(), []
    with (options.work / "log.jsonl").open("a") as log:
        while step < last:
            torch.manual_seed(SEED + step)
            loss = task.loss(step)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(task.model.parameters(), CLIP_NORM)
            optimiser.step(rate_fraction(step, options.steps, task.warm_up_steps))
            step += 1
            average.update(task.model, step)
            if step in options.keep:
                save_file(average.weights, kept / f"{step}.safetensors")
            recent.append(loss.item())
            at_checkpoint = step % CHECKPOINT_EVERY == 0 or step == last
            if step > LOGGED_SINGLY and step % LOG_EVERY and not at_checkpoint:
                continue
            entry = {"step": step, "loss": round(sum(recent) / len(recent), 4)}
            recent = []
            if at_checkpoint:
                entry["validation_loss"] = round(average.validate(task), 4)
                save(
                    checkpoint,
                    {
                        "model": task.model.state_dict(),
                        "optimiser": optimiser.state_dict(),
                        "average": average.weights,
                        "step": step,
                    },
                )
            entry["seconds"] = round(time.monotonic() - started, 1)
            log.write(json.dumps(entry) + "\n")
            log.flush()
            print(entry, flush=True)
