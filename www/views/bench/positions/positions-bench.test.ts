// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadRef, PositionEdit } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeError } from "../../../headscope.js";
import { message, setLanguage } from "../../../i18n/index.js";
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

  it("measures when it is asked to, gives back its runs, and leads to a head", async () => {
    const found = await bench();
    await change(found, "#scheme", "none");
    const held = found.model.held.size;
    const heads = found.element.renderRoot.querySelector("headscope-broken-heads");
    heads?.renderRoot.querySelector<HTMLElement>("#measure")?.click();
    // All of them: those that break first, the others behind a fold.
    await expect.poll(() => heads?.renderRoot.querySelectorAll("li").length).toBe(72);
    const shares = [
      ...(heads?.renderRoot.querySelectorAll<HTMLElement>("[data-divergence]") ?? []),
    ];
    const folded = shares.filter((share) => share.closest("details"));
    expect([folded.length > 0, folded.length < 72]).toEqual([true, true]);
    expect(
      shares.every(
        (share) =>
          Number(share.dataset.divergence) > Math.LN2 / 10 === (share.closest("details") === null),
      ),
    ).toBe(true);
    expect(heads?.renderRoot.querySelector("summary")?.textContent).toContain(
      String(folded.length),
    );
    expect(found.model.held.size).toBe(held);
    // The later a head, the more the fake says that it changed.
    heads?.renderRoot.querySelector<HTMLElement>("li button")?.click();
    expect(found.asked.at(-1)).toMatchObject({ layer: 2, head: 7 });
    await change(found, "#scheme", "alibi");
    await heads?.updateComplete;
    expect(heads?.renderRoot.querySelectorAll("li")).toHaveLength(0);
  });

  it("says in the page's language why nothing could be measured, and nothing where a newer run has taken its place", async () => {
    setLanguage("zh-CN");
    const found = await bench();
    const heads = found.element.renderRoot.querySelector("headscope-broken-heads");
    const measured = async (code: string): Promise<string> => {
      found.model.run = () =>
        Promise.reject(
          new HeadscopeError({
            code,
            doing: "the edit",
            expected: "something else",
            got: "this",
            message: "the engine's own sentence",
          }),
        );
      const button = heads?.renderRoot.querySelector<HTMLButtonElement>("#measure");
      button?.click();
      await heads?.updateComplete;
      await expect.poll(() => button?.disabled).toBe(false);
      await new Promise((resolve) => setTimeout(resolve));
      return heads?.renderRoot.querySelector("[role=status]")?.textContent.trim() ?? "";
    };
    const said = await measured("edit/unsupported");
    expect(said).toContain("有一个改动无法应用");
    expect(said).toMatch(/ edit\/unsupported$/);
    expect(said).not.toContain("own sentence");
    expect(await measured("run/released")).toBe("");
  });

  it.each([
    ["engine", "engine/crashed", "bench.crashed"],
    ["GPU", "gpu/lost", "bench.gpuLost"],
  ] as const)(
    "says that the %s stopped over the measuring of heads, and measures the run that takes the lost one's place",
    async (_, code, words) => {
      const { element, model } = await bench();
      const heads = element.renderRoot.querySelector("headscope-broken-heads");
      const button = heads?.renderRoot.querySelector<HTMLButtonElement>("#measure");
      const status = (): string =>
        heads?.renderRoot.querySelector("[role=status]")?.textContent.trim() ?? "";
      model.failing = new HeadscopeError({ code, doing: "", expected: "", got: "", message: "" });
      button?.click();
      await expect.poll(status).toBe(`${message(words)} ${code}`);
      await heads?.updateComplete;
      expect(button?.disabled).toBe(true);
      model.failing = null;
      element.run = await model.run({ text: "the old cat sleeps", target: "le chat dort" });
      await element.updateComplete;
      await heads?.updateComplete;
      expect([button?.disabled, status()]).toEqual([false, `${message(words)} ${code}`]);
      button?.click();
      await expect.poll(() => heads?.renderRoot.querySelectorAll("[data-number]").length).toBe(1);
      expect(status()).not.toContain(code);
    },
  );

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

  it("measures the run on the page: the hidden tokens too", async () => {
    const model = new FakeModel(FAKE_READER);
    const run = await model.run({ text: "the old cat sleeps", hidden: [1] });
    const element = await mount(new HeadscopePositionsBench(), {
      edits: { ...NO_EDITS, positions: [{ stack: "encoder", scheme: "none" }] },
      head: HEAD,
      model,
      run,
    });
    const heads = element.renderRoot.querySelector("headscope-broken-heads");
    model.inputs.length = 0;
    heads?.renderRoot.querySelector<HTMLElement>("#measure")?.click();
    await expect.poll(() => heads?.renderRoot.querySelectorAll("[data-number]").length).toBe(1);
    expect(model.inputs.map(({ ids }) => ids?.indexOf(FAKE_READER.maskToken ?? -1))).toEqual([
      1, 1, 1, 3, 3,
    ]);
  });

  it("says what it needs while there is no text", async () => {
    const { element } = await bench(null);
    expect(element.renderRoot.textContent).toContain("Type a sentence first");
  });
});
