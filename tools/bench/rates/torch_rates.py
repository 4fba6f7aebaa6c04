"""What torch reaches on this machine at the shapes of `webgpu_rates`, in f32 with TF32 off.

    python tools/bench/rates/torch_rates.py [side=4096] [tokens=1024] [repeats=5]

Needs torch alone, as in tools/train/requirements.txt. Without a CUDA device it measures the CPU.
"""

import sys
import time

import torch

D_MODEL, VOCABULARY = 768, 50_257


def asked(name: str, otherwise: int) -> int:
    """A number of the command line, as name=number."""
    given = [word.split("=")[1] for word in sys.argv[1:] if word.startswith(f"{name}=")]
    return int(given[0]) if given else otherwise


def rate(rows: int, inner: int, outer: int, repeats: int) -> None:
    """Prints the quickest of some rounds of `x @ weight.T`, as nn.Linear stores its weight."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.rand(rows, inner, device=device) * 2 - 1
    weight = torch.rand(outer, inner, device=device) * 2 - 1
    operations = 2 * rows * inner * outer
    at_once = min(max(10_000_000_000 // operations, 1), 64) if device == "cuda" else 1
    quickest = float("inf")
    for _ in range(repeats + 1):
        if device == "cuda":
            torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(at_once):
            found = x @ weight.T
        found[0].cpu()
        quickest = min(quickest, (time.perf_counter() - start) / at_once)
    rate = operations / quickest / 1e9
    print(f"{rows} × {inner} × {outer}: {quickest * 1e3:.3f} ms, {rate:.1f} GFLOP/s")


def main() -> None:
    """The shapes in the order of `webgpu_rates`."""
    torch.backends.cuda.matmul.allow_tf32 = False
    name = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    print(f"torch {torch.__version__} on {name}, f32, TF32 off")
    side, tokens, repeats = asked("side", 4096), asked("tokens", 1024), asked("repeats", 5)
    rate(side, side, side, repeats)
    for inner, outer in [(D_MODEL, D_MODEL), (D_MODEL, 4 * D_MODEL), (4 * D_MODEL, D_MODEL)]:
        rate(tokens, inner, outer, repeats)
    for rows in [32, 8, 1]:
        rate(rows, D_MODEL, 4 * D_MODEL, repeats)
    rate(1, D_MODEL, VOCABULARY, repeats)


if __name__ == "__main__":
    main()
