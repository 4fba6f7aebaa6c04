import { describe, expect, it } from "vitest";
import { relay } from "./relay.js";

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("relay", () => {
  it("gives every pushed value in order, also those pushed in one go or just before the end", async () => {
    const values = relay<number>(async (push) => {
      push(1);
      await turn();
      push(2);
      push(3);
      await turn();
      push(4);
    });
    expect(await collect(values)).toEqual([1, 2, 3, 4]);
  });

  it("values that arrive while the reader is slow are kept", async () => {
    const seen: number[] = [];
    for await (const value of relay<number>((push) => {
      [1, 2, 3].forEach((each) => setTimeout(() => push(each)));
      return new Promise((resolve) => setTimeout(resolve, 20));
    })) {
      seen.push(value);
      await turn();
      await turn();
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  it("throws what the task throws, after what it pushed", async () => {
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of relay<number>((push) => {
        push(1);
        return Promise.reject(new Error("broke"));
      })) {
        seen.push(value);
      }
    })();
    await expect(reading).rejects.toThrow("broke");
    expect(seen).toEqual([1]);
  });

  it("leaving the loop stops the task", async () => {
    let stopped: AbortSignal | undefined;
    for await (const value of relay<number>((push, signal) => {
      stopped = signal;
      push(1);
      return new Promise(() => undefined);
    })) {
      expect(value).toBe(1);
      break;
    }
    expect(stopped?.aborted).toBe(true);
  });

  it("an outer signal stops the task", async () => {
    const controller = new AbortController();
    const values = relay<number>(
      (_, signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        ),
      controller.signal,
    );
    const reading = collect(values);
    await turn();
    controller.abort();
    await expect(reading).rejects.toThrow("stopped");
  });
});
