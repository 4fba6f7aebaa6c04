"""Writes the pages of the tests of notebooks, and their weights: `notebook_pages.py FOLDER`."""

import base64
import json
import sys
from pathlib import Path

import numpy as np

import headscope

folder = Path(sys.argv[1])
scores = 2 * np.random.default_rng(3).standard_normal((2, 3, 5, 5))
scores += np.triu(np.full((5, 5), -np.inf), 1)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
tokens = ["The", "cat", "sat", "<on>", "猫"]

figure = headscope.attention(weights, tokens, layer=1, head=2, pair=(3, 1), title="Cats & mats")
figure.save(folder / "figure.html")
figure.save(folder / "zh.html", language="zh-CN")
sinks = headscope.attention(weights[0, 0] * 0.5, tokens, view="lines")
sinks.save(folder / "sinks.html")
# What a notebook sends to the script.
state = dict(figure.get_state())
state["_numbers"] = base64.b64encode(state["_numbers"]).decode()
own = ("stack", "layer", "head", "pair", "view", "_description", "_numbers")
(folder / "state.json").write_text(json.dumps({name: state[name] for name in own}))
(folder / "weights.json").write_text(json.dumps(weights.tolist()))
