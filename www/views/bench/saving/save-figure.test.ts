// @vitest-environment happy-dom
import { html, render } from "lit";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import "../../../elements/curves.js";
import "../../../elements/matrices.js";
import { loadSentences } from "../../../i18n/index.js";
import { DEFAULT_STATE } from "../../../state/index.js";
import type { ExportSubject } from "../../export/subject.js";
import { provide, sessionWith } from "../../testing/session.js";
import type { HeadscopeSaveFigure } from "./save-figure.js";
import "./save-figure.js";

const saved: { name: string; text: Promise<string> }[] = [];

vi.mock("../../../export/download.js", async (actual) => ({
  ...(await actual<object>()),
  download: (file: Blob, name: string) => {
    saved.push({ name, text: file.text() });
    return Promise.resolve();
  },
}));

// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

const SUBJECT = {
  state: { ...DEFAULT_STATE, model: "models/tiny-gpt", text: "The dog" },
  run: { tokens: [] },
  head: { stack: "decoder", layer: 1, head: 2 },
  target: null,
  edits: {},
  editWords: [],
  compared: null,
} as unknown as ExportSubject;

/** Puts the figures into an explorer of which this can be exported. */
const provideSubject = (firstSubject: ExportSubject | null): void =>
  provide(sessionWith({}, { firstSubject }));

beforeAll(() => loadSentences("bench"));
beforeEach(() => provideSubject(SUBJECT));
afterEach(() => {
  document.body.replaceChildren();
  saved.length = 0;
});

