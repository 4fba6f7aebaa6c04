import { expect, it } from "vitest";
import { Pool } from "./pool.js";

it("a pool stops making what no caller waits for, and tries anew what could not be made", async () => {
  const pool = new Pool<string>(() => undefined);
  let signal: AbortSignal | undefined;
  const { release } = pool.take("a", (given) => {
    signal = given;
    return new Promise(() => undefined);
  });
  expect(signal?.aborted).toBe(false);
  release();
  expect(signal?.aborted).toBe(true);
  const failing = pool.take("b", () => Promise.reject(new Error("no network")));
  await expect(failing.value).rejects.toThrow("no network");
  await expect(pool.take("b", () => Promise.resolve("b")).value).resolves.toBe("b");
});
