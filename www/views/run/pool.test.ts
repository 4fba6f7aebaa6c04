import { afterEach, describe, expect, it, vi } from "vitest";
import { Pool } from "./pool.js";

afterEach(() => vi.useRealTimers());

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("a pool", () => {
  it("makes a thing once for all its users, and ends it after the last", async () => {
    const ended: string[] = [];
    const pool = new Pool<string>((thing) => ended.push(thing));
    const make = vi.fn(() => Promise.resolve("a"));
    const one = pool.take("a", make);
    const other = pool.take("a", make);
    expect(await Promise.all([one.value, other.value])).toEqual(["a", "a"]);
    expect(make).toHaveBeenCalledTimes(1);
    one.release();
    one.release();
    await settle();
    expect(ended).toEqual([]);
    other.release();
    await settle();
    expect(ended).toEqual(["a"]);
    pool.take("a", make);
    expect(make).toHaveBeenCalledTimes(2);
  });

  it("stops the making when nobody waits any more", () => {
    const pool = new Pool<string>(() => undefined);
    let signal: AbortSignal | undefined;
    const lease = pool.take("a", (given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    expect(signal?.aborted).toBe(false);
    lease.release();
    expect(signal?.aborted).toBe(true);
  });

  it("lets a user come back for a while", async () => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const pool = new Pool<string>(ended, 1000);
    const make = vi.fn(() => Promise.resolve("a"));
    pool.take("a", make).release();
    await vi.advanceTimersByTimeAsync(999);
    const again = pool.take("a", make);
    await vi.advanceTimersByTimeAsync(5000);
    expect(make).toHaveBeenCalledTimes(1);
    expect(ended).not.toHaveBeenCalled();
    again.release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toHaveBeenCalledExactlyOnceWith("a");
  });

  it("tries anew what could not be made", async () => {
    const pool = new Pool<string>(() => undefined);
    const failed = pool.take("a", () => Promise.reject(new Error("no network")));
    await expect(failed.value).rejects.toThrow("no network");
    await expect(pool.take("a", () => Promise.resolve("a")).value).resolves.toBe("a");
  });
});