async function shown(content: unknown): Promise<HeadscopeSaveFigure> {
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  render(content, place);
  const element = place.querySelector("headscope-save-figure");
  if (!element) throw new Error("nothing to save");
  for (let turn = 0; turn < 4; turn += 1) {
    await element.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return element;
}

const formats = (element: HeadscopeSaveFigure): string[] =>
  [...element.renderRoot.querySelectorAll("button")].map(({ textContent }) => textContent);

async function press(element: HeadscopeSaveFigure, format: string): Promise<string> {
  [...element.renderRoot.querySelectorAll("button")]
    .find(({ textContent }) => textContent === format)
    ?.click();
  await vi.waitFor(() =>
    expect(element.renderRoot.querySelector("[role=status]")?.textContent).not.toMatch(
      /^(Preparing…)?$/,
    ),
  );
  return element.renderRoot.querySelector("[role=status]")?.textContent ?? "";
}

const LINES = [
  {
    name: "one",
    points: [
      { x: 1, y: 0.5 },
      { x: 2, y: 0.1 + 0.2 },
    ],
  },
  { name: "two, or so", points: [{ x: 2, y: 7 }] },
];
const CURVES = html`<headscope-curves .lines=${LINES} .titles=${{ x: "d", y: "entropy" }}></headscope-curves>`;
const TENSOR = { data: Float32Array.from([1, 2, 3, 4]), shape: [2, 2], axes: ["layer", "head"] };
const NUMBERS = html`<headscope-numbers .tensor=${TENSOR} .rowNames=${["a", "b"]} .columnNames=${["c", "d"]} .titles=${{ rows: "layer", columns: "head", values: "effect" }}></headscope-numbers>`;

describe("<headscope-save-figure>", () => {
  it("saves curves as a table of full precision, named after the run that they are of", async () => {
    const element = await shown(
      html`<headscope-save-figure name="entropy" .heading=${"Entropy"} .of=${{ stack: "decoder", layer: 1 }}>${CURVES}</headscope-save-figure>`,
    );
    expect(formats(element)).toEqual(["SVG", "PNG", "CSV"]);
    expect(await press(element, "CSV")).toBe(
      "Saved as headscope_tiny-gpt_decoder_layer-2_entropy_the-dog.csv",
    );
    expect((await saved[0]?.text)?.split(/^#.*\r\n/m).at(-1)).toBe(
      'd,one,"two, or so"\r\n1,0.5,\r\n2,0.30000000000000004,7\r\n',
    );
  });

  it("says in a picture which part it shows, once for all figures that show it", async () => {
    const size = 20;
    const tensor = {
      data: new Float32Array(size * size),
      shape: [size, size],
      axes: ["layer", "head"],
    };
    const names = Array.from({ length: size }, (_, index) => `${index}`);
    const part = (query: number): unknown =>
      html`<headscope-numbers .tensor=${tensor} .rowNames=${names} .columnNames=${names} .region=${{ query, key: 4, rows: 10, columns: 10 }}></headscope-numbers>`;
    const svgOf = async (...starts: number[]): Promise<string> => {
      await press(
        await shown(
          html`<headscope-save-figure name="effect" .heading=${"Effect"}>${starts.map((query) => part(query))}</headscope-save-figure>`,
        ),
        "SVG",
      );
      return (await saved.at(-1)?.text) ?? "";
    };
    expect((await svgOf(2, 2)).match(/Shown:[^<]*<\/(text|tspan)/g)).toHaveLength(1);
    expect(saved.at(-1)?.name).toContain("q3-12_k5-14");
    expect((await svgOf(2, 5)).match(/Shown:[^<]*<\/(text|tspan)/g)).toHaveLength(2);
    expect(saved.at(-1)?.name).not.toContain("q3-12");
  });

  it("saves a table where there is no figure, and one in place of what a figure says", async () => {
    const table = { columns: ["word", "p"], rows: [["=SUM(A1)", NaN]] };
    const element = await shown(
      html`<headscope-save-figure name="words" .heading=${"Words"} .table=${table}><p>…</p></headscope-save-figure>`,
    );
    expect(formats(element)).toEqual(["CSV"]);
    await press(element, "CSV");
    expect(await saved[0]?.text).toMatch(
      /^\uFEFF# headscope: .*\r\n# model: "tiny-gpt"\r\n# text: "The dog"\r\n(#.*\r\n)*word,p\r\n'=SUM\(A1\),\r\n$/,
    );
    const both = await shown(
      html`<headscope-save-figure name="words" .heading=${"Words"} .table=${table}>${NUMBERS}</headscope-save-figure>`,
    );
    await press(both, "CSV");
    expect(await saved[1]?.text).toContain("word,p");
  });

  it("needs no model for what needs none, and no sentence for what reads others", async () => {
    const lab = await shown(
      html`<headscope-save-figure name="entropy seed 1" .heading=${"Entropy"} of="lab">${CURVES}</headscope-save-figure>`,
    );
    provideSubject(null);
    expect(await press(lab, "CSV")).toBe("Saved as headscope_entropy-seed-1.csv");
    provideSubject(SUBJECT);
    const model = await shown(
      html`<headscope-save-figure name="pruning" .heading=${"Pruning"} of="model">${CURVES}</headscope-save-figure>`,
    );
    expect(await press(model, "CSV")).toBe("Saved as headscope_tiny-gpt_pruning.csv");
  });

  it("saves the picture that stood there when it was asked for", async () => {
    const figure = (lines: unknown): unknown =>
      html`<headscope-save-figure name="entropy" .heading=${"Entropy"} of="lab"><headscope-curves .lines=${lines} .titles=${{ x: "d", y: "entropy" }}></headscope-curves></headscope-save-figure>`;
    const element = await shown(figure(LINES));
    const coming = press(element, "SVG");
    if (element.parentElement) render(figure(LINES.slice(1)), element.parentElement);
    expect(await coming).toContain("Saved as");
    expect(await saved[0]?.text).toContain(">one<");
  });

  it("saves nothing while the page, or the figure, is still of another text", async () => {
    const figure = (stale: boolean): unknown =>
      html`<headscope-save-figure name="entropy" .heading=${"Entropy"} .stale=${stale}>${CURVES}</headscope-save-figure>`;
    expect(await press(await shown(figure(true)), "CSV")).toContain("nothing to save until");
    provideSubject(null);
    expect(await press(await shown(figure(false)), "PNG")).toContain("nothing to save until");
    expect(saved).toEqual([]);
  });
});
