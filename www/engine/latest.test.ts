import { describe, expect, it } from "vitest";
import { latest } from "./latest.js";

/** Resolves when told to, rejects when aborted. */
function controlled(): {
  task: (signal: AbortSignal, name: string) => Promise<string>;
  finish: Map<string, () => void>;
} {
  const finish = new Map<string, () => void>();
  const task = (signal: AbortSignal, name: string): Promise<string> =>
    new Promise((resolve, reject) => {
      finish.set(name, () => resolve(name));
      signal.addEventListener("abort", () => reject(new Error(`${name} aborted`)));
    });
  return { task, finish };
}

describe("latest", () => {
  it("a newer call stops the older one, which gives null", async () => {
    const { task, finish } = controlled();
    const run = latest(task);
    const older = run("older");
    const newer = run("newer");
    finish.get("newer")?.();
    expect(await Promise.all([older, newer])).toEqual([null, "newer"]);
  });

  it("an older result that comes too late is dropped", async () => {
    const finish: (() => void)[] = [];
    const run = latest(
      (_, name: string) => new Promise<string>((resolve) => finish.push(() => resolve(name))),
    );
    const older = run("older");
    const newer = run("newer");
    finish[1]?.();
    finish[0]?.();
    expect(await Promise.all([older, newer])).toEqual([null, "newer"]);
  });

  it("a failure of the newest call is thrown", async () => {
    const run = latest(() => Promise.reject(new Error("refused")));
    await expect(run()).rejects.toThrow("refused");
  });
});
