// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PAPER_INKS } from "../../export/sheet.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import type { HeadFigures } from "../run/figures.js";
import type { Looked } from "../run/looked.js";
import {
  pictureFile,
  unsavedReport,
  type NamedFile,
  type Printable,
  type Shown,
  type Unsaved,
} from "./files.js";
import type { ExportSubject } from "./subject.js";

// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

const FIGURE: Printable = {
  inks: PAPER_INKS,
  print: () => ({ width: 10, height: 10, paint: () => undefined }),
};

/** A head under a lens; what its numbers are is of no account here. */
function subjectAt(head: number, state: Partial<State> = {}): ExportSubject {
  const figures = {
    head: { stack: "encoder", layer: 0, head },
    patterns: [],
  } as unknown as HeadFigures;
  const looked = { figures, lens: {}, queries: [], keys: [], without: null } as unknown as Looked;
  return {
    state: { ...DEFAULT_STATE, ...state },
    run: { tokens: [] },
    head: figures.head,
    figures: { ...figures, queries: [], keys: [] },
    looked: { ...looked, figures: { ...figures, queries: [], keys: [] } },
    target: null,
    edits: {},
    editWords: [],
    compared: null,
  } as unknown as ExportSubject;
}

describe("the picture that is saved", () => {
  let shown: Shown | null;
  const asked = (): Promise<NamedFile | Unsaved> => pictureFile("svg", () => shown, "white", "all");

  beforeEach(() => {
    shown = { figure: FIGURE, subject: subjectAt(1) };
  });

  it("is the one that was asked for, also when what is said beside it came anew", async () => {
    const coming = asked();
    if (shown)
      shown = {
        ...shown,
        subject: { ...shown.subject, state: { ...shown.subject.state, bench: null } },
      };
    expect(await coming).toMatchObject({
      name: expect.stringContaining("layer-1_head-2") as string,
    });
  });

  it.each<[string, (before: Shown) => Shown | null]>([
    ["head", ({ figure }) => ({ figure, subject: subjectAt(2) })],
    [
      "stage",
      ({ figure, subject }) => ({
        figure,
        subject: { ...subject, state: { ...subject.state, stage: "raw" } },
      }),
    ],
    [
      "part",
      ({ figure, subject }) => ({
        figure,
        subject: {
          ...subject,
          state: { ...subject.state, region: { query: 0, key: 0, rows: 1, columns: 1 } },
        },
      }),
    ],
    ["figure", ({ subject }) => ({ figure: { ...FIGURE }, subject })],
    ["text, which is being computed", () => null],
  ])("is none once another %s is shown before its fonts are here", async (_, after) => {
    const coming = asked();
    shown = shown && after(shown);
    const why = await coming;
    expect(why).toBe("gone");
    expect(unsavedReport("gone")).toContain("changed");
  });

  it("is none where there is nothing to draw, and that is no change", async () => {
    shown = { figure: { ...FIGURE, print: () => null }, subject: subjectAt(1) };
    expect(await asked()).toBe("nothing");
    expect(unsavedReport("nothing")).toBe("This picture shows nothing that could be saved.");
  });
});
