import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { patiently } from "./patience.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);

it("refuses what does not answer, and has time for what is known to be slow", async () => {
  const [real, software] = [false, true].map((slow) => patiently(slow, never).catch((thrown: unknown) => thrown));
  const heard = vi.fn();
  void software?.then(heard);
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(real).resolves.toMatchObject({ code: "gpu/unavailable" });
  expect(heard).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(heard).toHaveBeenCalledTimes(1);
});

it("waits for as long as pieces arrive, and leaves no clock behind", async () => {
  const answer = patiently(false, async (goesOn) => {
    for (let piece = 0; piece < 4; piece += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      goesOn();
    }
    return "all";
  });
  await vi.advanceTimersByTimeAsync(80_000);
  await expect(answer).resolves.toBe("all");
  expect(vi.getTimerCount()).toBe(0);
  await expect(patiently(false, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});
