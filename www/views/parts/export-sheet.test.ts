// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { PAPER_INKS } from "../../export/sheet.js";
import { HeadscopeError } from "../../headscope.js";
import { setLanguage } from "../../i18n/index.js";
import type { State } from "../../state/index.js";
import type { ExportSubject } from "../export/subject.js";
import { subjectOf } from "../export/testing.js";
import type { HeadscopeEmbedButtons } from "./embed-buttons.js";
import { HeadscopeExportSheet } from "./export-sheet.js";
import { button, choices, choose, pick, words } from "../../ui/testing/controls.js";

const saved = vi.fn<(file: Blob, name: string) => Promise<void>>();
vi.mock("../../export/download.js", async (original) => ({
  ...(await original<object>()),
  download: (file: Blob, name: string) => saved(file, name),
}));

const CROSS = { stack: "cross", layer: 1, head: 2 } as const;
const subject = (state: Partial<State> = {}): Promise<ExportSubject> =>
  subjectOf(state, { head: CROSS });

const sheet = async (
  properties: Partial<HeadscopeExportSheet> = {},
): Promise<HeadscopeExportSheet> =>
  mount(new HeadscopeExportSheet(), { open: true, subject: await subject(), ...properties });
const report = ({ renderRoot }: HeadscopeExportSheet): string =>
  words(renderRoot.querySelector("[role=status]"));

beforeEach(() => {
  saved.mockReset().mockResolvedValue(undefined);
});
afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-export-sheet>", () => {
  it("says what went wrong, and what was chosen is over when it opens again", async () => {
    saved.mockRejectedValue(new Error("the disk is full"));
    const element = await sheet();
    button(element, "JSON").click();
    await vi.waitFor(() => expect(report(element)).toContain("the disk is full"));
    choose(element, Object.keys(choices(element))[0] ?? "", "screen");
    element.open = false;
    await element.updateComplete;
    element.open = true;
    await element.updateComplete;
    expect(report(element)).toBe("");
    // Who wants the colours of the page wants them for the next picture, too.
    expect(Object.values(choices(element))[0]).toMatch(/\[.+\]$/);
  });

  it.each(["SVG", "CSV"])(
    "says in one sentence with its code that a text is too long for singular values: %s",
    async (format) => {
      const of = await subject();
      const tooLong = {
        code: "selection/too-large",
        message: "the singular values: expected fewer queries.",
        doing: "the singular values",
        expected: "fewer queries",
        got: "513 queries",
      };
      vi.spyOn(of.run, "spectrum").mockImplementation(() =>
        Promise.reject(new HeadscopeError(tooLong)),
      );
      const element = await sheet({
        subject: of,
        figure: () => ({ inks: PAPER_INKS, print: () => null }),
      });
      pick(element, "Which picture", (option) => option === "singular values");
      await element.updateComplete;
      button(element, format).click();
      await vi.waitFor(() =>
        expect(report(element)).toBe(
          "This could not be saved: This text is too long for what was asked. Shorten it. selection/too-large",
        ),
      );
      expect(element.renderRoot.querySelector("[role=status] code")?.textContent).toBe(
        "selection/too-large",
      );
      expect(saved).not.toHaveBeenCalled();
    },
  );

  describe("copies embed code", () => {
    const copied = vi.fn<(text: string) => Promise<void>>();
    beforeEach(() => {
      copied.mockReset().mockResolvedValue(undefined);
      vi.stubGlobal("navigator", { clipboard: { writeText: copied } });
    });
    afterEach(() => vi.unstubAllGlobals());

    const WHICH = "Which picture";
    const [LINK, COPY] = ["Copy link", "Copy embed code"];
    const codeButtons = ({ renderRoot }: HeadscopeExportSheet): HeadscopeEmbedButtons => {
      const buttons = renderRoot.querySelector("headscope-embed-buttons");
      if (!buttons) throw new Error("there are no buttons to share by");
      return buttons;
    };
    const offered = (element: HeadscopeExportSheet): string[] =>
      [...codeButtons(element).renderRoot.querySelectorAll("button")].map(words);
    const told = (element: HeadscopeExportSheet): string =>
      words(codeButtons(element).renderRoot.querySelector("[aria-live]"));

    async function shown(element: HeadscopeExportSheet, which: string): Promise<void> {
      pick(element, WHICH, (text) => text === which);
      await element.updateComplete;
      await codeButtons(element).updateComplete;
    }

    it("of the picture that is chosen, both texts of a translator", async () => {
      const element = await sheet();
      for (const which of [
        "the picture on the screen",
        "all heads as small pictures",
        "singular values",
        "tokens of the text",
      ]) {
        await shown(element, which);
        expect([offered(element), told(element)]).toEqual([[LINK, COPY], ""]);
        button(codeButtons(element), COPY).click();
        await vi.waitFor(() => expect(told(element)).toMatch(/^Copied/));
      }
      expect(
        copied.mock.calls.map(([code]) =>
          [...code.matchAll(/<(headscope-[a-z]+)/g)].map(([, tag]) => tag),
        ),
      ).toEqual([
        ["headscope-heatmap"],
        ["headscope-grid"],
        ["headscope-spectrum"],
        ["headscope-tokens", "headscope-tokens"],
      ]);
    });

    it("of no other picture where the one that is chosen has none", async () => {
      const element = await sheet({ subject: await subject({ locked: { query: 0, key: 1 } }) });
      await shown(element, "where the held query looks most");
      expect(offered(element)).toEqual([LINK]);
      await shown(element, "the picture on the screen");
      expect(offered(element)).toEqual([LINK, COPY]);
    });
  });
});
