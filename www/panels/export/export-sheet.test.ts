// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PAPER_INKS } from "../../export/sheet.js";
import { HeadscopeError } from "../../headscope.js";
import type { State } from "../../state/index.js";
import { button, choices, choose, pick, words } from "../../ui/testing/controls.js";
import type { ExportSubject } from "../../session/subject.js";
import { message } from "../../i18n/index.js";
import { BOUNDS, LAYOUTS } from "../../kit/picture-layout.js";
import type { PairPart } from "./pictures.js";
import { comparedSubject, subjectOf } from "./testing/subject.js";
import type { SessionPart } from "../../session/session.js";
import { sessionWith, show } from "../../session/testing/session.js";
import type { HeadscopeEmbedButtons } from "../../kit/embed-buttons.js";
import { HeadscopeExportSheet } from "./export-sheet.js";

const saved = vi.fn<(file: Blob, name: string) => Promise<void>>();
const copied = vi.fn<(text: string) => Promise<void>>();
vi.mock("../../export/download.js", async (original) => ({
  ...(await original<object>()),
  download: (file: Blob, name: string) => saved(file, name),
}));

const subjectIn = (state: Partial<State> = {}): Promise<ExportSubject> =>
  subjectOf(state, { head: { stack: "cross", layer: 1, head: 2 } });
const sheet = (subject: ExportSubject): Promise<HeadscopeExportSheet> =>
  show(new HeadscopeExportSheet(), sessionWith({}, { subject }), {
    open: true,
    figure: () => ({ inks: PAPER_INKS, print: () => null }),
  });
const report = ({ renderRoot }: HeadscopeExportSheet): string =>
  words(renderRoot.querySelector("[role=status]"));

/** Chooses a picture and returns the buttons that copy its code. */
async function shown(element: HeadscopeExportSheet, which: string): Promise<HeadscopeEmbedButtons> {
  pick(element, "Which picture", (text) => text === which);
  await element.updateComplete;
  const buttons =
    element.renderRoot.querySelector<HeadscopeEmbedButtons>("headscope-embed-buttons");
  if (!buttons) throw new Error("there are no buttons to share by");
  await buttons.updateComplete;
  return buttons;
}

beforeEach(() => {
  saved.mockReset().mockResolvedValue(undefined);
  copied.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText: copied } });
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("opens again with the same paper, and reports what went wrong of a file that was still made", async () => {
  let fail: (lost: Error) => void = () => undefined;
  saved.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  const element = await sheet(await subjectIn());
  const reopen = async (): Promise<void> => {
    for (const open of [false, true]) await Object.assign(element, { open }).updateComplete;
  };
  button(element, "JSON").click();
  choose(element, Object.keys(choices(element))[0] ?? "", "screen");
  await vi.waitFor(() => expect(saved).toHaveBeenCalled());
  await reopen();
  expect(Object.values(choices(element))[0]).toMatch(/\[.+\]$/);
  fail(new Error("the disk is full"));
  await vi.waitFor(() => expect(report(element)).toContain("the disk is full"));
  await reopen();
  expect(report(element)).toBe("");
});

it.each(["SVG", "CSV"])("reports a text that is too long, with its code: %s", async (format) => {
  const subject = await subjectIn();
  const doing = "the singular values";
  const expected = "fewer queries";
  const got = "513 queries";
  const problem = { code: "selection/too-large", message: "", doing, expected, got } as const;
  vi.spyOn(subject.run, "spectrum").mockRejectedValue(new HeadscopeError(problem));
  const element = await sheet(subject);
  await shown(element, "singular values");
  button(element, format).click();
  await vi.waitFor(() =>
    expect(report(element)).toBe(
      "Could not save: The text is too long for this computation. Shorten it. Details selection/too-large",
    ),
  );
  expect(saved).not.toHaveBeenCalled();
});

it("copies the code of the chosen picture, and has no button for one without", async () => {
  const element = await sheet(await subjectIn({ locked: { query: 0, key: 1 } }));
  const tokens = await shown(element, "tokens of the text");
  button(tokens, "Copy embed code").click();
  await vi.waitFor(() => expect(words(tokens.renderRoot)).toMatch(/Copied/));
  expect(copied.mock.lastCall?.[0].match(/<headscope-tokens/g)).toHaveLength(2);
  const strongest = await shown(element, "most attended keys of the pinned query");
  expect(words(strongest.renderRoot)).toBe("Copy link");
});

