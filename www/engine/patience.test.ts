import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gpuPatience } from "./patience.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const after = (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis));

it("refuses what does not answer, and has time for what is known to be slow", async () => {
  const [real, software] = [false, true].map((slow) =>
    gpuPatience(slow)
      .for(never)
      .catch((thrown: unknown) => thrown),
  );
  const heard = vi.fn();
  void software?.then(heard);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(real).resolves.toMatchObject({
    code: "gpu/silent",
    got: "no answer within 60 seconds",
  });
  expect(heard).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(240_000);
  expect(heard).toHaveBeenCalledTimes(1);
});

it("waits for as long as anything is heard, be it a piece or the answer to another question, and leaves no clock behind", async () => {
  const patience = gpuPatience(false);
  const late = patience.for(() => after(170_000).then(() => "late"));
  const piecemeal = patience.for(async () => {
    for (let piece = 0; piece < 2; piece += 1) {
      await after(50_000);
      patience.heard();
    }
    await after(50_000);
    return "all";
  });
  await vi.advanceTimersByTimeAsync(150_000);
  await expect(piecemeal).resolves.toBe("all");
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(late).resolves.toBe("late");
  expect(vi.getTimerCount()).toBe(0);
  await expect(patience.for(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});
