import { FAKE_WRITER, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadRef, ModelInfo, ModelNotes } from "../../../data/index.js";
import { NO_EDITS, type EditLists } from "../../../state/index.js";
import { readHead } from "../../../session/run/head.js";
import type { Session } from "../../../session/session.js";
import { sessionWith, show as showPart } from "../../../session/testing/session.js";
import type { Demo, OnPage } from "../demo.js";
import { HeadscopeDemo } from "../demo-element.js";

export const NOTES: ModelNotes = {
  version: 1,
  heldOut: { sentences: 24, seed: 1, note: "" },
  roles: {},
  unigrams: [],
  sentences: Array.from({ length: 24 }, () => ({ text: "one two three" })),
};

/** A decoder-only model of so many layers with two heads. */
export function writer(layers: number, info: Partial<ModelInfo> = {}): FakeModel {
  const stacks = { decoder: { layers, heads: 2, kvHeads: 2, headDim: 24 } };
  const model = new FakeModel({ ...FAKE_WRITER, stacks, ...info });
  model.notes = NOTES;
  return model;
}

/** A page on which a model has answered. */
export async function onPage(
  model: FakeModel,
  on: { text?: string; head?: number; edits?: EditLists } = {},
) {
  const { text = "one two three", edits = NO_EDITS } = on;
  const head: HeadRef = { stack: "decoder", layer: 0, head: on.head ?? 0 };
  const run = await model.run({ text });
  const { mask } = await readHead(run, head);
  return { edits, text, head, mask, model, run, revision: 0, growing: false };
}

/** A demo on a page whose address has these settings. */
export async function show(
  demo: Demo,
  onPage: OnPage,
  demos: string | null = null,
): Promise<HeadscopeDemo & { explorer: Session }> {
  const explorer = sessionWith({ demos }, { onPage });
  return Object.assign(await showPart(new HeadscopeDemo(), explorer, { demo }), { explorer });
}

/** Shows another page to a demo. */
export async function turnTo(element: HeadscopeDemo, onPage: OnPage): Promise<void> {
  element.session = sessionWith({}, { onPage });
  await element.updateComplete;
}

export function all(element: HeadscopeDemo, selector: string): HTMLElement[] {
  return [...element.renderRoot.querySelectorAll<HTMLElement>(selector)];
}

export function text(element: HeadscopeDemo, selector = "*"): string {
  const words = all(element, selector).map(({ textContent }) => textContent.trim());
  return words.join(" ").replace(/\s+/g, " ");
}

export async function click(element: HeadscopeDemo, selector: string): Promise<void> {
  all(element, selector)[0]?.click();
  await element.updateComplete;
}

/** Sets a field, in which a text is taken when no key was pressed for a while. */
export async function enter(
  element: HeadscopeDemo,
  selector: string,
  change: { value: string },
): Promise<void> {
  const [field] = all(element, selector);
  if (!field) throw new Error(`no ${selector}`);
  Object.assign(field, change);
  const isText = field instanceof HTMLTextAreaElement || field.getAttribute("type") === "text";
  field.dispatchEvent(new Event(isText ? "input" : "change"));
  if (isText) await new Promise((resolve) => setTimeout(resolve, 300));
  await element.updateComplete;
}
