// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { labelFont, type Print } from "../../draw/theme.js";
import { PAPER_INKS } from "../sheet.js";
import { svgFile } from "../svg/document.js";
import { fonted } from "./fonted.js";
import { load } from "./load.js";
import { FILE_FONT, type Slice } from "./slice.js";
import { charactersOf } from "./texts.js";

vi.mock("./load.js", () => ({ load: vi.fn() }));
const loads = vi.mocked(load);
const BYTES = Uint8Array.of(0, 1, 2, 255).buffer;
const served = (slice: Slice): ReturnType<typeof load> => Promise.resolve({ slice, bytes: BYTES });

const SLICES: Slice[] = [
  { family: "Noto Sans", weight: "400", range: "U+20-7E", url: "latin-400" },
  { family: "Noto Sans", weight: "600", range: "U+20-7E", url: "latin-600" },
  { family: "Noto Sans SC", weight: "100 900", range: "U+4E00,U+6743", url: "chinese" },
];
const listed = (): Promise<Slice[]> => Promise.resolve(SLICES);
const measure = () => (text: string) => text.length * 6;

function written(...texts: [text: string, weight: "normal" | "bold"][]): Print {
  return {
    width: 100,
    height: 20,
    paint: (brush) => {
      for (const [text, weight] of texts) {
        brush.save();
        brush.font = labelFont(PAPER_INKS, weight);
        brush.fillText(text, 0, 10);
        brush.restore();
      }
    },
  };
}

afterEach(() => loads.mockReset());

describe("a picture in its own fonts", () => {
  it("tells its characters by their weights", () => {
    const { 400: plain, 600: bold } = charactersOf(
      written(["ab", "normal"], ["b🙂", "bold"]),
      measure,
    );
    expect([[...plain], [...bold]]).toEqual([
      [97, 98],
      [98, 0x1f642],
    ]);
  });

  it("is made anew with every font that it turns out to need, and only then", async () => {
    loads.mockImplementation(served);
    // In its own letters there is room for more of it, as where a label was cut.
    const make = vi.fn(() =>
      written(
        ["a", "normal"],
        ...(loads.mock.calls.length > 0 ? [["权", "bold"] as [string, "bold"]] : []),
      ),
    );
    const ready = await fonted(make, measure, listed);
    expect(ready?.slices.map(({ slice }) => slice.url)).toEqual(["latin-400", "chinese"]);
    expect(ready?.lacking).toBe(false);
    expect(make).toHaveBeenCalledTimes(3);
    expect(loads).toHaveBeenCalledTimes(2);
  });

  it("is there without a font that could not be fetched, or without the list of them, and says so", async () => {
    loads.mockImplementation((slice) =>
      slice.url === "chinese" ? Promise.reject(new TypeError("Failed to fetch")) : served(slice),
    );
    const ready = await fonted(() => written(["a权", "normal"]), measure, listed);
    expect([ready?.slices.map(({ slice }) => slice.url), ready?.lacking]).toEqual([
      ["latin-400"],
      true,
    ]);
    const unlisted = await fonted(
      () => written(["a", "normal"]),
      measure,
      () => Promise.reject(new TypeError("Failed to fetch")),
    );
    expect(unlisted).toMatchObject({ slices: [], lacking: true });
  });

  it("is no picture when there is none any more", async () => {
    loads.mockImplementation(served);
    expect(
      await fonted(
        () => (loads.mock.calls.length === 0 ? written(["a", "normal"]) : null),
        measure,
        listed,
      ),
    ).toBeNull();
  });

  it("carries them in its file, which asks for nothing from elsewhere and names them for who has them", async () => {
    loads.mockImplementation(served);
    const ready = await fonted(() => written(["a<&", "normal"], ["权", "bold"]), measure, listed);
    if (!ready) throw new Error("no picture");
    const text = await svgFile(
      ready.print,
      { title: "T", description: "D", record: "{}" },
      PAPER_INKS.font,
      ready.slices,
      measure,
    );
    const file = new DOMParser().parseFromString(text, "image/svg+xml");
    expect(file.querySelector("parsererror")).toBeNull();
    const sheet = file.querySelector("style")?.textContent ?? "";
    expect(sheet.split("\n")).toEqual([
      '@font-face{font-family:"Noto Sans";font-weight:400;src:url(data:font/woff2;base64,AAEC/w==) format("woff2");unicode-range:U+20-7E}',
      '@font-face{font-family:"Noto Sans SC";font-weight:100 900;src:url(data:font/woff2;base64,AAEC/w==) format("woff2");unicode-range:U+4E00,U+6743}',
    ]);
    expect(file.documentElement.getAttribute("font-family")).toBe(FILE_FONT);
    expect(text).not.toContain("Headscope Noto");
    expect(text.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|url\((?!data:)/);
    expect(
      [...file.querySelectorAll("text")].map((element) => element.getAttribute("font-family")),
    ).toEqual([null, null]);
  });
});
