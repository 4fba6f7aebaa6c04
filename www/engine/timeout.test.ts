import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gpuTimeout } from "./timeout.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const after = <T>(millis: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), millis));

it.each([
  [false, 60],
  [true, 300],
])("refuses what does not answer; of a slow GPU (%s) after %d seconds", async (slow, seconds) => {
  const refused = vi.fn();
  gpuTimeout(slow).for(never).catch(refused);
  await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
  expect(refused).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  const silent = { code: "gpu/silent", got: `no answer within ${seconds} seconds` };
  expect(refused).toHaveBeenCalledWith(expect.objectContaining(silent));
});

it("waits for as long as another question is answered, and leaves no clock behind", async () => {
  const timeout = gpuTimeout(false);
  const late = timeout.for(() => after(100_000, "late"));
  const other = timeout.for(() => after(50_000, "other"));
  await vi.advanceTimersByTimeAsync(100_000);
  await expect(Promise.all([late, other])).resolves.toEqual(["late", "other"]);
  await expect(timeout.for(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});
