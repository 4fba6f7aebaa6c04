import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derived, effect, equals, Resource, tracked } from "./signals.js";

class Counter {
  @tracked count = 0;
  @tracked label = "a";
  computed = 0;

  @derived get parity(): { odd: boolean } {
    this.computed += 1;
    return { odd: this.count % 2 === 1 };
  }
}

describe("tracked fields and derived values", () => {
  it("belong to one object, and are computed anew only when what they read changed", () => {
    const [one, other] = [new Counter(), new Counter()];
    one.count = 3;
    expect([one.parity.odd, other.parity.odd, one.parity.odd]).toEqual([true, false, true]);
    one.label = "b";
    expect([one.parity.odd, one.computed]).toEqual([true, 1]);
  });

  it("are followed by effects, which do not run again for an equal value", () => {
    const counter = new Counter();
    const seen: boolean[] = [];
    const stop = effect(() => void seen.push(counter.parity.odd));
    for (const count of [2, 4, 5, 7]) counter.count = count;
    stop();
    counter.count = 8;
    expect(seen).toEqual([false, true]);
  });

  it("equal values are those with equal JSON; what is the very same thing is not looked into", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        (one, other) => equals(one, other) === (JSON.stringify(one) === JSON.stringify(other)),
      ),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => equals(value, structuredClone(value))));
    const tokens = new Proxy([], { ownKeys: () => expect.unreachable() });
    expect(equals({ tokens, at: 1 }, { tokens, at: 1 })).toBe(true);
    expect(equals(new Float32Array(1), new Float32Array(1))).toBe(false);
  });
});

/** A read that is answered by hand. */
function byHand(): {
  read: () => Promise<string>;
  finish: (answer: string) => Promise<void>;
  fail: () => Promise<void>;
  begun: () => boolean;
} {
  let resolve: (answer: string) => void = () => undefined;
  let reject: (failure: Error) => void = () => undefined;
  const promise = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  let begun = false;
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
  return {
    read: () => {
      begun = true;
      return promise;
    },
    finish: (answer) => (resolve(answer), settle()),
    fail: () => (reject(new Error("no")), settle()),
    begun: () => begun,
  };
}

describe("a resource", () => {
  it("shows an answer although a newer wish waits, and skips the wishes between", async () => {
    const resource = new Resource<string>();
    const [first, second, third] = [byHand(), byHand(), byHand()];
    resource.want("1", first.read);
    resource.want("2", second.read);
    resource.want("3", third.read);
    await first.finish("one");
    expect([resource.value, resource.stale, second.begun(), third.begun()]).toEqual([
      "one",
      true,
      false,
      true,
    ]);
    await third.finish("three");
    expect([resource.value, resource.stale, resource.loading]).toEqual(["three", false, false]);
  });

  it("reads one thing once, so that a failure is not repeated at every change, until it is forgiven", async () => {
    const resource = new Resource<string>();
    const [first, again, other] = [byHand(), byHand(), byHand()];
    resource.want("1", first.read);
    await first.fail();
    resource.want("1", again.read);
    expect([resource.failure, again.begun()]).toEqual([new Error("no"), false]);
    resource.forgive();
    expect(resource.failure).toBeNull();
    resource.want("1", again.read);
    await again.fail();
    resource.want("2", other.read);
    await other.finish("two");
    expect([resource.value, resource.failure]).toEqual(["two", null]);
  });

  it("does not show what was asked for before it was cleared, also while something newer is wanted", async () => {
    const resource = new Resource<string>();
    const [old, next] = [byHand(), byHand()];
    resource.want("1", old.read);
    resource.clear();
    resource.want("2", next.read);
    await old.finish("old");
    expect([resource.value, resource.loading]).toEqual([null, true]);
    await next.finish("next");
    expect(resource.value).toBe("next");
    resource.clear();
    expect([resource.value, resource.loading]).toEqual([null, false]);
  });

  it("follows what it is told to read: null lets go, undefined keeps what there is", async () => {
    const asked = new Counter();
    const resource = new Resource<string>();
    const stop = resource.follow(() =>
      asked.label === "" ? null : asked.label === "?" ? undefined : answer(asked.label),
    );
    const show = async (label: string): Promise<string | null> => {
      asked.label = label;
      await new Promise((done) => setTimeout(done));
      return resource.value;
    };
    expect([await show("b"), await show("?"), await show(""), await show("c")]).toEqual([
      "b",
      "b",
      null,
      "c",
    ]);
    stop();
    expect(await show("d")).toBe("c");
  });
});

const answer = (key: string): { key: string; read: () => Promise<string> } => ({
  key,
  read: () => Promise.resolve(key),
});
