// @vitest-environment happy-dom
// The button of the export: its sheet is loaded when it is first opened, and then stays.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { mount, stubRoom } from "../../elements/testing/mount.js";
import { loadSentences } from "../../i18n/index.js";
import { provide, sessionWith } from "../../session/testing/session.js";
import { HeadscopeExportMenu } from "./export-menu.js";
import { HeadscopeExportSheet } from "./export-sheet.js";

class Toggle extends Event {
  constructor(readonly newState: "open" | "closed") {
    super("toggle");
  }
}

beforeAll(() => loadSentences("export", "notices", "pairs", "steps"));
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("loads the sheet when it is first opened, and keeps it closed afterwards", async () => {
  stubRoom();
  vi.stubGlobal("ToggleEvent", Toggle);
  provide(sessionWith());
  const menu = await mount(new HeadscopeExportMenu(), { ready: true });
  const button = menu.renderRoot.querySelector("button");
  const sheet = (): Element | null => menu.renderRoot.querySelector("headscope-export-sheet");
  const toggle = async (state: "open" | "closed"): Promise<void> => {
    menu.renderRoot.querySelector("[popover]")?.dispatchEvent(new Toggle(state));
    await menu.updateComplete;
  };
  expect([sheet(), button?.getAttribute("aria-expanded")]).toEqual([null, "false"]);
  await toggle("open");
  await vi.waitFor(() => expect(sheet()).toBeInstanceOf(HeadscopeExportSheet), { timeout: 20_000 });
  expect(sheet()).toHaveProperty("open", true);
  expect(button?.getAttribute("aria-expanded")).toBe("true");
  const before = sheet();
  await toggle("closed");
  expect([sheet() === before, button?.getAttribute("aria-expanded")]).toEqual([true, "false"]);
  expect(before).toHaveProperty("open", false);
});

it("is off while there is nothing to save", async () => {
  provide(sessionWith());
  const menu = await mount(new HeadscopeExportMenu(), {});
  const disabled = (): boolean | undefined => menu.renderRoot.querySelector("button")?.disabled;
  expect(disabled()).toBe(true);
  menu.ready = true;
  await menu.updateComplete;
  expect(disabled()).toBe(false);
});
