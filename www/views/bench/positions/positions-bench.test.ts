// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadRef, PositionEdit } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { message, setLanguage } from "../../../i18n/index.js";
import type { State } from "../../../state/index.js";
import { ON_BENCH, RuleForms } from "../testing/on-bench.js";
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
  const on = { ...ON_BENCH, head, model, run };
  const element = await mount(new HeadscopePositionsBench(), { on });
  const asked: Partial<State>[] = [];
  element.addEventListener("headscope-patch", ({ detail }) => {
    asked.push(detail);
    if (detail.edits) element.on = { ...(element.on ?? on), edits: detail.edits };
  });
  return { element, model, asked, edits: () => element.on?.edits.positions ?? [] };
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
    const page = new RuleForms(found.element);
    expect(page.disabled(message("at.scheme"))).toEqual([]);
    const model = new FakeModel({
      ...FAKE_INFO,
      stacks: { encoder: { layers: 3, heads: 8, kvHeads: 8, headDim: 5 } },
    });
    if (found.element.on) found.element.on = { ...found.element.on, model };
    await page.settled();
    expect(page.disabled(message("at.scheme"))).toEqual(["rotary"]);
    expect(page.text()).toContain("A head of this model has 5, which is odd");
  });

  it("says what it needs while there is no text", async () => {
    const { element } = await bench(null);
    expect(element.renderRoot.textContent).toContain("Type a sentence first");
  });
});
