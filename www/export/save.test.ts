// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const NAMES = ["a.csv", "b.csv", "c.csv"];

let handed: { name: string; at: number }[] = [];
let save: (file: Blob, name: string) => Promise<void>;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:made");
  handed = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.download === "torn.csv") throw new Error("torn");
    handed.push({ name: this.download, at: Date.now() });
  });
  // Each test begins with nothing under way.
  vi.resetModules();
  ({ save } = await import("./save.js"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("saving", () => {
  it("hands a single file over at once", async () => {
    const began = Date.now();
    await save(new Blob(), "a.csv");
    expect(handed).toEqual([{ name: "a.csv", at: began }]);
  });

  it("hands many over in their order, fewer than ten a second, and each is done when it was handed over", async () => {
    const done: string[] = [];
    for (const name of NAMES) void save(new Blob(), name).then(() => done.push(name));
    await vi.advanceTimersByTimeAsync(110);
    expect(done).toEqual(["a.csv"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(done).toEqual(NAMES);
    expect(handed.map(({ name }) => name)).toEqual(NAMES);
    const waits = handed.slice(1).map(({ at }, index) => at - (handed[index]?.at ?? 0));
    expect(Math.min(...waits)).toBeGreaterThan(100);
  });

  it("goes on after a file that could not be handed over", async () => {
    const torn = save(new Blob(), "torn.csv").catch((thrown: unknown) => String(thrown));
    const next = save(new Blob(), "a.csv");
    await vi.advanceTimersByTimeAsync(500);
    expect(await torn).toContain("torn");
    await next;
    expect(handed.map(({ name }) => name)).toEqual(["a.csv"]);
  });
});
