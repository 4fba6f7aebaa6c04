#!/usr/bin/env bash
# onnxruntime 1.32.0: a query that may look at no key, as left padding gives it, has other results by how its mask is written.
#
# The operator `Attention` of ONNX gives zeros, as its text says, and does so also where the mask adds the least float that there
# is, as transformers writes masks; the reference of `onnx` 1.23.2 takes that number as it is and gives the mean of all values.
# onnxruntime's own `MultiHeadAttention` adds -10000 for padding, which the softmax takes out again where every key has it: such
# a row looks at the padding as if there were no mask. A bias of -inf gives it NaN.
#
# Output seen, of values 1, 2, 3 with scores 0, 0, ln 2, where no mask gives 2.25:
#   Attention, boolean mask: 0.0
#   Attention, -inf: 0.0
#   Attention, least float: 0.0
#   the reference, least float: 2.0
#   MultiHeadAttention, padding mask: 2.25
#   MultiHeadAttention, -inf: nan
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

TYPES = {"float32": TensorProto.FLOAT, "int32": TensorProto.INT32, "bool": TensorProto.BOOL}


def model_of(operator, domain, feeds, names, **settings):
    inputs = [helper.make_tensor_value_info(name, TYPES[str(x.dtype)], x.shape) for name, x in feeds.items()]
    output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, None)
    node = helper.make_node(operator, names, ["Y"], domain=domain, **settings)
    graph = helper.make_graph([node], "head", inputs, [output])
    opsets = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def show(words, found):
    print(f"{words}: {round(float(found[0].reshape(-1)[0]), 3)}")


def by_runtime(model, feeds):
    options = onnxruntime.SessionOptions()
    providers = ["CPUExecutionProvider"]
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers).run(None, feeds)


query = np.ones((1, 1, 1), np.float32)
keys = np.array([0, 0, np.log(2)], np.float32).reshape(1, 3, 1)
values = np.array([1, 2, 3], np.float32).reshape(1, 3, 1)
head = {"Q": query[None], "K": keys[None], "V": values[None]}
least = np.full((1, 3), np.finfo(np.float32).min, np.float32)
masks = {
    "boolean mask": np.zeros((1, 3), bool), "-inf": np.full((1, 3), -np.inf, np.float32), "least float": least,
}
for words, mask in masks.items():
    feeds = {**head, "M": mask}
    model = model_of("Attention", "", feeds, ["Q", "K", "V", "M"])
    show(f"Attention, {words}", by_runtime(model, feeds))
    if words == "least float":
        show(f"the reference, {words}", ReferenceEvaluator(model).run(None, feeds))
flat = {"Q": query, "K": keys, "V": values}
for words, more, names in [
    ("padding mask", {"M": np.zeros((1, 3), np.int32)}, ["Q", "K", "V", "", "M"]),
    ("-inf", {"B": np.full((1, 1, 1, 3), -np.inf, np.float32)}, ["Q", "K", "V", "", "", "B"]),
]:
    feeds = {**flat, **more}
    model = model_of("MultiHeadAttention", "com.microsoft", feeds, names, num_heads=1)
    show(f"MultiHeadAttention, {words}", by_runtime(model, feeds))
PYTHON

"$folder/venv/bin/python" "$folder/try.py" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
