// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { PAPER_INKS } from "../../export/sheet.js";
import { HeadscopeCurves } from "../../elements/curves.js";
import { sceneOf } from "../../elements/shared/figure.js";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeError } from "../../headscope.js";
import { loadSentences } from "../../i18n/index.js";
import { embedCode } from "./embed-code.js";
import { otherPictures, PAIR_PARTS, partState, shownPicture } from "./pictures.js";
import { save, type Snapshot } from "./save.js";
import type { ExportSubject } from "./subject.js";
import { comparedSubject, HEAD, OTHER, subjectOf, TEXT } from "./testing.js";

const files: { name: string; text: Promise<string> }[] = [];
vi.mock("../../export/download.js", async (actual) => ({
  ...(await actual<object>()),
  download: (file: Blob, name: string) => {
    files.push({ name, text: file.text() });
    return Promise.resolve();
  },
}));
// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

beforeAll(() => loadSentences("export", "pairs"));
beforeEach(() => {
  files.length = 0;
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = (): null => null;
    },
  );
  vi.stubGlobal("ImageData", Object);
});

interface Svg {
  name: string;
  texts: string[];
  record: Record<string, unknown>;
}

/** The one file of a snapshot as SVG. */
async function svg(snapshot: Snapshot | Promise<Snapshot>): Promise<Svg> {
  files.length = 0;
  const { saved, report } = await save(Promise.all([snapshot]), "svg");
  const [made] = files;
  if (!saved || !made) throw new Error(JSON.stringify(report));
  const file = new DOMParser().parseFromString(await made.text, "image/svg+xml");
  const record = file.querySelector("metadata")?.textContent ?? "{}";
  return {
    name: made.name,
    texts: [...file.querySelectorAll("text")].map(({ textContent }) => textContent),
    record: JSON.parse(record) as Record<string, unknown>,
  };
}

const FIGURE = {
  inks: PAPER_INKS,
  print: () => ({ width: 10, height: 10, paint: () => undefined }),
};

describe("save", () => {
  it("writes what a figure showed when it was asked for, whatever it shows by then", async () => {
    const lines = (name: string): never =>
      [name, "other"].map((one) => ({ name: one, points: [{ x: 1, y: 1 }] })) as never;
    const curves = await mount(new HeadscopeCurves(), { lines: lines("before") });
    const scene = sceneOf(curves);
    Object.assign(curves, { lines: lines("after") });
    await curves.updateComplete;
    const { provenance } = shownPicture(await subjectOf(), FIGURE, "all");
    expect((await svg({ provenance, scene })).texts).toContain("before");
  });

  it("says that there is nothing, and what went wrong with its code", async () => {
    const snapshot = shownPicture(await subjectOf(), FIGURE, "all");
    expect(await save([{ ...snapshot, scene: () => null }], "png")).toEqual({
      saved: false,
      report: "This picture shows nothing that could be saved.",
    });
    const refused = new HeadscopeError({
      code: "selection/too-large",
      message: "",
      doing: "",
      expected: "",
      got: "",
    });
    const { saved, report } = await save(Promise.reject(refused), "svg");
    expect([saved, JSON.stringify(report)]).toEqual([
      false,
      expect.stringContaining("selection/too-large"),
    ]);
    expect(files).toEqual([]);
  });
});

describe("a picture beside the head's own", () => {
  const LOCKED = { query: 1, key: 0 };
  let held: ExportSubject;
  beforeAll(async () => {
    held = await subjectOf({ locked: LOCKED });
  });

  it("is offered where there is something to show", async () => {
    expect(otherPictures(await subjectOf())).toEqual(["grid", "spectrum", "tokens"]);
    expect(otherPictures(held)).toContain("strongest");
    expect(otherPictures(await comparedSubject())).not.toContain("cosines");
    expect(otherPictures(await comparedSubject((words) => words.slice(0, 1)))).toContain("cosines");
  });
});

describe("the pictures of two runs", () => {
  it("are heatmaps of one run in another page", async () => {
    const both = await comparedSubject();
    const state = {
      ...both.state,
      picture: "lines" as const,
      unit: "word" as const,
      locked: { query: 0, key: 1 },
    };
    const states = PAIR_PARTS.map((part) => partState(part, { ...both, state }, both.compared));
    const shown = { picture: "heatmap", unit: "token" };
    expect(states).toMatchObject([
      null as never,
      { ...shown, text: TEXT, locked: { query: 0, key: 1 } },
      { ...shown, text: OTHER, locked: null, ...HEAD },
      null as never,
    ]);
    expect(states[2] && embedCode("picture", states[2])).toContain(
      `<headscope-heatmap model="models/en-fr" text="${OTHER}" stack="encoder" layer="2" head="3"></headscope-heatmap>`,
    );
  });
});
