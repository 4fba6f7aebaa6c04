"""The bytes of weights: what a reader sees is the weight itself."""

import base64
import json
import zlib
from decimal import ROUND_HALF_UP, Context, Decimal
from pathlib import Path

import numpy as np
import pytest

from attentions import softmax
from headscope.numbers import packed


def unpacked(packing, data):
    """The weights as the script reads them."""
    plain = zlib.decompress(data)
    count, exact = packing["count"], packing["exact"]
    width = {"short": 2, "float32": 4}[packing["encoding"]]
    assert len(plain) == count * width + exact * 8
    bits = np.zeros(count, np.uint32)
    for place in range(width):
        plane = np.frombuffer(plain, np.uint8, count, place * count)
        bits = (bits << np.uint32(8)) | plane
    if packing["encoding"] == "short":
        bits = np.where(bits == 0, bits, (bits + np.uint32(64 << 10)) << np.uint32(13))
    weights = bits.view(np.float32).copy()
    beside = plain[count * width :]
    weights[np.frombuffer(beside, "<u4", exact)] = np.frombuffer(beside, "<f4", exact, exact * 4)
    return weights


def words(weight):
    """A weight as the figure writes it: three decimals, or two digits of a small one."""
    if weight >= 0.0005:
        return str(Decimal(weight).quantize(Decimal("0.001"), ROUND_HALF_UP))
    return str(Context(prec=2, rounding=ROUND_HALF_UP).create_decimal(Decimal(weight)))


def tricky():
    """Weights of all sizes, those about where the words change among them."""
    random = np.random.default_rng(2)
    sizes = 10.0 ** random.uniform(-45, 0, 20_000)
    edges = np.concatenate(
        [np.arange(1, 1000) / 1000 - 0.0005, [0.0005, 1, 0, 1e-45, 2**-63, 9.95e-5]]
    )
    steps = [
        edges,
        np.nextafter(edges, 0, dtype=np.float32),
        np.nextafter(edges, 1, dtype=np.float32),
    ]
    return np.concatenate([sizes, *steps, softmax(64, 64).ravel()]).astype(np.float32)


def test_a_weight_is_shown_as_itself():
    given = tricky()
    packing, data = packed([given[:100], given[100:]], "short")
    read = unpacked(packing, data)
    wrong = [
        (before, after)
        for before, after in zip(given.tolist(), read.tolist())
        if words(before) != words(after)
    ]
    assert wrong == []
    assert np.all(np.abs(read - given) <= given * 2.0**-11)


def test_all_bits_are_sent_where_they_are_asked_for():
    given = tricky()
    packing, data = packed([given], "float32")
    assert packing == {"encoding": "float32", "count": given.size, "exact": 0}
    np.testing.assert_array_equal(unpacked(packing, data), given)


@pytest.mark.parametrize("bits", [16, 13], ids=["bfloat16", "float16"])
def test_weights_of_shorter_types_are_exact(bits):
    mask = np.uint32(0xFFFFFFFF << bits & 0xFFFFFFFF)
    given = (softmax(64, 64).view(np.uint32) & mask).view(np.float32)
    packing, data = packed([given], "short")
    assert packing["exact"] == 0
    np.testing.assert_array_equal(unpacked(packing, data), given.ravel())


def test_a_weight_costs_two_bytes():
    packing, data = packed([softmax(4, 4, 64, 64)], "short")
    assert packing["exact"] < 0.02 * packing["count"]
    assert len(data) < 2 * packing["count"]


def test_the_script_reads_what_is_written():
    # The test of the script reads the same file.
    saved = json.loads(Path(__file__).with_name("packed.json").read_text(encoding="utf-8"))
    given = np.array(saved["weights"], np.float32)
    for packing in saved["packings"]:
        data = packing.pop("data")
        written, _ = packed([given], packing["encoding"])
        assert written == packing
        read = unpacked(packing, base64.b64decode(data))
        np.testing.assert_array_equal(read, np.array(saved[packing["encoding"]], np.float32))
