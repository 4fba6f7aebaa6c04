#!/usr/bin/env bash
# onnx 1.23.2 and onnxruntime 1.32.0: the scores that `Attention` gives out beside its result are two different numbers.
#
# The operator's fourth output holds what was computed on the way. `qk_matmul_output_mode` 0 asks for the scores themselves, 1 for
# those behind the soft cap, as in Gemma 2. The reference evaluator of `onnx`, against which runtimes are tested, gives the capped
# ones for both; onnxruntime gives what the description says. The operator's result is the same in both, so that only who reads
# the scores, to draw or to compare them, meets it, and only in a model that has a cap.
#
# Output seen:
#   no cap, mode 0: reference 3.0, onnxruntime 3.0
#   cap 1, mode 0: reference 0.995, onnxruntime 3.0
#   cap 1, mode 1: reference 0.995, onnxruntime 0.995
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0

cat > "$folder/try.py" <<'PYTHON'
import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator


def attention(cap, mode):
    """A model of one head with one query, one key and an empty cache, which has all four outputs."""
    cached = [1, 1, 0, 1]
    shapes = {"Q": [1, 1, 1, 1], "K": [1, 1, 1, 1], "V": [1, 1, 1, 1], "PK": cached, "PV": cached}
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    names = ["Y", "present_key", "present_value", "scores"]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
    node = helper.make_node(
        "Attention", ["Q", "K", "V", "", "PK", "PV"], names, softcap=cap, qk_matmul_output_mode=mode
    )
    graph = helper.make_graph([node], "head", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)


one = np.ones((1, 1, 1, 1), np.float32)
none = np.zeros((1, 1, 0, 1), np.float32)
feeds = {"Q": 3 * one, "K": one, "V": one, "PK": none, "PV": none}
for words, cap, mode in [("no cap, mode 0", 0.0, 0), ("cap 1, mode 0", 1.0, 0), ("cap 1, mode 1", 1.0, 1)]:
    model = attention(cap, mode)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = [ReferenceEvaluator(model).run(None, feeds)[3], session.run(None, feeds)[3]]
    reference, runtime = (round(float(scores.item()), 3) for scores in found)
    print(f"{words}: reference {reference}, onnxruntime {runtime}")
PYTHON

"$folder/venv/bin/python" "$folder/try.py" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
