// @vitest-environment happy-dom
// What the figures of an experiment are as files: their numbers, the names of their files, and what
// the files say of the run, the model or the study that the numbers are of.
import { html, render, type TemplateResult } from "lit";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HeadscopeBars } from "../elements/bars.js";
import { HeadscopeCurves } from "../elements/curves.js";
import { HeadscopeNumbers } from "../elements/numbers.js";
import { HeadscopePositions } from "../elements/positions.js";
import { matrixOf, textOf } from "../elements/testing/mount.js";
import type { Provenance } from "../export/provenance.js";
import { loadSentences } from "../i18n/index.js";
import { subjectOf, TEXT } from "../panels/export/testing/subject.js";
import { provide, sessionWith } from "../session/testing/session.js";
import { HeadscopeSaveFigure, keepRegion, numbersOf, type ShownOf } from "./save-figure.js";

const saved: [name: string, content: Promise<string>][] = [];
vi.mock("../export/download.js", async (actual) => ({
  ...(await actual<object>()),
  download: (file: Blob, name: string) => {
    saved.push([name, file.text()]);
    return Promise.resolve();
  },
}));
// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

beforeAll(() => loadSentences("experiments", "export"));
beforeEach(async () => {
  provide(sessionWith({}, { firstSubject: await subjectOf() }));
});
afterEach(() => document.body.replaceChildren());

const numbers = (values: number[], columns = 2): HeadscopeNumbers =>
  Object.assign(new HeadscopeNumbers(), {
    tensor: matrixOf(columns, values),
    rowNames: ["up", "down"],
    columnNames: ["left", "right"],
    titles: { rows: "side", columns: "edge", values: "share" },
  });
const curves = (): HeadscopeCurves =>
  Object.assign(new HeadscopeCurves(), {
    titles: { x: "step", y: "loss" },
    lines: [
      {
        name: "first",
        points: [
          { x: 1, y: 0.5 },
          { x: 3, y: 0.25 },
        ],
      },
      { name: "second", points: [{ x: 3, y: 2 }] },
    ],
  });

/** Saves figures in a format; the files by their names. */
async function filesOf(
  format: string,
  figures: unknown,
  more: Partial<HeadscopeSaveFigure> = {},
): Promise<Record<string, string>> {
  const template: TemplateResult = html`<headscope-save-figure>${figures}</headscope-save-figure>`;
  saved.length = 0;
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  render(template, place);
  const [part] = document.body.getElementsByTagName("headscope-save-figure");
  if (!(part instanceof HeadscopeSaveFigure)) throw new Error("nothing saves");
  Object.assign(part, { name: "study", heading: "A study", of: "none", ...more });
  part.requestUpdate();
  await part.updateComplete;
  const buttons = [...part.renderRoot.querySelectorAll("button")];
  buttons.find((button) => textOf(button) === format)?.click();
  const status = (): string => textOf(part.renderRoot.querySelector("[role=status]"));
  await vi.waitFor(() => expect(status()).toMatch(/^(Saved|Nothing)/));
  const files = saved.map(async ([name, content]) => [name, await content] as const);
  return Object.fromEntries(await Promise.all(files)) as Record<string, string>;
}

/** A figure under its caption. */
const under = (caption: string, figure: Element): TemplateResult =>
  html`<figure>
    ${figure}
    <figcaption>${caption}</figcaption>
  </figure>`;
/** A JSON file, as far as it says what its numbers are of. */
const recordOf = (file = "{}"): Partial<Provenance> & { labels?: object; data?: unknown } =>
  JSON.parse(file) as Partial<Provenance>;

