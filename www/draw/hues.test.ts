import { lab } from "d3-color";
import { describe, expect, it } from "vitest";
import { headHue } from "./hues.js";

describe("the hues of heads", () => {
  it.each(["light", "dark"] as const)(
    "are as light as one another and all different, on a %s ground",
    (ground) => {
      const hues = Array.from({ length: 8 }, (_, head) => headHue(head, 8, ground));
      expect(new Set(hues).size).toBe(8);
      const lightness = hues.map((hue) => lab(hue).l);
      expect(Math.max(...lightness) - Math.min(...lightness)).toBeLessThan(8);
    },
  );
});
