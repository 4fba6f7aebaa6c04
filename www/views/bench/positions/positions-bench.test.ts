// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadRef, PositionEdit } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { setLanguage } from "../../../i18n/index.js";
import { NO_EDITS, type State } from "../../../state/index.js";
import { HeadscopePositionsBench } from "./positions-bench.js";

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 1 };

interface Bench {
  element: HeadscopePositionsBench;
  model: FakeModel;
  asked: Partial<State>[];
  edits: () => readonly PositionEdit[];
}

/** The bench on a page that does what it asks for. */
async function bench(head: HeadRef | null = HEAD): Promise<Bench> {
  const model = new FakeModel();
  const run = await model.run({ text: "the old cat sleeps", target: "le chat dort" });
  const element = await mount(new HeadscopePositionsBench(), { edits: NO_EDITS, head, model, run });
  const asked: Partial<State>[] = [];
  element.addEventListener("headscope-patch", ({ detail }) => {
    asked.push(detail);
    if (detail.edits) element.edits = detail.edits;
  });
  return { element, model, asked, edits: () => element.edits.positions };
}

async function change({ element }: Bench, selector: string, value: string): Promise<void> {
  const field = element.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event("change"));
  await element.updateComplete;
}

const strip = ({ element }: Bench): HTMLElement =>
  element.renderRoot.querySelector("headscope-order-strip") ?? element;
const words = (found: Bench): string[] =>
  [...(strip(found).shadowRoot?.querySelectorAll("[data-token]") ?? [])].map(({ textContent }) =>
    textContent.trim(),
  );

async function press(found: Bench, token: number, key: string): Promise<void> {
  const button = strip(found).shadowRoot?.querySelector(`[data-token="${token}"]`);
  button?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await found.element.updateComplete;
  await found.element.renderRoot.querySelector("headscope-order-strip")?.updateComplete;
}

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-positions-bench>", () => {
  it("puts a scheme with its numbers in the place of the model's own, and takes it back", async () => {
    const found = await bench();
    await change(found, "#scheme", "t5");
    await change(found, "#buckets", "8");
    expect(found.edits()).toEqual([{ stack: "encoder", scheme: "t5", parameters: { buckets: 8 } }]);
    expect(found.element.renderRoot.textContent).toContain("untrained");
    await change(found, "#buckets", "7");
    expect(found.edits()[0]?.parameters).toEqual({ buckets: 8 });
    await change(found, "#scheme", "model");
    expect(found.edits()).toEqual([]);
  });

  it("has the table of the model, or one that is drawn", async () => {
    const found = await bench();
    await change(found, "#scheme", "learned");
    expect(found.element.renderRoot.querySelector("#seed")).toBeNull();
    await change(found, "#table", "drawn");
    await change(found, "#seed", "5");
    expect(found.edits()).toEqual([
      { stack: "encoder", scheme: "learned", parameters: { seed: 5 } },
    ]);
  });

  it("moves tokens by the keyboard and back to their places", async () => {
    const found = await bench();
    expect(words(found).slice(0, 3)).toEqual(["the", "old", "cat"]);
    await press(found, 0, "ArrowRight");
    expect(words(found).slice(0, 3)).toEqual(["old", "the", "cat"]);
    expect(found.edits()[0]?.order?.slice(0, 3)).toEqual([1, 0, 2]);
    await press(found, 0, "End");
    expect(words(found).at(-1)).toBe("the");
    found.element.renderRoot.querySelector<HTMLElement>("#restore")?.click();
    expect(found.edits()).toEqual([]);
  });

  it("says why rotary positions cannot be had where a head's width is odd", async () => {
    const found = await bench();
    const option = (): HTMLOptionElement | null =>
      found.element.renderRoot.querySelector<HTMLOptionElement>("#scheme option[value=rotary]");
    expect(option()?.disabled).toBe(false);
    found.element.model = new FakeModel({
      ...FAKE_INFO,
      stacks: { encoder: { layers: 3, heads: 8, kvHeads: 8, headDim: 5 } },
    });
    await found.element.updateComplete;
    expect(option()?.disabled).toBe(true);
    expect(found.element.renderRoot.textContent).toContain(
      "A head of this model has 5, which is odd",
    );
  });

  it("says what it needs while there is no text", async () => {
    const { element } = await bench(null);
    expect(element.renderRoot.textContent).toContain("Type a sentence first");
  });
});
