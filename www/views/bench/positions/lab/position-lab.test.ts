// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../../../tests/support/fake-model.js";
import type {
  Likeness,
  LikenessAsked,
  ModelInfo,
  Tensor,
  Waves,
  WavesAsked,
} from "../../../../data/index.js";
import type { CurveLine } from "../../../../draw/curves.js";
import { mount } from "../../../../elements/testing/mount.js";
import type { Run, RunInput, RunOptions } from "../../../../headscope.js";
import { HeadscopeLabLearned } from "./learned.js";
import { HeadscopePositionLab } from "./position-lab.js";
import { HeadscopeLabSinusoidal } from "./sinusoidal.js";

const asked: WavesAsked[] = [];
const tables: LikenessAsked[] = [];

/** A table of rows that say where they stand. */
function waves({ length, dim, base }: WavesAsked): Waves {
  if (base === 13) throw new Error("no answer");
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  return {
    table: numbers(length * dim),
    wavelengths: numbers(Math.ceil(dim / 2)).map((pair) => 10 ** pair),
    products: numbers(length),
  };
}

function likeness({ table, dim }: LikenessAsked): Likeness {
  const length = table.length / dim;
  const some = (count: number): number[] => new Array<number>(count).fill(0.5);
  return {
    products: some(length ** 2),
    cosines: some(length ** 2),
    productsApart: some(length),
    cosinesApart: [1, 0.25, ...some(length - 2)],
  };
}

vi.mock(import("../../../../headscope.js"), async (original) => ({
  ...(await original()),
  theLab: (() =>
    Promise.resolve({
      ask: (_: string, ask: WavesAsked | LikenessAsked) => {
        if ("table" in ask) tables.push(ask);
        else asked.push(ask);
        return Promise.resolve().then(() => ("table" in ask ? likeness(ask) : waves(ask)));
      },
    })) as never,
}));

beforeEach(() => {
  asked.length = 0;
  tables.length = 0;
});
afterEach(() => document.body.replaceChildren());

/** Its runs of ids have as many tokens; the end of a text is one of them. */
class TableModel extends FakeModel {
  override run(input: RunInput, options?: RunOptions): Promise<Run> {
    return super.run(
      { ...input, text: new Array((input.ids?.length ?? 1) - 1).fill("word").join(" ") },
      options,
    );
  }
}

type Part = HeadscopeLabSinusoidal | HeadscopeLabLearned;

async function settled(part: Part): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await part.updateComplete;
}

/** What is typed into one of the numbers. */
async function put(part: Part, id: string, value: string): Promise<HTMLInputElement> {
  const field = part.renderRoot
    .querySelector(`#${id}`)
    ?.shadowRoot?.querySelector<HTMLInputElement>("input[type=number]");
  if (!field) throw new Error(`no ${id}`);
  field.value = value;
  field.dispatchEvent(new Event("change"));
  await settled(part);
  return field;
}

function slide(part: Part, id: string, value: string): void {
  const range = part.renderRoot
    .querySelector(`#${id}`)
    ?.shadowRoot?.querySelector<HTMLInputElement>("input[type=range]");
  if (!range) throw new Error(`no ${id}`);
  range.value = value;
  range.dispatchEvent(new Event("input"));
}

const shapeOf = (part: Part, figure: string): number[] | undefined =>
  part.renderRoot.querySelector<HTMLElement & { tensor: Tensor | null }>(figure)?.tensor?.shape;
const linesOf = (part: Part): CurveLine[][] =>
  [
    ...part.renderRoot.querySelectorAll<HTMLElement & { lines: CurveLine[] }>("headscope-curves"),
  ].map(({ lines }) => lines);

describe("<headscope-position-lab>", () => {
  it("shows nothing until it is folded out, then the first scheme, and each that is chosen", async () => {
    const lab = await mount(new HeadscopePositionLab(), {});
    expect(lab.renderRoot.querySelector("headscope-lab-sinusoidal")).toBeNull();
    const details = lab.renderRoot.querySelector("details");
    details?.setAttribute("open", "");
    details?.dispatchEvent(new Event("toggle"));
    await vi.waitFor(() =>
      expect(lab.renderRoot.querySelector("headscope-lab-sinusoidal")).not.toBeNull(),
    );
    lab.renderRoot
      .querySelector("headscope-choice")
      ?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "learned" }));
    await vi.waitFor(() =>
      expect(lab.renderRoot.querySelector("headscope-lab-learned")).not.toBeNull(),
    );
    expect(lab.renderRoot.querySelector("headscope-lab-sinusoidal")).toBeNull();
    // It needs no text and no model to stand, and says what its part needs.
    expect(lab.renderRoot.querySelector("headscope-lab-learned")?.renderRoot.textContent).toContain(
      "Load a model first",
    );
  });
});

