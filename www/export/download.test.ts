// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { download } from "./download.js";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("starts one download at a time and fewer than ten a second, also after one that fails", async () => {
  vi.useFakeTimers();
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:made");
  const handed: { name: string; at: number }[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.download === "torn.csv") throw new Error("torn");
    handed.push({ name: this.download, at: Date.now() });
  });
  const done: string[] = [];
  const asked = ["a.csv", "torn.csv", "b.csv", "c.csv"].map((name) =>
    download(new Blob(), name).then(
      () => done.push(name),
      (thrown: unknown) => done.push(String(thrown)),
    ),
  );
  await vi.advanceTimersByTimeAsync(110);
  expect(done).toEqual(["a.csv"]);
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all(asked);
  expect(done).toEqual(["a.csv", "Error: torn", "b.csv", "c.csv"]);
  expect(handed.map(({ name }) => name)).toEqual(["a.csv", "b.csv", "c.csv"]);
  const waits = handed.slice(1).map(({ at }, index) => at - (handed[index]?.at ?? 0));
  expect(Math.min(...waits)).toBeGreaterThan(100);
});
