// @vitest-environment happy-dom
// The help: its parts, and the States that its questions and terms lead to.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { textsOf } from "../../elements/testing/mount.js";
import { loadSentences, message } from "../../i18n/index.js";
import type { Session } from "../../session/session.js";
import { sessionWith, show } from "../../session/testing/session.js";
import { arrivalAt, HELP_PARTS, stateOf } from "../../session/tour-steps.js";
import { QUESTIONS } from "../../state/index.js";
import { HeadscopeHelpDialog } from "./help-dialog.js";
import keys from "./keys.json" with { type: "json" };
import { TERMS } from "./terms.js";

beforeAll(() => loadSentences("tour", "lessons", "notices"));
afterEach(() => document.body.replaceChildren());

async function helpOf(): Promise<{
  help: HeadscopeHelpDialog;
  session: Session;
  isOpen: () => boolean;
}> {
  const session = sessionWith({ text: "typed", theme: "dark" });
  const help = await show(new HeadscopeHelpDialog(), session);
  await help.show("questions");
  return { help, session, isOpen: () => help.renderRoot.querySelector("dialog")?.open === true };
}
const press = (help: HeadscopeHelpDialog, at: number): void =>
  [...help.renderRoot.querySelectorAll<HTMLElement>("li button")].at(at)?.click();

it("asks questions, each of which opens its State", async () => {
  const { help, session, isOpen } = await helpOf();
  expect(isOpen()).toBe(true);
  const titles = QUESTIONS.map((question) => message(`tour.${question}.title`));
  expect(textsOf(help, "li button")).toEqual(titles);
  const before = session.store.state;
  press(help, 1);
  expect(session.store.state).toEqual(arrivalAt(QUESTIONS[1], before));
  expect(isOpen()).toBe(false);
  session.store.undo();
  expect(session.store.state.text).toBe("typed");
});

it("explains terms, each with a State that shows it", async () => {
  const { help, session, isOpen } = await helpOf();
  await help.show("terms");
  const terms = Object.keys(TERMS) as (keyof typeof TERMS)[];
  expect(textsOf(help, "li b")).toEqual(terms.map((term) => message(`term.${term}`)));
  const [first] = help.renderRoot.querySelectorAll("li");
  expect(first?.textContent).toContain(message("term.query.means" as never));
  const before = session.store.state;
  const [term = "query"] = terms;
  press(help, 0);
  expect(session.store.state).toEqual(stateOf(TERMS[term as keyof typeof TERMS], before));
  expect(isOpen()).toBe(false);
});

it("lists all keys with their meanings", async () => {
  const { help } = await helpOf();
  await help.show("keys");
  expect(textsOf(help, "kbd")).toEqual(Object.values(keys).flat());
  expect(textsOf(help, "dd")).toEqual(
    Object.keys(keys).map((meaning) => message(`keys.${meaning}` as never)),
  );
});

it("shows the part that is chosen, also while it is open", async () => {
  const { help } = await helpOf();
  const tabs = help.renderRoot.querySelector("headscope-choice");
  const chosen = (): unknown => (tabs as unknown as { value: string }).value;
  expect(chosen()).toBe("questions");
  for (const part of HELP_PARTS.toReversed()) {
    tabs?.dispatchEvent(new CustomEvent("headscope-choose", { detail: part }));
    await help.updateComplete;
    expect(chosen()).toBe(part);
  }
});

it("lists lessons, and closes for the one that is opened or made", async () => {
  const { help, isOpen } = await helpOf();
  await help.show("lessons");
  const listOf = (): Element | null => help.renderRoot.querySelector("headscope-lesson-list");
  await vi.waitFor(() => expect(listOf()).not.toBeNull(), { timeout: 20_000 });
  listOf()?.dispatchEvent(new CustomEvent("headscope-lesson-opened"));
  expect(isOpen()).toBe(false);
  await help.show("lessons");
  const builderOf = (): Element | null => help.renderRoot.querySelector("headscope-lesson-builder");
  expect(builderOf()).toBeNull();
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined });
  listOf()?.dispatchEvent(new CustomEvent("headscope-lesson-made"));
  expect(isOpen()).toBe(false);
  await vi.waitFor(() => expect(builderOf()).not.toBeNull(), { timeout: 20_000 });
  builderOf()?.dispatchEvent(new CustomEvent("headscope-builder-closed"));
  await help.updateComplete;
  expect(builderOf()).toBeNull();
});