it("lines are a column each, with a gap where one has no point", async () => {
  const { "headscope_study.csv": file = "" } = await filesOf("CSV", curves());
  const rows = file.split("\r\n").filter((row) => !/^\uFEFF?#/.test(row));
  expect(rows).toEqual(["step,first,second", "1,0.5,", "3,0.25,2", ""]);
});

it("bars are a name and a number each, a table of positions has its own axes", () => {
  const items = [{ label: "head 1", value: -0.5, text: "−0.50" }];
  const bars = Object.assign(new HeadscopeBars(), { heading: "effect", items });
  expect(numbersOf(bars)).toEqual({ columns: ["effect", ""], rows: [["head 1", -0.5]] });
  const tensor = matrixOf(2, [1, 2, 3, 4, 5, 6], ["position", "model_dim"]);
  const positions = Object.assign(new HeadscopePositions(), { tensor });
  const axes = [{ name: "position" }, { name: "model_dim" }];
  expect(numbersOf(positions)).toMatchObject({ axes });
  expect(numbersOf(new HeadscopePositions())).toBeNull();
});

it("figures side by side are a file each, named by their captions; a figure alone is not", async () => {
  const pair = [under("before", numbers([1, 2, 3, 4])), under("after", numbers([4, 3, 2, 1]))];
  const files = await filesOf("JSON", pair, { of: "model" });
  const named = Object.entries(files).map(([name, file]) => [name, recordOf(file).data]);
  expect(named).toEqual([
    [
      "headscope_en-fr_study-before.json",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      "headscope_en-fr_study-after.json",
      [
        [4, 3],
        [2, 1],
      ],
    ],
  ]);
  const alone = await filesOf("JSON", under("before", numbers([1, 2])), { of: "model" });
  expect(Object.keys(alone)).toEqual(["headscope_en-fr_study.json"]);
  expect(recordOf(alone["headscope_en-fr_study.json"]).labels).toEqual({
    side: ["up", "down"],
    edge: ["left", "right"],
  });
});

it.each<[of: ShownOf, expected: object]>([
  [{}, { model: "en-fr", text: TEXT, layer: null, head: null }],
  [
    { stack: "cross", layer: 1, head: 2 },
    { text: TEXT, stack: "cross", layer: { number: 2 }, head: { number: 3 } },
  ],
  ["model", { model: "en-fr", text: "", link: null }],
  ["study", { model: "en-fr", text: "", link: null }],
  ["none", { model: "", text: "", link: null }],
])("a file of %j says what its numbers are of", async (of, expected) => {
  const [file] = Object.values(await filesOf("JSON", numbers([1, 2]), { of }));
  expect(recordOf(file)).toMatchObject(expected);
});

it("a table is saved in place of the figure's numbers, and needs no figure", async () => {
  const table = { columns: ["a", "b"], rows: [[1, "two"]] };
  for (const figure of [curves(), null]) {
    const files = await filesOf("CSV", figure, { table });
    expect(Object.values(files)[0]).toMatch(/\r\na,b\r\n1,two\r\n$/);
  }
  const buttons = [...document.body.querySelectorAll("headscope-save-figure")].flatMap((part) => [
    ...(part.shadowRoot?.querySelectorAll("button") ?? []),
  ]);
  expect(buttons.map(textOf)).toEqual(["CSV"]);
});

it("a picture names the run that it is of, or else its model, below its details", async () => {
  const linesIn = async (of: ShownOf): Promise<string[]> => {
    const details = ["step 3"];
    const [file = ""] = Object.values(await filesOf("SVG", numbers([1, 2, 3, 4]), { of, details }));
    return /<desc[^>]*>([^<]*)</.exec(file)?.[1]?.split("\n").slice(0, -1) ?? [];
  };
  const model = "Model: English → French";
  const ofRun = ["step 3", model, `Text: ${TEXT}`, expect.stringContaining("Model output")];
  expect(await linesIn({})).toEqual(ofRun);
  expect(await linesIn("model")).toEqual(["step 3", model]);
  expect(await linesIn("none")).toEqual(["step 3"]);
});

it("a picture of bars has them, and says where there are none", async () => {
  const items = [{ label: "head 1", value: 0.5, text: "0.50" }];
  const bars = Object.assign(new HeadscopeBars(), { heading: "effect", items, max: 1 });
  const [file] = Object.values(await filesOf("SVG", bars));
  expect(file).toContain(">head 1<");
  expect(await filesOf("SVG", Object.assign(bars, { items: [] }))).toEqual({});
});

it("a part of matrices is named where all of them show the same one", async () => {
  const region = { query: 0, key: 1, rows: 1, columns: 1 };
  const [one, other] = [numbers([1, 2, 3, 4]), numbers([4, 3, 2, 1])];
  const partOf = async (): Promise<unknown> => {
    const [file = ""] = Object.values(await filesOf("SVG", [one, other]));
    const text = /<metadata>([^<]*)</.exec(file)?.[1]?.replaceAll("&quot;", '"');
    return recordOf(text).part;
  };
  expect(await partOf()).toBeNull();
  const told = vi.fn();
  document.body.addEventListener("headscope-region-change", told);
  for (const [figure, count] of [
    [one, 0],
    [other, 1],
  ] as const) {
    figure.addEventListener("headscope-region-change", keepRegion);
    figure.dispatchEvent(
      new CustomEvent("headscope-region-change", { detail: region, bubbles: true }),
    );
    expect((await partOf()) !== null).toBe(count === 1);
  }
  expect(told).not.toHaveBeenCalled();
});
