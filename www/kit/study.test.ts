// Questions and long work: what is asked again, what is kept, and what a failure leaves.
import { afterEach, describe, expect, it, vi } from "vitest";
import { failed } from "../../tests/support/fake-model.js";
import { type Asking, largest, lossesAt, mean, Study, withRun } from "./study.js";

afterEach(() => vi.useRealTimers());

interface Held<T> {
  promise: Promise<T>;
  settle: (value: T) => void;
  fail: (thrown: unknown) => void;
}
function held<T>(): Held<T> {
  let [settle, fail]: [Held<T>["settle"], Held<T>["fail"]] = [() => undefined, () => undefined];
  const promise = new Promise<T>((resolve, reject) => ([settle, fail] = [resolve, reject]));
  return { promise, settle, fail };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const told = <T>({ answer, failure, done, finished, stale, working }: Study<T>): object => {
  return { answer, failure, done, finished, stale, working };
};
const NOTHING = {
  answer: null,
  failure: null,
  done: 0,
  finished: false,
  stale: false,
  working: false,
};

describe("a question", () => {
  it("is asked when an input differs; its answer stays until the next one is there", async () => {
    const requestUpdate = vi.fn();
    const study = new Study<string>({ requestUpdate });
    const [first, second] = [held<string>(), held<string>()];
    study.ask([1, { of: "a" }], () => first.promise);
    expect([study.working, requestUpdate.mock.calls.length]).toEqual([true, 1]);
    first.settle("one");
    await settled();
    expect(told(study)).toEqual({ ...NOTHING, answer: "one", finished: true });
    expect(requestUpdate).toHaveBeenCalledTimes(2);
    const again = vi.fn(() => second.promise);
    study.ask([1, { of: "a" }], again);
    expect(again).not.toHaveBeenCalled();
    study.ask([2, { of: "a" }], again);
    expect(told(study)).toMatchObject({ answer: "one", stale: true, working: true });
    second.settle("two");
    await settled();
    expect(told(study)).toEqual({ ...NOTHING, answer: "two", finished: true });
  });

  it("that is out of date is stopped, and its answer is not shown", async () => {
    const study = new Study<string>();
    const [first, second] = [held<string>(), held<string>()];
    const signals: AbortSignal[] = [];
    const asked =
      (of: Held<string>) =>
      ({ signal, show }: Asking<string>): Promise<string> => {
        signals.push(signal);
        return of.promise.then((answer) => {
          show(`part of ${answer}`, 1);
          return answer;
        });
      };
    study.ask([1], asked(first));
    study.ask([2], asked(second));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    second.settle("two");
    await settled();
    first.settle("one");
    await settled();
    expect(study.answer).toBe("two");
  });

  it("that fails has no answer; one that was only late has no failure", async () => {
    const study = new Study<string>();
    study.ask([1], () => Promise.resolve("one"));
    await settled();
    const fault = new Error("fault");
    study.ask([2], () => Promise.reject(fault));
    await settled();
    expect(told(study)).toEqual({ ...NOTHING, failure: fault, finished: true });
    study.ask([3], () => Promise.reject(failed("run/aborted")));
    await settled();
    expect(study.failure).toBeNull();
  });

  it("is asked once more where the thread crashed, and only once", async () => {
    const study = new Study<string>();
    const crash = failed("engine/crashed");
    const once = vi.fn<() => Promise<string>>(() => Promise.resolve("found"));
    once.mockRejectedValueOnce(crash);
    study.ask([1], once);
    await settled();
    expect([study.answer, study.failure, once.mock.calls.length]).toEqual(["found", null, 2]);
    const always = vi.fn(() => Promise.reject<string>(crash));
    study.ask([2], always);
    await settled();
    expect([study.answer, study.failure, always.mock.calls.length]).toEqual([null, crash, 2]);
  });
});

describe("long work", () => {
  it("goes on after a stop with the steps that are not done", async () => {
    const study = new Study<string>();
    const parts = { a: vi.fn(() => Promise.resolve("A")), b: vi.fn(() => Promise.resolve("B")) };
    const middle = held<null>();
    const task = async ({ step, show }: Asking<string>): Promise<string> => {
      const one = await step("a", parts.a);
      show(one, 0.5);
      await middle.promise;
      return one + (await step("b", parts.b));
    };
    void study.go(task);
    await settled();
    expect(told(study)).toEqual({ ...NOTHING, answer: "A", done: 0.5, working: true });
    expect([study.has("a"), study.has("b")]).toEqual([true, false]);
    study.stop();
    expect(study.working).toBe(false);
    middle.settle(null);
    await settled();
    // What was stopped begins no further step.
    expect([parts.b.mock.calls.length, study.finished]).toEqual([0, false]);
    await study.go(task);
    expect(told(study)).toMatchObject({ answer: "AB", finished: true, working: false });
    expect([parts.a.mock.calls.length, parts.b.mock.calls.length]).toEqual([1, 1]);
    study.forget();
    expect([told(study), study.has("a")]).toEqual([NOTHING, false]);
  });

  it("keeps its last answer where it fails, and its failure until it goes on", async () => {
    const study = new Study<string>();
    const fault = failed("engine/crashed");
    const failing = vi.fn(({ show }: Asking<string>): Promise<string> => {
      show("so far", 0.25);
      return Promise.reject(fault);
    });
    await study.go(failing);
    expect(told(study)).toEqual({ ...NOTHING, answer: "so far", done: 0.25, failure: fault });
    expect(failing).toHaveBeenCalledTimes(1);
    void study.go(() => new Promise(() => undefined));
    expect([study.failure, study.answer]).toEqual([null, "so far"]);
    study.stop();
  });

  it("is shown at once, then at most some times in a second, and at its end", async () => {
    vi.useFakeTimers();
    const requestUpdate = vi.fn();
    const study = new Study<number>({ requestUpdate });
    const shows: number[] = [];
    await study.go(({ show }) => {
      for (let at = 1; at <= 30; at += 1) {
        show(at, at / 30);
        shows.push(requestUpdate.mock.calls.length);
        vi.advanceTimersByTime(50);
      }
      return Promise.resolve(31);
    });
    // Of 30 answers in 1.5 seconds every third, besides the beginning and the end.
    expect(shows.slice(0, 7)).toEqual([2, 2, 2, 3, 3, 3, 4]);
    expect([requestUpdate.mock.calls.length, study.answer]).toEqual([12, 31]);
  });

  it("that has nothing to stop leaves the page alone", () => {
    const requestUpdate = vi.fn();
    new Study({ requestUpdate }).stop();
    expect(requestUpdate).not.toHaveBeenCalled();
  });
});

it("a run is released once it was read, also where reading fails", async () => {
  const release = vi.fn();
  const run = vi.fn(() => Promise.resolve({ release }));
  const model = { run } as unknown as Parameters<typeof withRun>[0];
  const [input, options] = [{ text: "a" }, { hidden: true } as object];
  expect(await withRun(model, input, () => Promise.resolve(3), options)).toBe(3);
  expect(run).toHaveBeenLastCalledWith(input, options);
  expect(release).toHaveBeenCalledTimes(1);
  await expect(withRun(model, input, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(release).toHaveBeenCalledTimes(2);
});

it("losses are those of the asked entries at their positions", async () => {
  const probabilities = vi.fn(() =>
    Promise.resolve([{ logProbability: -2 }, { logProbability: -0.5 }]),
  );
  const run = { probabilities } as unknown as Parameters<typeof lossesAt>[0];
  const places = [
    { position: 3, id: 7 },
    { position: 4, id: 9 },
  ];
  expect(await lossesAt(run, places)).toEqual([2, 0.5]);
  expect(probabilities).toHaveBeenCalledWith({ positions: [3, 4], ids: [7, 9] });
});

it("has the mean and the largest of some numbers", () => {
  expect([mean([1, 2, 6]), largest([0.5, 3, 2]), largest([])]).toEqual([3, 3, 0]);
});
