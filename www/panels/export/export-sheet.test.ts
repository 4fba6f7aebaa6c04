// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PAPER_INKS } from "../../export/sheet.js";
import { HeadscopeError } from "../../headscope.js";
import type { State } from "../../state/index.js";
import { button, choices, choose, pick, words } from "../../ui/testing/controls.js";
import type { ExportSubject } from "../../session/subject.js";
import { subjectOf } from "./testing/subject.js";
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
