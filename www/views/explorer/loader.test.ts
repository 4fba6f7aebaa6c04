import { describe, expect, it } from "vitest";
import { Loader } from "./loader.js";

/** A task that finishes when told to. */
function task<Answer>(): { run: () => Promise<Answer>; finish: (answer: Answer) => void; fail: () => void; started: () => boolean } {
  let resolve: (answer: Answer) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  let started = false;
  const promise = new Promise<Answer>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  const run = (): Promise<Answer> => {
    started = true;
    return promise;
  };
  return { run, finish: (answer) => resolve(answer), fail: () => reject(new Error("no")), started: () => started };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("a loader", () => {
  it("shows an answer although a newer wish waits, and skips the wishes between", async () => {
    const loader = new Loader<string>(() => undefined, () => undefined);
    const [first, second, third] = [task<string>(), task<string>(), task<string>()];
    loader.want("1", first.run);
    loader.want("2", second.run);
    loader.want("3", third.run);
    first.finish("one");
    await settle();
    expect([loader.value, second.started(), third.started()]).toEqual(["one", false, true]);
    third.finish("three");
    await settle();
    expect(loader.value).toBe("three");
  });

  it("asks once for one thing, and again after a failure", async () => {
    const failures: unknown[] = [];
    const loader = new Loader<string>(() => undefined, (error) => failures.push(error));
    const first = task<string>();
    const again = task<string>();
    loader.want("1", first.run);
    loader.want("1", again.run);
    first.fail();
    await settle();
    expect([failures.length, again.started()]).toEqual([1, false]);
    loader.want("1", again.run);
    expect(again.started()).toBe(true);
  });

  it("does not show what arrives after it was cleared", async () => {
    const loader = new Loader<string>(() => undefined, () => undefined);
    const late = task<string>();
    loader.want("1", late.run);
    loader.clear();
    late.finish("late");
    await settle();
    expect(loader.value).toBeNull();
  });
});
