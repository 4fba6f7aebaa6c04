// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { widthOf } from "../../draw/text.js";
import { load } from "./load.js";
import { paintedName, type Slice } from "./slice.js";

const SLICE: Slice = { family: "Noto Sans", weight: "400", range: "U+20-7E", url: "latin-400" };
const FONT = `10px "${paintedName(SLICE.family)}"`;

/** What the page paints with, as a browser has it: a font that is not there is stood in for by a narrower one. */
const there: { family: string }[] = [];
class Face {
  constructor(readonly family: string) {}
  load(): Promise<this> {
    return Promise.resolve(this);
  }
}
const brush = {
  font: "",
  measureText: (text: string) => ({ width: text.length * (there.length > 0 ? 7 : 5) }),
};

beforeEach(() => {
  vi.stubGlobal("FontFace", Face);
  // A set of fonts says "loadingdone" of those alone that it loads itself.
  vi.stubGlobal("document", { fonts: { add: (face: Face) => there.push(face) } });
});

afterEach(() => {
  vi.unstubAllGlobals();
  there.length = 0;
});

describe("a slice that was fetched", () => {
  it("is what texts are measured in from then on, also those that were measured before", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(Uint8Array.of(1))));
    expect(widthOf(brush, FONT, "four")).toBe(20);
    await load(SLICE);
    expect(there.map(({ family }) => family)).toEqual([paintedName(SLICE.family)]);
    expect(widthOf(brush, FONT, "four")).toBe(28);
  });

  it("is asked for again where it did not come", async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response(null, { status: 404 })));
    vi.stubGlobal("fetch", fetch);
    const lost = { ...SLICE, url: "lost" };
    await expect(load(lost)).rejects.toThrow("404");
    await expect(load(lost)).rejects.toThrow("404");
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});
