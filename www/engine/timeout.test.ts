import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gpuTimeout } from "./timeout.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const after = (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis));

it("refuses what does not answer, and has time for what is known to be slow", async () => {
  const [real, software] = [false, true].map((slow) =>
    gpuTimeout(slow)
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

it("waits for as long as another question is answered, and leaves no clock behind", async () => {
  const timeout = gpuTimeout(false);
  const late = timeout.for(() => after(100_000).then(() => "late"));
  const other = timeout.for(() => after(50_000).then(() => "other"));
  await vi.advanceTimersByTimeAsync(100_000);
  await expect(Promise.all([late, other])).resolves.toEqual(["late", "other"]);
  expect(vi.getTimerCount()).toBe(0);
  await expect(timeout.for(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});
