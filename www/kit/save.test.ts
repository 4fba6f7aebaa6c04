// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from "vitest";
import type { Brush, Inks, Print } from "../draw/theme.js";
import { PAPER_INKS } from "../export/sheet.js";
import { loadSentences, Locale } from "../i18n/index.js";
import { embedCode } from "./embed-buttons.js";
import { pairParts, partState, pictureChoices } from "../panels/export/pictures.js";
import { LAYOUTS } from "./picture-layout.js";
import { save } from "./save.js";
import type { ExportSubject } from "../session/subject.js";
import { comparedSubject, HEAD, OTHER, subjectOf, TEXT } from "../panels/export/testing/subject.js";

const download = vi.hoisted(() => vi.fn());
vi.mock("../export/download.js", async (actual) => ({ ...(await actual<object>()), download }));
// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

beforeAll(() => loadSentences("export", "pairs"));

const FIGURE = {
  inks: PAPER_INKS,
  print: () => ({ width: 10, height: 10, paint: () => undefined }),
};

/** A report that needs no template, as that of a saved file. */
function inWords(report: unknown): string {
  if (typeof report !== "string") throw new TypeError("the report is not in words");
  return report;
}

it("a report says that there is nothing to save", async () => {
  const [shown] = pictureChoices(await subjectOf());
  const snapshot = await shown.read(FIGURE, "all");
  expect(await save([{ ...snapshot, scene: () => null }], "png")).toEqual({
    saved: false,
    report: "Nothing to save in this picture.",
  });
  expect(download).not.toHaveBeenCalled();
});

it("a report is in the language in which a picture was asked for, also once it was made", async () => {
  const locale = new Locale();
  locale.speak("zh-CN");
  const [shown] = pictureChoices(await subjectOf());
  const snapshot = await shown.read(FIGURE, "all");
  const { report } = await locale.within(() => save([{ ...snapshot, scene: () => null }], "png"));
  expect(report).toMatch(/\p{Script=Han}/u);
});

it.each([
  // A sheet of 430 pixels, of which 8 are its margins, has labels of 7 points in a column of 85 mm.
  [422, false],
  [440, false],
  [450, true],
  [860, true],
])(
  "a picture %i wide says whether its labels became smaller than was asked for",
  async (width, is) => {
    const [shown] = pictureChoices(await subjectOf());
    const snapshot = await shown.read(FIGURE, "all");
    const scene = (): Print => ({ width, height: 10, paint: () => undefined });
    const { report } = await save([{ ...snapshot, scene }], "svg", "white", LAYOUTS.column);
    expect(inWords(report).includes("no room for labels")).toBe(is);
  },
);

it.each([
  ["white", true, "paper"],
  ["screen", true, "page"],
  ["screen", false, "paper"],
] as const)("on %s, with inks of the page %s, a picture has those of the %s", async (...given) => {
  const [paper, has, whose] = given;
  const [shown] = pictureChoices(await subjectOf());
  const { inks: _, ...snapshot } = await shown.read(FIGURE, "all");
  const onPage: Inks = { ...PAPER_INKS, ink: "#eee", paper: "#123", font: "Page Font" };
  const scene = vi.fn((_inks: Inks) => FIGURE.print());
  await save([{ ...snapshot, ...(has && { inks: onPage }), scene }], "svg", paper);
  // Fonts of the page's own system are not in a file.
  const { font } = PAPER_INKS;
  expect(scene.mock.calls[0]?.[0]).toEqual(whose === "page" ? { ...onPage, font } : PAPER_INKS);
});

it("a picture is saved in parts, each in a file of its own, or says that its labels are crowded", async () => {
  const [shown] = pictureChoices(await subjectOf());
  const snapshot = await shown.read(FIGURE, "all");
  const part = (name: string): Print => ({ ...FIGURE.print(), part: name });
  const scene = (): Print => ({ ...FIGURE.print(), parts: [part("left"), part("right")] });
  const filesOf = async (inParts: boolean): Promise<[string, boolean][]> => {
    download.mockClear();
    const layout = { ...LAYOUTS.own, inParts };
    const { report } = await save([{ ...snapshot, scene }], "svg", "white", layout);
    const names = download.mock.calls.map(([, name]) => String(name));
    return names.map((name) => [
      /part-\d/.exec(name)?.[0] ?? "",
      inWords(report).includes("parts"),
    ]);
  };
  expect(await filesOf(true)).toEqual([
    ["part-1", false],
    ["part-2", false],
  ]);
  expect(await filesOf(false)).toEqual([["", true]]);
});

it("a report of a PDF names the texts that have no outlines", async () => {
  const brush = {
    scale: () => undefined,
    fillText: () => undefined,
    measureText: (text: string) => ({ width: 6 * text.length }),
    getImageData: (_x: number, _y: number, width: number, height: number) => ({
      data: new Uint8ClampedArray(4 * width * height),
    }),
  };
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = (): object => brush;
    },
  );
  const [shown] = pictureChoices(await subjectOf());
  const snapshot = await shown.read(FIGURE, "all");
  const paint = (on: Brush): void => on.fillText("字", 0, 0);
  const scene = (): Print => ({ width: 10, height: 10, paint });
  const { report } = await save([{ ...snapshot, title: "", lines: [], scene }], "pdf");
  vi.unstubAllGlobals();
  expect(inWords(report)).toMatch(/no outlines and are pictures in the PDF: .*字/);
});

it("a picture beside the head's own is offered where there is something to show", async () => {
  const offered = (subject: ExportSubject): string =>
    pictureChoices(subject)
      .map(({ name, code, numbers }) => [name, code, numbers].join("/"))
      .join(" ");
  expect(offered(await subjectOf())).toBe(
    "shown/picture/weights grid/grid/thumbnails spectrum/spectrum/singular-values tokens/both-tokens/weights",
  );
  expect(offered(await subjectOf({ locked: { query: 1, key: 0 } }))).toContain(
    "strongest//weights",
  );
  expect(offered(await comparedSubject())).not.toContain("cosines");
  expect(offered(await comparedSubject((words) => words.slice(0, 1)))).toContain(
    "cosines//cosines source",
  );
});

it("the pictures of two runs are those of one run each in another page", async () => {
  const both = await comparedSubject();
  const locked = { query: 0, key: 1 };
  const state = { ...both.state, picture: "lines", unit: "word", locked } as const;
  const subject = { ...both, state };
  // Only heatmaps have a difference.
  expect(pairParts(both, both.compared)).toEqual(["all", "first", "second", "difference"]);
  expect(pairParts(subject, both.compared)).toEqual(["all", "first", "second"]);
  const states = pairParts(subject, both.compared).map((part) =>
    partState(part, subject, both.compared),
  );
  const shown = { picture: "lines", unit: "token" };
  expect(states).toMatchObject([
    null as never,
    { ...shown, text: TEXT, locked },
    { ...shown, text: OTHER, locked: null, ...HEAD },
  ]);
  expect(states[2] && embedCode("picture", states[2], "https://a.example/")).toContain(
    `<headscope-lines model="models/en-fr" text="${OTHER}" stack="encoder" layer="2" head="3" caption>An interactive figure (English → French · Encoder · `,
  );
});
