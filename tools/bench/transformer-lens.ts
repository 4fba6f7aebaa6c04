/**
 * Grids of patches by TransformerLens on one thread of PyTorch, in a process of its own, which
 * `tests/reference/transformer_lens_patches.py` serves. `HEADSCOPE_PYTHON` names a Python that has
 * `transformer_lens`.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

const SCRIPT = "tests/reference/transformer_lens_patches.py";

export class TransformerLens {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: AsyncIterator<string>,
  ) {}

  /** Starts Python; resolves once the model is loaded. */
  static async open(): Promise<TransformerLens> {
    const python = process.env.HEADSCOPE_PYTHON ?? "python3";
    const env = { ...process.env, HF_HUB_OFFLINE: "1", TQDM_DISABLE: "1" };
    const stdio = ["pipe", "pipe", "inherit"] as const;
    const child = spawn(python, [SCRIPT, "--serve"], { env, stdio: [...stdio] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const own = new TransformerLens(child, lines);
    for (let line = ""; line !== "ready"; line = await own.line()) continue;
    return own;
  }

  /** The milliseconds of a grid of all heads, with the runs of both texts. */
  async time({ clean, corrupted }: { clean: number[]; corrupted: number[] }): Promise<number> {
    this.child.stdin.write(`${JSON.stringify([clean, corrupted])}\n`);
    return Number(await this.line());
  }

  close(): void {
    this.child.stdin.end();
  }

  private async line(): Promise<string> {
    const next = await this.lines.next();
    if (next.done !== true) return next.value;
    throw new Error(`${SCRIPT} ended: HEADSCOPE_PYTHON needs transformer_lens`);
  }
}