describe("<headscope-lab-sinusoidal>", () => {
  it("asks for what is slid and typed, and refuses what is out of range", async () => {
    const part = await mount(new HeadscopeLabSinusoidal(), {});
    await settled(part);
    expect(asked.at(-1)).toEqual({ dim: 64, base: 10_000, length: 64, halves: false });
    await put(part, "dim", "7");
    await put(part, "length", "5");
    expect([shapeOf(part, "headscope-positions"), shapeOf(part, "headscope-numbers")]).toEqual([
      [5, 7],
      [5, 5],
    ]);
    expect(part.renderRoot.textContent).toContain("The last pair has no cosine");
    const refused = (id: string): string | undefined =>
      part.renderRoot.querySelector(`#${id}`)?.shadowRoot?.querySelector(".refusal code")
        ?.textContent;
    expect([(await put(part, "length", "2.5")).value, refused("length")]).toEqual([
      "2.5",
      "field/not-whole",
    ]);
    expect([(await put(part, "base", "0")).value, refused("base")]).toEqual([
      "0",
      "field/out-of-range",
    ]);
    expect(asked.at(-1)).toMatchObject({ base: 10_000, length: 5 });
    // The slider's way is in factors: half of it is the square root of a million.
    slide(part, "base", "120");
    await settled(part);
    expect(asked.at(-1)).toMatchObject({ base: 1000, length: 5 });
    expect(tables.at(-1)).toMatchObject({ dim: 7 });
  });

  it("draws the waves of a pair wherever they stand in the table; the last of an odd width is alone", async () => {
    const part = await mount(new HeadscopeLabSinusoidal(), {});
    await put(part, "dim", "5");
    await put(part, "length", "3");
    await put(part, "pair", "1");
    const columns = (): number[][] =>
      (linesOf(part)[0] ?? []).map(({ points }) => points.map(({ y }) => y));
    expect(columns()).toEqual([
      [2, 7, 12],
      [3, 8, 13],
    ]);
    expect(part.renderRoot.querySelector("[data-wavelength]")?.textContent).toContain("10");
    part.renderRoot
      .querySelector("headscope-choice")
      ?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "halves" }));
    await settled(part);
    expect(asked.at(-1)?.halves).toBe(true);
    expect(columns()).toEqual([
      [1, 6, 11],
      [4, 9, 14],
    ]);
    await put(part, "pair", "2");
    expect(columns()).toEqual([[2, 7, 12]]);
  });

  it("says when there is no answer, and has one again", async () => {
    const part = await mount(new HeadscopeLabSinusoidal(), {});
    await put(part, "base", "13");
    expect(part.renderRoot.querySelector("[role=status]")?.textContent).not.toBe("");
    await put(part, "base", "14");
    expect(shapeOf(part, "headscope-positions")).toEqual([64, 64]);
  });
});

describe("<headscope-lab-learned>", () => {
  async function learned(
    info: Partial<ModelInfo>,
    of: ModelInfo = FAKE_READER,
  ): Promise<{ part: HeadscopeLabLearned; model: FakeModel }> {
    const model = new TableModel({ ...of, ...info });
    const part = await mount(new HeadscopeLabLearned(), { model });
    await vi.waitFor(async () => {
      await settled(part);
      expect(part.renderRoot.querySelector("headscope-numbers, p.said")).not.toBeNull();
    });
    return { part, model };
  }

  it("reads the model's own table by a run that it gives back, and hands it to the laboratory", async () => {
    const { part, model } = await learned({ positions: "learned", maxTokens: 6 });
    await vi.waitFor(() => expect(shapeOf(part, "headscope-numbers")).toEqual([6, 6]));
    expect(model.inputs.at(-1)?.ids).toHaveLength(6);
    expect(model.held.size).toBe(0);
    expect([tables.at(-1)?.table.length, asked.length]).toEqual([6 * 192, 0]);
    expect(part.renderRoot.textContent).toContain("cosine of +0.250");
    await put(part, "length", "3");
    await vi.waitFor(() => expect(shapeOf(part, "headscope-positions")).toEqual([3, 192]));
    // Another length is read out of the same table.
    expect(model.inputs).toHaveLength(1);
  });

  it("shows no model's table as that of another, whose own is on its way", async () => {
    const { part } = await learned({ positions: "learned", maxTokens: 6 });
    await vi.waitFor(() => expect(shapeOf(part, "headscope-numbers")).toEqual([6, 6]));
    part.model = new TableModel({
      ...FAKE_INFO,
      positions: "sinusoidal (split halves)",
      maxTokens: 4,
    });
    await part.updateComplete;
    expect([shapeOf(part, "headscope-numbers"), part.renderRoot.querySelector("p.said")]).toEqual([
      undefined,
      null,
    ]);
    await vi.waitFor(() => expect(shapeOf(part, "headscope-numbers")).toEqual([4, 4]));
  });

  it("says of a computed table how far it is from the laboratory's", async () => {
    const { part } = await learned(
      { positions: "sinusoidal (split halves)", maxTokens: 4 },
      FAKE_INFO,
    );
    await vi.waitFor(() =>
      expect(part.renderRoot.querySelector("[data-from-waves]")).not.toBeNull(),
    );
    expect(asked.at(-1)).toEqual({ length: 4, dim: 192, base: 10_000, halves: true });
    // The made-up laboratory counts up; the made-up model has waves.
    expect(
      Number(part.renderRoot.querySelector("[data-from-waves]")?.getAttribute("data-from-waves")),
    ).toBeGreaterThan(700);
  });

  it("says so where a model adds no table", async () => {
    const { part, model } = await learned({ positions: "rotary" });
    expect(part.renderRoot.querySelector("p.said")?.textContent).toContain("rotary");
    expect([model.inputs.length, part.renderRoot.querySelector("headscope-numbers")]).toEqual([
      0,
      null,
    ]);
  });
});
