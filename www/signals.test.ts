import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equals } from "./data/equal.js";
import { asRendering, byField, derived, effect, Resource, tracked } from "./signals.js";

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
    const one = new Counter();
    const other = new Counter();
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

  it("are followed field by field by a rendering, but by nothing within it or elsewhere", () => {
    class Place {
      @tracked fields = { row: 0, cells: [1] };
      readonly read = byField(() => this.fields);
      @derived get whole(): unknown {
        return this.read();
      }
    }
    const place = new Place();
    const seen: number[] = [];
    const stop = effect(() => asRendering(() => void seen.push(place.read().cells.length)));
    place.fields = { row: 1, cells: [1] };
    place.fields = { row: 1, cells: [1, 2] };
    stop();
    expect(seen).toEqual([1, 2]);
    expect(place.read()).toBe(place.fields);
    expect(asRendering(() => ({ ...place.read() }))).toEqual(place.fields);
    expect(asRendering(() => place.whole)).toBe(place.fields);
  });

  it("equal values are those with equal JSON; what is the very same thing is not looked into", () => {
    const sameJson = (one: unknown, other: unknown): boolean =>
      equals(one, other) === (JSON.stringify(one) === JSON.stringify(other));
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), sameJson));
    fc.assert(fc.property(fc.jsonValue(), (value) => equals(value, structuredClone(value))));
    const tokens = new Proxy([], { ownKeys: () => expect.unreachable() });
    expect(equals({ tokens, at: 1 }, { tokens, at: 1 })).toBe(true);
    expect(equals(new Float32Array(1), new Float32Array(1))).toBe(false);
  });
});

/** Reads that are answered by hand, by their key: `null` fails. */
function byHand(): {
  read: (key: string) => () => Promise<string>;
  answer: (key: string, answer: string | null) => Promise<void>;
  begun: string[];
} {
  const begun: string[] = [];
  const waiting = new Map<string, (answer: string | null) => void>();
  return {
    begun,
    read: (key) => () => {
      begun.push(key);
      return new Promise((resolve, reject) =>
        waiting.set(key, (answer) => (answer === null ? reject(new Error("no")) : resolve(answer))),
      );
    },
    answer: async (key, answer) => {
      waiting.get(key)?.(answer);
      await new Promise((done) => setTimeout(done));
    },
  };
}

describe("a resource", () => {
  it("shows an answer although a newer request waits, and skips the requests between", async () => {
    const resource = new Resource<string>();
    const { read, answer, begun } = byHand();
    for (const key of ["1", "2", "3"]) resource.want(key, read(key));
    await answer("1", "one");
    expect([resource.value, resource.loading, begun]).toEqual(["one", true, ["1", "3"]]);
    await answer("3", "three");
    expect([resource.value, resource.loading]).toEqual(["three", false]);
  });

  it("reads one thing once, so that a failure is not repeated at every change, until it is retried", async () => {
    const resource = new Resource<string>();
    const { read, answer, begun } = byHand();
    resource.want("1", read("1"));
    await answer("1", null);
    resource.want("1", read("1"));
    expect([resource.failure, begun]).toEqual([new Error("no"), ["1"]]);
    resource.retry();
    expect(resource.failure).toBeNull();
    resource.want("1", read("1"));
    await answer("1", null);
    resource.want("2", read("2"));
    await answer("2", "two");
    expect([resource.value, resource.failure, begun]).toEqual(["two", null, ["1", "1", "2"]]);
  });

  it("does not show what was asked for before it was cleared, also while something newer is wanted", async () => {
    const resource = new Resource<string>();
    const { read, answer } = byHand();
    resource.want("1", read("1"));
    resource.clear();
    resource.want("2", read("2"));
    await answer("1", "old");
    expect([resource.value, resource.loading]).toEqual([null, true]);
    await answer("2", "next");
    expect(resource.value).toBe("next");
    resource.clear();
    expect([resource.value, resource.loading]).toEqual([null, false]);
  });

  it("follows what it is told to read: null lets go, undefined keeps what there is", async () => {
    const asked = new Counter();
    const resource = new Resource<string>();
    const stop = resource.follow(() => {
      const { label: key } = asked;
      return key === ""
        ? null
        : key === "?"
          ? undefined
          : { key, read: () => Promise.resolve(key) };
    });
    const seen: (string | null)[] = [];
    for (const label of ["b", "?", "", "c"]) {
      asked.label = label;
      await new Promise((done) => setTimeout(done));
      seen.push(resource.value);
    }
    stop();
    asked.label = "d";
    await new Promise((done) => setTimeout(done));
    expect([...seen, resource.value]).toEqual(["b", "b", null, "c", "c"]);
  });
});
