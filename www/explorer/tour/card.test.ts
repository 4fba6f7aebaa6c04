// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { textOf, textsOf } from "../../elements/testing/mount.js";
import { loadSentences, message } from "../../i18n/index.js";
import { DEFAULT_STATE, type Guide, type State, TOUR } from "../../state/index.js";
import type { Session } from "../../session/session.js";
import { provide, sessionWith, show } from "../../session/testing/session.js";
import { GUIDES } from "../../session/guides.js";
import { arrivalAt } from "../../session/tour-steps.js";
import { button } from "../../ui/testing/controls.js";
import { ANSWERS } from "./answers.js";
import { HeadscopeTourCard } from "./card.js";

/** A frame that the card asked for, to be drawn when a test says so. */
let frames: (() => void)[] = [];
const drawFrames = (): void => frames.splice(0).forEach((draw) => draw());

beforeAll(() => loadSentences("tour"));
beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const arrival = (step: Guide): State => arrivalAt(step, DEFAULT_STATE);

/** The card of a step whose page has settled, beside parts of a page. */
async function cardAt(step: Guide, more: Partial<State> = {}, settled = true) {
  const session = sessionWith({ ...arrival(step), ...more }, { settled });
  const reveal = vi.fn<(tag: string) => void>();
  const showHelp = vi.fn<(part: string) => void>();
  Object.assign(session.page, { reveal, showHelp });
  const bar = document.createElement("div");
  const figure = document.createElement("div");
  const scrolled = vi.spyOn(figure, "scrollIntoView").mockReturnValue();
  const barFocused = vi.spyOn(bar, "focus");
  vi.spyOn(document, "querySelector").mockImplementation((tag: string) =>
    tag === "headscope-top-bar" ? bar : tag === GUIDES[step].part ? figure : null,
  );
  const card = await show(new HeadscopeTourCard(), session);
  return { card, session, reveal, showHelp, scrolled, barFocused };
}

const stateOf = (session: Session): State => session.store.state;
const labels = (card: HeadscopeTourCard): string[] => textsOf(card, ".ways button");
const press = async (card: HeadscopeTourCard, name: string): Promise<void> => {
  button(card, name).click();
  await card.updateComplete;
};

it("leads from step to step, each of which can be undone, with the focus on its heading", async () => {
  const { card, session, reveal } = await cardAt("row");
  expect(textOf(card.renderRoot.querySelector(".count"))).toBe(`1 of ${TOUR.length}`);
  expect(button(card, message("tour.back")).disabled).toBe(true);
  expect(card.shadowRoot?.activeElement ?? null).toBeNull();
  expect(reveal.mock.calls).toEqual([[GUIDES.row.part]]);

  await press(card, message("tour.next"));
  await card.updateComplete;
  expect(stateOf(session)).toEqual(arrival("match"));
  expect(reveal.mock.lastCall).toEqual([GUIDES.match.part]);
  expect(card.shadowRoot?.activeElement?.id).toBe("title");
  expect(textOf(card.renderRoot.querySelector(".count"))).toBe(`2 of ${TOUR.length}`);

  await press(card, message("tour.back"));
  expect(stateOf(session)).toEqual(arrival("row"));
  session.store.undo();
  expect(stateOf(session).tour).toBe("match");
});

it("marks the explorer with the part of a step, and leaves no mark behind", async () => {
  const session = sessionWith(arrival("row"), { settled: true });
  Object.assign(session.page, { reveal: vi.fn(), showHelp: vi.fn() });
  provide(session);
  const explorer = document.createElement("div");
  document.body.append(explorer);
  const card = new HeadscopeTourCard();
  explorer.attachShadow({ mode: "open" }).append(card);
  await card.updateComplete;
  expect(explorer.getAttribute("touring")).toBe(GUIDES.row.part);
  expect(explorer.hasAttribute("stepping")).toBe(true);
  session.store.replace(arrival("cost"));
  await card.updateComplete;
  expect(explorer.getAttribute("touring")).toBe(GUIDES.cost.part);
  // A question has its answer in the card.
  expect(explorer.hasAttribute("stepping")).toBe(false);
  session.store.replace(arrival("row"));
  await card.updateComplete;
  card.remove();
  expect(explorer.getAttributeNames().filter((name) => name !== "style")).toEqual([]);
  expect(explorer.style.length).toBe(0);
});

