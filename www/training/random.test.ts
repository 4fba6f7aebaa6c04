import { describe, expect, it } from "vitest";
import { hashOf, Random } from "./random.js";

const draws = (random: Random, count: number) => Array.from({ length: count }, () => random.bits());

describe("random numbers", () => {
  it("follow from their seeds, and from the order of these", () => {
    expect(draws(new Random(3, 5), 20)).toEqual(draws(new Random(3, 5), 20));
    const streams = [[3, 5], [5, 3], [3, 6], [3], [], [0], [0, 0], [4, 4], [5, 5]];
    const firsts = streams.map((seeds) => draws(new Random(...seeds), 2).join());
    expect(new Set(firsts).size).toBe(streams.length);
  });

  it("are spread evenly over a count that does not divide 2³²", () => {
    const random = new Random(1);
    const counts = [0, 0, 0];
    for (let at = 0; at < 30_000; at += 1) {
      const drawn = random.below(3);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    // 5 deviations of a count of 30,000 draws with the chance 1/3.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * 82);
  });

  it("have mean 0 and the deviation 1/√3 between −1 and 1", () => {
    const random = new Random(2);
    const drawn = Array.from({ length: 20_000 }, () => random.signed());
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length;
    expect(Math.abs(mean(drawn))).toBeLessThan(0.02);
    expect(mean(drawn.map((value) => value ** 2))).toBeCloseTo(1 / 3, 2);
    expect(drawn.every((value) => value >= -1 && value < 1)).toBe(true);
  });

  it("shuffle to a permutation, each place of an item equally likely", () => {
    const random = new Random(3);
    const places = [0, 0, 0, 0];
    for (let at = 0; at < 8000; at += 1) {
      const order = random.shuffled(["a", "b", "c", "d"]);
      expect([...order].sort()).toEqual(["a", "b", "c", "d"]);
      const place = order.indexOf("a");
      places[place] = (places[place] ?? 0) + 1;
    }
    for (const count of places) expect(Math.abs(count - 2000)).toBeLessThan(5 * 39);
  });

  it("have hashes that depend on each symbol and its place", () => {
    const lists = [["a", "b"], ["b", "a"], ["ab"], ["a"], [], ["a", "b", "a"]];
    expect(new Set(lists.map(hashOf)).size).toBe(lists.length);
  });
});
