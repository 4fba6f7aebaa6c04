import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedWords } from "./pairs/alignment.js";

const marked = (before: string, after: string): string =>
  changedWords(before, after)
    .map(({ text, changed }) => (changed ? `[${text}]` : text))
    .join(" ");

const words = fc.array(fc.constantFrom("le", "chat", "noir", "lait"), { maxLength: 12 });

describe("what an edit changed in a translation", () => {
  it.each([
    ["Le chien mord l'homme.", "Le chien mord l'homme.", "Le chien mord l'homme."],
    ["Le chien mord l'homme.", "L'homme mord le chien.", "[Le] [chien] mord [l'homme.]"],
    ["Le petit chat noir", "Le chat", "Le [petit] chat [noir]"],
    ["Le chat", "Le petit chat noir", "Le chat"],
    ["", "Le chat", ""],
    ["Le chat", "", "[Le] [chat]"],
  ])("%s → %s", (before, after, expected) => {
    expect(marked(before, after)).toBe(expected);
  });

  it("keeps every word, and what it keeps stands in the other text in the same order", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const diff = changedWords(before.join(" "), after.join(" "));
        expect(diff.map(({ text }) => text)).toEqual(before);
        const rest: string[] = [...after];
        for (const { text } of diff.filter(({ changed }) => !changed)) {
          const at = rest.indexOf(text);
          expect(at).toBeGreaterThanOrEqual(0);
          rest.splice(0, at + 1);
        }
      }),
    );
  });
});
