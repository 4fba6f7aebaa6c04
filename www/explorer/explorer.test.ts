// @vitest-environment happy-dom
// The explorer as a whole: which parts it shows of a State, and what its page asks of it.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { textOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import { Explorer } from "../session/explorer.js";
import { PAIRS, type Session } from "../session/session.js";
import { NO_EDITS, type State, TOUR } from "../state/index.js";
import { HeadscopeExplorer } from "./explorer.js";

const WIDE = 1200;
const NARROW = 390;
/** A busy machine is no failure. */
const SOON = { timeout: 20_000 };

beforeAll(async () => {
  await Promise.all([loadSentences("tour", "lessons", "notices", "help", "pairs"), PAIRS.come()]);
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

interface Shown {
  view: HeadscopeExplorer;
  session: Session;
  /** Whether each of some parts is in the explorer. */
  has: (...parts: string[]) => boolean[];
  find: (selector: string) => HTMLElement | null;
}

/** An explorer that waits for its model. */
async function shown(
  state: Partial<State> = {},
  { width = WIDE, page = false } = {},
): Promise<Shown> {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(width);
  const load = (): Promise<never> => new Promise(() => undefined);
  const explorer = new Explorer({ load });
  const { session } = explorer;
  session.store.replace({ ...session.state, text: "one two", ...state });
  const view = new HeadscopeExplorer(explorer);
  view.page = page;
  document.body.append(view);
  const find = (selector: string): HTMLElement | null => view.renderRoot.querySelector(selector);
  await view.updateComplete;
  return {
    view,
    session,
    find,
    has: (...parts) => parts.map((part) => find(`headscope-${part}`) !== null),
  };
}

it("is the main part of a page of its own, which takes files, and a group in another page", async () => {
  const own = await shown({}, { page: true });
  expect([own.find("[role=main]") !== null, ...own.has("drop-target")]).toEqual([true, true]);
  expect(own.view.hasAttribute("page")).toBe(true);
  const guest = await shown();
  expect([guest.find("[role=group]") !== null, ...guest.has("drop-target")]).toEqual([true, false]);
  expect(guest.view.hasAttribute("page")).toBe(false);
});

it("says in its attributes what of the page is in use", async () => {
  const { view, session } = await shown();
  const used = (): string[] =>
    ["experimenting", "training", "presenting", "edited"].filter((one) => view.hasAttribute(one));
  const after = async (state: Partial<State>): Promise<string[]> => {
    session.update(state);
    await view.updateComplete;
    return used();
  };
  expect(used()).toEqual([]);
  expect(await after({ experiment: "masks" })).toEqual(["experimenting"]);
  expect(await after({ experiment: null, training: "copy" })).toEqual(["training"]);
  session.presenting = true;
  expect(await after({ training: null })).toEqual(["presenting"]);
  session.presenting = false;
  expect(await after({ edits: { ...NO_EDITS, heads: [{ gate: 0 }] } })).toEqual(["edited"]);
});

it("has numbers beside the picture, except where no pair can be pointed at", async () => {
  const { view, session, has } = await shown();
  expect(has("inspector", "picture-panel")).toEqual([true, true]);
  session.update({ picture: "positions" });
  await view.updateComplete;
  expect(has("inspector", "picture-panel")).toEqual([false, true]);
});

it("shows both texts of a comparison in place of the picture, with the field of the second", async () => {
  const parts = ["pairs-panel", "other-bar", "picture-panel", "inspector"];
  const { view, session, has } = await shown({ otherText: "one four" });
  expect(has(...parts)).toEqual([false, false, true, true]);
  // Stands in for the runs of both texts, and of one with edits.
  vi.spyOn(session, "pairsShown", "get").mockImplementation(() => session.state.compare !== null);
  vi.spyOn(session, "comparison", "get").mockReturnValue("original");
  session.update({ compare: "other" });
  await vi.waitFor(() => expect(has(...parts)).toEqual([true, true, false, false]), SOON);
  session.update({ compare: null });
  await view.updateComplete;
  expect(has(...parts)).toEqual([false, false, true, true]);
});

it.each([
  ["above the window", -10, WIDE, 1],
  ["in the window", 10, WIDE, 0],
  ["of a narrow page, which has it in a tab,", -10, NARROW, 0],
])(
  "an experiment that opens %s is scrolled to only if it is hidden",
  async (_, top, width, times) => {
    vi.stubGlobal("requestAnimationFrame", (act: () => void) => act());
    const { view, session, find } = await shown({ experiment: "masks" }, { width });
    const place = find("headscope-experiments");
    if (!place) throw new Error("there is no place for experiments");
    vi.spyOn(place, "getBoundingClientRect").mockReturnValue({ top } as DOMRect);
    const scrolled = vi.spyOn(place, "scrollIntoView").mockReturnValue();
    // The experiment of a link, and one that closes, leave the page where it is.
    for (const experiment of ["masks", null] as const) {
      session.update({ experiment });
      await view.updateComplete;
    }
    expect(scrolled).not.toHaveBeenCalled();
    session.update({ experiment: "heads" });
    await view.updateComplete;
    expect(scrolled).toHaveBeenCalledTimes(times);
  },
);

it("scrolls to a part that its page asks for, on a narrow page in the part's tab", async () => {
  const { view, session, find } = await shown({}, { width: NARROW });
  const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView").mockReturnValue();
  const texts = (): (string | null | undefined)[] =>
    ["role", "aria-label"].map((name) => find(".texts")?.getAttribute(name));
  expect([view.getAttribute("tab"), texts()]).toEqual(["text", ["region", "Text"]]);
  for (const [part, tab] of [
    ["heads", "heads"],
    ["edits", "edits"],
    ["picture-panel", "text"],
  ] as const) {
    session.page.show?.(part);
    await view.updateComplete;
    await Promise.resolve();
    expect([part, view.getAttribute("tab")]).toEqual([part, tab]);
    expect(scrolled.mock.contexts.at(-1)).toBe(find(`[part=${part}]`));
  }
  session.page.reveal?.("headscope-inspector");
  await view.updateComplete;
  expect(view.getAttribute("tab")).toBe("details");
});

it("opens a narrow page with an experiment at its tab", async () => {
  const { view } = await shown({ experiment: "masks" }, { width: NARROW });
  expect(view.getAttribute("tab")).toBe("edits");
});

it("begins the tour at its first step, and later moves to its card", async () => {
  const { view, session, find, has } = await shown();
  expect(has("tour-card")).toEqual([false]);
  session.page.startTour?.();
  await vi.waitFor(() => expect(has("tour-card")).toEqual([true]), SOON);
  expect(session.store.state.tour).toBe(TOUR[0]);
  await vi.waitFor(
    () => expect(view.shadowRoot?.activeElement).toBe(find("headscope-tour-card")),
    SOON,
  );
  session.store.update({ tour: TOUR[1] });
  await view.updateComplete;
  find("headscope-tour-card")?.blur();
  session.page.startTour?.();
  await vi.waitFor(
    () => expect(view.shadowRoot?.activeElement).toBe(find("headscope-tour-card")),
    SOON,
  );
  expect(session.store.state.tour).toBe(TOUR[1]);
});

it("opens the help at the part that is asked for", async () => {
  const { session, find } = await shown();
  session.page.showHelp?.("terms");
  const dialog = (): HTMLDialogElement | null | undefined =>
    find("headscope-help-dialog")?.shadowRoot?.querySelector("dialog");
  await vi.waitFor(() => expect(dialog()?.open).toBe(true), SOON);
  expect(textOf(dialog()?.querySelector("li b"))).toBe(message("term.token"));
});
