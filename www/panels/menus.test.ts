// @vitest-environment happy-dom
// The list of models: ways to open one of the user, and keys; and what a narrow menu counts.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { all, mount, stubRoom, textOf, textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import { HeadscopeNarrowMenu, HeadscopeModelPicker } from "./menus.js";

/** A busy machine is no failure. */
const SOON = { timeout: 20_000 };

class Toggle extends Event {
  constructor(
    type: string,
    readonly newState: "open" | "closed",
  ) {
    super(type);
  }
}

beforeAll(() => loadSentences("menus", "hub", "notices"));
beforeEach(() => {
  stubRoom();
  vi.stubGlobal("ToggleEvent", Toggle);
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

interface Shown {
  part: HeadscopeModelPicker;
  session: Session;
  input: HTMLInputElement;
  opened: () => unknown[];
  /** Opens the list, and waits until it has the focus. */
  open: () => Promise<void>;
}

async function picker(): Promise<Shown> {
  const session = sessionWith({ model: "models/tiny-gpt" });
  const openPicked = vi.spyOn(session, "openPicked").mockResolvedValue();
  const part = await show(new HeadscopeModelPicker(), session, {
    findKept: () => Promise.resolve([]),
  });
  const [list] = all(part, ".list");
  const input = part.renderRoot.querySelector("input");
  if (!list || !input) throw new Error("there is no list of models");
  let isOpen = false;
  // What happy-dom lacks.
  Object.assign(list, {
    showPopover: () => (isOpen = true),
    hidePopover: () => (isOpen = false),
    matches: (selector: string) => selector === ":popover-open" && isOpen,
  });
  return {
    part,
    session,
    input,
    opened: () => openPicked.mock.calls.flat().map((files) => files.map(({ path }) => path)),
    open: async () => {
      list.showPopover();
      list.dispatchEvent(new Toggle("toggle", "open"));
      await vi.waitFor(() => expect(focused(part)).not.toBe(""), SOON);
      for (const item of all(part, ".items button")) {
        const isFocused = (): boolean => part.shadowRoot?.activeElement === item;
        Object.assign(item, { matches: (one: string) => one === ":focus" && isFocused() });
      }
    },
  };
}
const focused = (part: HeadscopeModelPicker): string =>
  textOf(part.shadowRoot?.activeElement?.querySelector(".name"));

it("opens a folder or files that its user picks, also the same ones again", async () => {
  const { part, input, opened, open } = await picker();
  await open();
  // The items that open something of the user: a folder, and files.
  const ways = all(part, "[role=menuitem]");
  const asked = vi.spyOn(input, "click").mockReturnValue();
  const pick = (at: number, name: string): void => {
    ways[at]?.click();
    Object.defineProperty(input, "files", { value: [new File(["{}"], name)], configurable: true });
    input.dispatchEvent(new Event("change"));
  };
  pick(0, "config.json");
  expect([asked.mock.calls.length, input.webkitdirectory, input.value]).toEqual([1, true, ""]);
  await vi.waitFor(() => expect(opened()).toEqual([["./config.json"]]), SOON);
  // A folder in which the browser finds no files is no choice that was given up.
  input.dispatchEvent(new Event("cancel"));
  expect(opened()).toEqual([["./config.json"], []]);
  pick(1, "model.gguf");
  expect([asked.mock.calls.length, input.webkitdirectory]).toEqual([2, false]);
  input.dispatchEvent(new Event("cancel"));
  await vi.waitFor(() => expect(opened()).toEqual([["./config.json"], [], ["./model.gguf"]]), SOON);
});

it("has the focus at the model in use, or at the ways to open one, and follows arrow keys", async () => {
  const { part, open } = await picker();
  await open();
  const names = textsOf(part, ".items .name");
  const checked = textOf(all(part, "[aria-checked=true] .name")[0]);
  expect(focused(part)).toBe(checked);
  const press = (key: string): string => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    part.shadowRoot?.activeElement?.dispatchEvent(event);
    return focused(part);
  };
  const at = names.indexOf(checked);
  expect(press("ArrowDown")).toBe(names[at + 1]);
  expect(press("ArrowUp")).toBe(checked);
  expect(press("End")).toBe(names.at(-1));
  expect(press("x")).toBe(names.at(-1));
  expect(press("ArrowDown")).toBe(names[0]);
  const blur = (): void => {
    const item = part.shadowRoot?.activeElement;
    if (item instanceof HTMLElement) item.blur();
  };
  blur();
  part.offerFiles();
  await open();
  expect(focused(part)).toBe(message("model.open"));
  blur();
  await open();
  expect(focused(part)).toBe(checked);
});

it("changes to the model that is chosen", async () => {
  const { part, session, open } = await picker();
  await open();
  all(part, "[role=menuitemradio]")[0]?.click();
  expect(session.state.model).toBe("models/en-fr");
});

it("asks for a model of the Hub while it is open, and names the host of a linked one", async () => {
  const linked = "at/https://example.org/models/mine/";
  const { part, session, open } = await picker();
  vi.spyOn(session.models, "opened", "get").mockReturnValue([linked, "opened/own"]);
  expect(all(part, "headscope-hub-form")).toEqual([]);
  await open();
  const details = textsOf(part, "[role=menuitemradio] .more").slice(-2);
  expect(details).toEqual(["example.org", message("model.opened")]);
  expect(all(part, "headscope-hub-form")).toHaveLength(1);
});

it("a narrow menu says how many of its controls are changed, and closes", async () => {
  const menu = await mount(new HeadscopeNarrowMenu(), { label: "View", changed: 0 });
  const button = all(menu, "button")[0];
  expect([textOf(button), all(menu, ".dot").length]).toEqual(["View", 0]);
  menu.changed = 2;
  await menu.updateComplete;
  expect(textOf(button)).toBe(`View${message("menu.changed", { count: 2 })}`);
  const [sheet] = all(menu, "[popover]");
  expect(sheet?.getAttribute("aria-label")).toBe("View");
  const hidden = vi.fn();
  Object.assign(sheet ?? {}, { hidePopover: hidden });
  menu.close();
  expect(hidden).not.toHaveBeenCalled();
  sheet?.dispatchEvent(new Toggle("toggle", "open"));
  menu.close();
  expect(hidden).toHaveBeenCalledOnce();
});
