import { describe, expect, it } from "vitest";
import { Loader } from "./loader.js";

/** A task that finishes when told to. */
function task<Answer>(): {
  run: () => Promise<Answer>;
  finish: (answer: Answer) => void;
  fail: () => void;
  started: () => boolean;
} {
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
  return {
    run,
    finish: (answer) => resolve(answer),
    fail: () => reject(new Error("no")),
    started: () => started,
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("a loader", () => {
  it("shows an answer although a newer wish waits, and skips the wishes between", async () => {
    const loader = new Loader<string>(() => undefined);
    const [first, second, third] = [task<string>(), task<string>(), task<string>()];
    loader.want("1", first.run);
    loader.want("2", second.run);
    loader.want("3", third.run);
    first.finish("one");
    await settle();
    expect([loader.value, second.started(), third.started()]).toEqual(["one", false, true]);
    expect(loader.stale).toBe(true);
    third.finish("three");
    await settle();
    expect([loader.value, loader.stale]).toEqual(["three", false]);
  });

  it("waits for nothing once what waited was let go by those who heard of the answer before", async () => {
    const heard: string[] = [];
    const loader: Loader<string> = new Loader<string>(() => {
      heard.push("more");
      // As a page that renders in the next turn.
      queueMicrotask(() => loader.clear());
    });
    const [first, second, third] = [task<string>(), task<string>(), task<string>()];
    loader.want("1", first.run);
    loader.want("2", second.run);
    first.finish("one");
    await settle();
    expect([loader.loading, second.started(), heard]).toEqual([false, false, ["more"]]);
    loader.want("3", third.run);
    expect([loader.loading, third.started()]).toEqual([true, true]);
  });

  it("asks once for one thing, so that a failure is not repeated at every change", async () => {
    const loader = new Loader<string>(() => undefined);
    const [first, again, other] = [task<string>(), task<string>(), task<string>()];
    loader.want("1", first.run);
    first.fail();
    await settle();
    loader.want("1", again.run);
    loader.want("2", other.run);
    expect([loader.failure, loader.loading, again.started(), other.started()]).toEqual([
      new Error("no"),
      true,
      false,
      true,
    ]);
    other.finish("two");
    await settle();
    expect([loader.value, loader.loading]).toEqual(["two", false]);
  });

  it("has no failure any more when something newer could be loaded, or when it was forgiven, and then asks again", async () => {
    const loader = new Loader<string>(() => undefined);
    const [first, second, third, fourth] = [
      task<string>(),
      task<string>(),
      task<string>(),
      task<string>(),
    ];
    loader.want("1", first.run);
    first.fail();
    await settle();
    loader.want("2", second.run);
    second.finish("two");
    await settle();
    expect(loader.failure).toBeNull();
    loader.want("3", third.run);
    third.fail();
    await settle();
    loader.forgive();
    expect([loader.failure, loader.value]).toEqual([null, "two"]);
    loader.want("3", fourth.run);
    expect(fourth.started()).toBe(true);
  });

  it("does not show what arrives after it was cleared", async () => {
    const loader = new Loader<string>(() => undefined);
    const late = task<string>();
    loader.want("1", late.run);
    loader.clear();
    late.finish("late");
    await settle();
    expect(loader.value).toBeNull();
  });

  it("does not show what was asked for before it was cleared, even while something newer is wanted", async () => {
    const loader = new Loader<string>(() => undefined);
    const [old, next] = [task<string>(), task<string>()];
    loader.want("1", old.run);
    loader.clear();
    loader.want("2", next.run);
    old.finish("old");
    await settle();
    expect(loader.value).toBeNull();
    next.finish("next");
    await settle();
    expect(loader.value).toBe("next");
  });
});
