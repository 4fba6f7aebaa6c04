import { describe, expect, it } from "vitest";
import { entryOf, type Entry } from "./address.js";

describe("an entry of the browser's history", () => {
  it.each<Entry>([{ own: true }, { own: true, whole: "v=1&text=long" }])(
    "of this page is read as it was written: %j",
    (entry) => {
      expect(entryOf(structuredClone(entry))).toEqual(entry);
    },
  );

  it.each([
    [null],
    [undefined],
    ["own"],
    [1],
    [[]],
    [{}],
    [{ own: "yes" }],
    [{ whole: "v=1&text=another's" }],
  ])("that holds %j is not of this page", (state) => {
    expect(entryOf(state)).toBeNull();
  });

  it("carries no State that is no text", () => {
    expect(entryOf({ own: true, whole: { text: "Hello" } })).toEqual({ own: true });
  });
});