it("ends at the last step, whose only way out is to finish", async () => {
  const { card, session, barFocused } = await cardAt("edit");
  expect(labels(card).slice(-2)).toEqual([message("tour.back"), message("tour.finish")]);
  await press(card, message("tour.finish"));
  expect(stateOf(session)).toEqual({ ...arrival("edit"), tour: null });
  expect(barFocused).toHaveBeenCalledOnce();
});

it("offers the action of a step, then to undo it or to restore the step", async () => {
  const { card, session } = await cardAt("order");
  const { action } = GUIDES.order;
  if (!action) throw new Error("the step has no action");
  await press(card, message(action.name));
  const after = arrivalAt("order", DEFAULT_STATE, action.state);
  expect(stateOf(session)).toEqual(after);
  expect(labels(card).slice(0, 2)).toEqual([message("edits.undo"), message("tour.again")]);

  await press(card, message("tour.again"));
  expect(stateOf(session)).toEqual(arrival("order"));
  session.store.undo();
  await card.updateComplete;
  expect(stateOf(session)).toEqual(after);
  await press(card, message("edits.undo"));
  expect(stateOf(session)).toEqual(arrival("order"));
});

it("cannot undo what a link brought along, but restores the step", async () => {
  const { card, session } = await cardAt("row", { head: 3 });
  expect(button(card, message("edits.undo")).disabled).toBe(true);
  await press(card, message("tour.again"));
  expect(stateOf(session)).toEqual(arrival("row"));
});

it("has the answer of a question, and leads to the others", async () => {
  const answer = vi.spyOn(ANSWERS, "it").mockReturnValue([
    { label: "apple", value: "62%", share: 0.625 },
    { label: "now", value: "the red cat", beside: "the black cat" },
  ]);
  const { card, session, showHelp } = await cardAt("it");
  expect(card.renderRoot.querySelector(".count")).toBeNull();
  expect(answer).toHaveBeenCalledWith(session);
  expect(textsOf(card, ".answer .label")).toEqual(["apple", "now"]);
  expect(textsOf(card, ".answer b")).toEqual(["62%"]);
  const bars = [...card.renderRoot.querySelectorAll<HTMLElement>(".track i")];
  expect(bars.map(({ style }) => style.width)).toEqual(["62.5%"]);
  expect(textsOf(card, ".answer mark")).toEqual(["red"]);
  expect(card.renderRoot.querySelector(".answer")?.getAttribute("aria-busy")).toBe("false");

  expect(labels(card)).toEqual([
    message("tour.it.action"),
    message("tour.all"),
    message("tour.close"),
  ]);
  await press(card, message("tour.all"));
  expect(showHelp.mock.calls).toEqual([["questions"]]);
  await press(card, message("tour.close"));
  expect(stateOf(session).tour).toBeNull();
});

it("keeps a place for an answer that is not there yet", async () => {
  vi.spyOn(ANSWERS, "it").mockReturnValue([]);
  const { card } = await cardAt("it");
  expect(card.renderRoot.querySelector(".answer")?.getAttribute("aria-busy")).toBe("true");
});

it("is left by Escape, which means nothing else then", async () => {
  const { card, session } = await cardAt("row");
  const key = (name: string): KeyboardEvent => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
    card.renderRoot.querySelector("section")?.dispatchEvent(event);
    return event;
  };
  expect([key("a").defaultPrevented, stateOf(session).tour]).toEqual([false, "row"]);
  expect([key("Escape").defaultPrevented, stateOf(session).tour]).toEqual([true, null]);
});

it.each([
  ["sticky", 1],
  ["static", 0],
])("scrolls the part of the step into view under a card that is %s", async (position, times) => {
  const style = { position } as CSSStyleDeclaration;
  vi.spyOn(window, "getComputedStyle").mockReturnValue(style);
  const { card, scrolled } = await cardAt("row");
  expect(scrolled).not.toHaveBeenCalled();
  drawFrames();
  expect(scrolled).toHaveBeenCalledTimes(times);
  // It scrolls when a step begins, not whenever something changes.
  card.requestUpdate();
  await card.updateComplete;
  expect(frames).toEqual([]);
});

it("does not scroll before the parts have their content", async () => {
  await cardAt("row", {}, false);
  expect(frames).toEqual([]);
});