describe("the layout of saved pictures", () => {
  const labels = ({ renderRoot }: SessionPart): HTMLLabelElement[] => [
    ...renderRoot.querySelectorAll<HTMLLabelElement>(".layout label"),
  ];
  const input = (part: SessionPart, name: string): HTMLInputElement =>
    labels(part)
      .find((one) => words(one) === name)
      ?.querySelector("input") ?? expect.fail(`there is no ${name}`);
  const preset = (part: SessionPart): string => choices(part)[message("export.layout")] ?? "";
  async function change(part: SessionPart, name: string, act: (of: HTMLInputElement) => void) {
    const of = input(part, name);
    act(of);
    of.dispatchEvent(new Event("change"));
    await part.updateComplete;
  }
  const type = (part: SessionPart, value: number): Promise<void> =>
    change(part, message("export.millimetres"), (of) => (of.value = String(value)));
  const width = (part: SessionPart): number =>
    Number(input(part, message("export.millimetres")).value);

  it("begins with one for a purpose, of which each part can be changed", async () => {
    const element = await sheet(await subjectIn());
    expect(preset(element)).toContain(`[${message("export.preset.own")}]`);
    choose(element, message("export.layout"), "page");
    await element.updateComplete;
    expect(width(element)).toBe(LAYOUTS.page.print?.millimetres);
    const shown = [
      "title",
      "caption",
      "colourBar",
      "legend",
      "held",
      "outlines",
      "inParts",
    ] as const;
    for (const name of shown) {
      const label = message(`export.with.${name}`);
      expect(input(element, label).checked).toBe(LAYOUTS.page[name]);
      await change(element, label, (of) => (of.checked = !of.checked));
      expect(input(element, label).checked).toBe(!LAYOUTS.page[name]);
      expect(preset(element)).not.toContain("[");
      await change(element, label, (of) => (of.checked = !of.checked));
      expect(preset(element)).toContain(`[${message("export.preset.page")}]`);
    }
  });

  it("takes sizes within bounds, and goes back from others", async () => {
    const element = await sheet(await subjectIn());
    expect(labels(element).map((one) => words(one))).not.toContain(message("export.millimetres"));
    await change(element, message("export.inMillimetres"), (of) => (of.checked = true));
    expect(width(element)).toBe(LAYOUTS.column.print?.millimetres);
    const { least, most } = BOUNDS.millimetres;
    for (const [typed, kept] of [
      [100, 100],
      [least, least],
      [least - 1, least],
      [most, most],
      [most + 1, most],
    ] as const) {
      await type(element, typed);
      expect(width(element)).toBe(kept);
    }
    await change(element, message("export.inMillimetres"), (of) => (of.checked = false));
    expect(labels(element).map((one) => words(one))).not.toContain(message("export.millimetres"));
  });
});

describe("of two runs", () => {
  it("saves the part that is chosen, and shares the page of that run alone", async () => {
    const subject = await comparedSubject();
    const asked: PairPart[] = [];
    const figure = (part: PairPart): null => {
      asked.push(part);
      return null;
    };
    const session = sessionWith({}, { subject });
    const element = await show(new HeadscopeExportSheet(), session, { open: true, figure });
    const label = message("pairs.part");
    const parts = ["part.all", "first", "second", "difference"] as const;
    const named = parts.map((one) => message(`pairs.${one}`));
    expect(choices(element)[label]?.replaceAll(/[[\]]/g, "")).toBe(named.join(" "));
    const shared = (): Partial<State> | undefined =>
      element.renderRoot.querySelector<HeadscopeEmbedButtons>("headscope-embed-buttons")?.shown as
        State | undefined;
    expect(shared()).toBe(subject.state);
    choose(element, label, "second");
    await element.updateComplete;
    expect(shared()).toMatchObject({ compare: null, text: subject.compared.reading.text });
    button(element, "SVG").click();
    await shown(element, message("export.other.grid"));
    // Another picture is of the first run.
    expect(choices(element)[label]).toBeUndefined();
    expect(shared()).toBe(subject.state);
    button(element, "SVG").click();
    expect(asked).toEqual(["second", "all"]);
    // There is no figure, so nothing is saved.
    expect([report(element), saved.mock.calls.length]).toEqual(["", 0]);
  });

  it("names the whole as both where they have no difference", async () => {
    const subject = await comparedSubject();
    const paired = { ...subject.compared.paired, shared: null };
    const apart = { ...subject, compared: { ...subject.compared, paired } };
    const element = await sheet(apart);
    const named = ["part.both", "first", "second"] as const;
    expect(choices(element)[message("pairs.part")]).toBe(
      named
        .map((one, at) => (at === 0 ? `[${message(`pairs.${one}`)}]` : message(`pairs.${one}`)))
        .join(" "),
    );
  });
});

it("offers the part that is shown of a matrix, or the whole, each with its size", async () => {
  const region = { query: 0, key: 1, rows: 1, columns: 2 };
  const element = await sheet(await subjectIn({ region }));
  const size = (): string =>
    words(element.renderRoot.querySelector("h3#numbers ~ p.small:not(.report)"));
  const label = message("export.extent");
  expect(choices(element)[label]).toContain(`[${message("export.extent.part")}]`);
  expect(size()).toBe(message("export.shape", { shape: "1 × 2" }));
  choose(element, label, "whole");
  await element.updateComplete;
  expect(size()).toBe(message("export.shape", { shape: "4 × 4" }));
  // Opened again it offers the part.
  for (const open of [false, true]) await Object.assign(element, { open }).updateComplete;
  expect(size()).toBe(message("export.shape", { shape: "1 × 2" }));
  expect(choices(await sheet(await subjectIn()))[label]).toBeUndefined();
});
