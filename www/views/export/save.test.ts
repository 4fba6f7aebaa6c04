// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { PAPER_INKS } from "../../export/sheet.js";
import { HeadscopeCurves } from "../../elements/curves.js";
import { sceneOf } from "../../elements/shared/figure.js";
import { mount } from "../../elements/testing/mount.js";
import { failed } from "../../../tests/support/fake-model.js";
import { loadSentences } from "../../i18n/index.js";
import { embedCode } from "./embed-code.js";
import { otherPictures, PAIR_PARTS, partState, shownPicture } from "./pictures.js";
import { save } from "./save.js";
import { comparedSubject, HEAD, OTHER, subjectOf, TEXT } from "./testing.js";

const files: Blob[] = [];
vi.mock("../../export/download.js", async (actual) => ({
  ...(await actual<object>()),
  download: (file: Blob) => Promise.resolve(files.push(file)),
}));
// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

beforeAll(() => loadSentences("export", "pairs"));
beforeEach(() => {
  files.length = 0;
});

const FIGURE = {
  inks: PAPER_INKS,
  print: () => ({ width: 10, height: 10, paint: () => undefined }),
};

it("a file has what a figure showed when it was asked for, whatever it shows by then", async () => {
  const lines = (name: string): never =>
    [name, "other"].map((one) => ({ name: one, points: [{ x: 1, y: 1 }] })) as never;
  const curves = await mount(new HeadscopeCurves(), { lines: lines("before") });
  const scene = sceneOf(curves);
  Object.assign(curves, { lines: lines("after") });
  await curves.updateComplete;
  const { provenance } = shownPicture(await subjectOf(), FIGURE, "all");
  await save([{ provenance, scene }], "svg");
  expect(await files[0]?.text()).toMatch(/>before</);
});

it("a report says that there is nothing, and what went wrong with its code", async () => {
  const snapshot = shownPicture(await subjectOf(), FIGURE, "all");
  expect(await save([{ ...snapshot, scene: () => null }], "png")).toEqual({
    saved: false,
    report: "Nothing to save in this picture.",
  });
  const { saved, report } = await save(Promise.reject(failed("selection/too-large")), "svg");
  expect([saved, JSON.stringify(report)]).toEqual([
    false,
    expect.stringContaining("selection/too-large"),
  ]);
  expect(files).toEqual([]);
});

it("a picture beside the head's own is offered where there is something to show", async () => {
  expect(otherPictures(await subjectOf())).toEqual(["grid", "spectrum", "tokens"]);
  expect(otherPictures(await subjectOf({ locked: { query: 1, key: 0 } }))).toContain("strongest");
  expect(otherPictures(await comparedSubject())).not.toContain("cosines");
  expect(otherPictures(await comparedSubject((words) => words.slice(0, 1)))).toContain("cosines");
});

it("the pictures of two runs are heatmaps of one run in another page", async () => {
  const both = await comparedSubject();
  const locked = { query: 0, key: 1 };
  const state = { ...both.state, picture: "lines", unit: "word", locked } as const;
  const states = PAIR_PARTS.map((part) => partState(part, { ...both, state }, both.compared));
  const shown = { picture: "heatmap", unit: "token" };
  expect(states).toMatchObject([
    null as never,
    { ...shown, text: TEXT, locked },
    { ...shown, text: OTHER, locked: null, ...HEAD },
    null as never,
  ]);
  expect(states[2] && embedCode("picture", states[2])).toContain(
    `<headscope-heatmap model="models/en-fr" text="${OTHER}" stack="encoder" layer="2" head="3"></headscope-heatmap>`,
  );
});
