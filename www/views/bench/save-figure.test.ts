// @vitest-environment happy-dom
import { html, render } from "lit";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import "../../elements/curves.js";
import { loadSentences } from "../../i18n/index.js";
import { DEFAULT_STATE } from "../../state/index.js";
import type { ExportSubject } from "../export/subject.js";
import { provide, sessionWith } from "../testing/session.js";
import type { HeadscopeSaveFigure } from "./save-figure.js";
import "./save-figure.js";

const saved: { name: string; text: Promise<string> }[] = [];

vi.mock("../../export/download.js", async (actual) => ({
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
describe("<headscope-save-figure>", () => {
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
