// @vitest-environment happy-dom
import { html, render } from "lit";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import "../elements/curves.js";
import { textOf } from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import { provide, sessionWith } from "../session/testing/session.js";
import type { HeadscopeSaveFigure } from "./save-figure.js";
import "./save-figure.js";

const saved: Promise<string>[] = [];

vi.mock("../export/download.js", async (actual) => ({
  ...(await actual<object>()),
  download: (file: Blob) => {
    saved.push(file.text());
    return Promise.resolve();
  },
}));
// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

beforeAll(() => loadSentences("experiments"));
afterEach(() => document.body.replaceChildren());

async function show(
  name: string,
  of: object | "none",
  stale = false,
  place = document.createElement("div"),
): Promise<HeadscopeSaveFigure> {
  const lines = [name, "other"].map((one) => ({ name: one, points: [{ x: 1, y: 0.5 }] }));
  const curves = html`<headscope-curves
    .lines=${lines}
    .titles=${{ x: "d", y: "entropy" }}
  ></headscope-curves>`;
  document.body.replaceChildren(place);
  render(
    html`<headscope-save-figure name="entropy" .of=${of} .stale=${stale}
      >${curves}</headscope-save-figure
    >`,
    place,
  );
  const element =
    place.querySelector<HeadscopeSaveFigure>("headscope-save-figure") ?? expect.fail();
  await element.updateComplete;
  return element;
}

async function press({ renderRoot }: HeadscopeSaveFigure, format: string): Promise<string> {
  const status = (): string => textOf(renderRoot.querySelector("[role=status]"));
  const buttons = [...renderRoot.querySelectorAll("button")];
  buttons.find((button) => textOf(button) === format)?.click();
  await vi.waitFor(() => expect(status()).not.toMatch(/^(Preparing…)?$/));
  return status();
}

describe("<headscope-save-figure>", () => {
  it("saves the picture that stood there when it was requested, without a model", async () => {
    const place = document.createElement("div");
    const coming = press(await show("one", "none", false, place), "SVG");
    await show("two", "none", false, place);
    expect(await coming).toBe("Saved as headscope_entropy.svg");
    expect(await saved[0]).toContain(">one<");
  });

  it("saves nothing while the page, or the figure, is still of another text", async () => {
    provide(sessionWith({}, { firstSubject: {} }));
    expect(await press(await show("one", {}, true), "CSV")).toContain("Nothing to save until");
    provide(sessionWith({}, { firstSubject: null }));
    expect(await press(await show("one", {}), "PNG")).toContain("Nothing to save until");
    expect(saved).toHaveLength(1);
  });
});
