"""Trains the English-French translator (Marian architecture, Vaswani et al. 2017).

Seeded and resumable: a checkpoint is written every few hundred steps, and the
same command goes on from it. Batches of an epoch depend on the seed and the
epoch alone, so a resumed run sees the batches that it would have seen.

    python train_en_fr.py --data fra-eng.zip --work work/en-fr --steps 3600
"""

import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import MarianConfig, MarianMTModel

from build_tokenizer import build
from corpus import read_pairs, split

SEED = 1706
BATCH_TOKENS = 4000
PEAK_RATE = 1.5e-3
WARM_UP_STEPS = 400
LABEL_SMOOTHING = 0.1
CLIP_NORM = 1.0
AVERAGE_DECAY = 0.998
PAD_ID, EOS_ID = 0, 1
CHECKPOINT_EVERY = 200


def configuration(vocabulary: int) -> MarianConfig:
    return MarianConfig(
        vocab_size=vocabulary,
        d_model=192,
        encoder_layers=3,
        decoder_layers=3,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=768,
        decoder_ffn_dim=768,
        activation_function="relu",
        dropout=0.1,
        attention_dropout=0.0,
        activation_dropout=0.0,
        max_position_embeddings=256,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        init_std=192**-0.5 / 2,
        pad_token_id=PAD_ID,
        eos_token_id=EOS_ID,
        bos_token_id=None,
        decoder_start_token_id=PAD_ID,
        forced_eos_token_id=None,
    )


def epoch_batches(examples: list[tuple[list[int], list[int]]], epoch: int) -> list[list[int]]:
    """Examples of like length together, at most BATCH_TOKENS padded tokens a side."""
    rng = random.Random(SEED * 1000 + epoch)
    order = list(range(len(examples)))
    rng.shuffle(order)
    order.sort(key=lambda i: (len(examples[i][1]), len(examples[i][0])))
    batches, batch, widest = [], [], 0
    for i in order:
        width = max(widest, *map(len, examples[i]))
        if batch and width * (len(batch) + 1) > BATCH_TOKENS:
            batches.append(batch)
            batch, width = [], max(map(len, examples[i]))
        batch.append(i)
        widest = width
    batches.append(batch)
    rng.shuffle(batches)
    return batches


def padded(rows: list[list[int]]) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [PAD_ID] * (width - len(row)) for row in rows])


def loss_of(model: MarianMTModel, sources: list, targets: list, smoothing: float) -> torch.Tensor:
    source, target = padded(sources), padded(targets)
    # Lengths, not ids, say what is padding: the start token shares the padding id.
    lengths = torch.tensor([len(row) for row in targets])
    mask = (torch.arange(source.shape[1]) < torch.tensor([[len(r)] for r in sources])).long()
    inputs = torch.cat([torch.full((len(targets), 1), PAD_ID), target[:, :-1]], dim=1)
    labels = target.masked_fill(torch.arange(target.shape[1]) >= lengths[:, None], -100)
    logits = model(input_ids=source, attention_mask=mask, decoder_input_ids=inputs, use_cache=False).logits
    return functional.cross_entropy(
        logits.float().flatten(0, 1), labels.flatten(), ignore_index=-100, label_smoothing=smoothing
    )


def learning_rate(step: int, steps: int) -> float:
    if step < WARM_UP_STEPS:
        return PEAK_RATE * (step + 1) / WARM_UP_STEPS
    return PEAK_RATE * 0.5 * (1 + math.cos(math.pi * (step - WARM_UP_STEPS) / max(1, steps - WARM_UP_STEPS)))


def save(path: Path, state: dict) -> None:
    torch.save(state, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True, help="path of fra-eng.zip")
    arguments.add_argument("--work", type=Path, required=True, help="folder for checkpoints and the log")
    arguments.add_argument("--steps", type=int, default=3600, help="length of the schedule")
    arguments.add_argument("--stop-after", type=int, help="stop early, the schedule unchanged")
    options = arguments.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    train, validation, _ = split(read_pairs(options.data))
    vocabulary_file = options.work / "tokenizer.json"
    if not vocabulary_file.exists():
        build([text for pair in train for text in pair]).save(str(vocabulary_file))
    tokenizer = Tokenizer.from_file(str(vocabulary_file))

    def encoded(pairs: list) -> list[tuple[list[int], list[int]]]:
        sources = tokenizer.encode_batch([s for s, _ in pairs])
        targets = tokenizer.encode_batch([t for _, t in pairs])
        return [(s.ids, t.ids) for s, t in zip(sources, targets)]

    examples = encoded(train)
    held_out = encoded([(s, targets[0]) for s, targets in validation.items()])

    torch.manual_seed(SEED)
    model = MarianMTModel(configuration(tokenizer.get_vocab_size()))
    decayed = [p for p in model.parameters() if p.requires_grad and p.dim() > 1]
    plain = [p for p in model.parameters() if p.requires_grad and p.dim() <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}],
        lr=0.0, betas=(0.9, 0.98), eps=1e-9,
    )
    average = {name: value.clone() for name, value in model.state_dict().items()}
    step = 0
    checkpoint = options.work / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        average, step = state["average"], state["step"]
    print(f"{len(examples)} training pairs, {model.num_parameters()} parameters, from step {step}", flush=True)

    log = (options.work / "log.jsonl").open("a")
    batches_per_epoch, epoch, batches = len(epoch_batches(examples, 0)), -1, []
    started, recent = time.monotonic(), []
    last = min(options.steps, options.stop_after or options.steps)
    while step < last:
        if step // batches_per_epoch != epoch:
            epoch = step // batches_per_epoch
            batches = epoch_batches(examples, epoch)
        chosen = [examples[i] for i in batches[step % batches_per_epoch]]
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, options.steps)
        torch.manual_seed(SEED + step)
        model.train()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = loss_of(model, [s for s, _ in chosen], [t for _, t in chosen], LABEL_SMOOTHING)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP_NORM)
        optimiser.step()
        step += 1
        decay = min(AVERAGE_DECAY, step / (step + 10))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                average[name].lerp_(value, 1 - decay)
        recent.append(loss.item())
        if step <= 20 or step % 20 == 0:
            entry = {"step": step, "loss": round(sum(recent) / len(recent), 4)}
            recent = []
            if step % CHECKPOINT_EVERY == 0 or step == last:
                model.eval()
                with torch.no_grad():
                    losses = [
                        loss_of(model, [s for s, _ in part], [t for _, t in part], 0.0).item()
                        for part in (held_out[i : i + 100] for i in range(0, len(held_out), 100))
                    ]
                entry["validation_loss"] = round(sum(losses) / len(losses), 4)
                save(checkpoint, {"model": model.state_dict(), "optimiser": optimiser.state_dict(),
                                  "average": average, "step": step})
            entry["seconds"] = round(time.monotonic() - started, 1)
            log.write(json.dumps(entry) + "\n")
            log.flush()
            print(entry, flush=True)


if __name__ == "__main__":
    main()
