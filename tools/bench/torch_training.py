"""Serves steps of training by PyTorch on one thread, eager: `torch_training.py FOLDER`. A line of
standard input is a batch, lists of ids of one length; the answer is a line with the loss and the
milliseconds of the step. Needs torch and transformers."""

import json
import sys
import time

import torch
from transformers import AutoModelForCausalLM

torch.set_num_threads(1)
model = AutoModelForCausalLM.from_pretrained(sys.argv[1], attn_implementation="eager").eval()
optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3)
print("ready", flush=True)
for line in sys.stdin:
    ids = torch.tensor(json.loads(line))
    start = time.perf_counter()
    logits = model(input_ids=ids[:, :-1], use_cache=False).logits
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    print(json.dumps([loss.item(), 1000 * (time.perf_counter() - start)]), flush=True)
