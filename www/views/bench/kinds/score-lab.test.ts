// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ScoreRows, Scores, ScoresAsked, ScoresAt } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeScoreLab } from "./score-lab.js";

const asked: ScoresAsked[] = [];
const signals: AbortSignal[] = [];
const rows = (variance: number): ScoreRows => ({
  variance,
  entropy: 1 / variance,
  jacobian: 0.25,
  weights: [0.75, 0.25],
});
const at = (dim: number): ScoresAt => ({ dim, plain: rows(dim), scaled: rows(1) });

vi.mock("../../../headscope.js", async (original) => ({
  ...(await original<object>()),
  theLab: () =>
    Promise.resolve({
      ask: (_: string, ask: ScoresAsked, { signal }: { signal: AbortSignal }): Promise<Scores> => {
        asked.push(ask);
        signals.push(signal);
        return ask.seed === 13
          ? Promise.reject(new Error("no answer"))
          : Promise.resolve({ here: at(ask.dim), along: [at(1), at(64)], widest: 3.5 });
      },
    }),
}));

afterEach(() => document.body.replaceChildren());

async function change(lab: HeadscopeScoreLab, selector: string, value: string): Promise<void> {
  const field = lab.renderRoot.querySelector<HTMLInputElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event(selector === "#dim" ? "input" : "change"));
  await settled(lab);
}

async function settled(lab: HeadscopeScoreLab): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  await lab.updateComplete;
}

const numbers = (lab: HeadscopeScoreLab, name: string): string[] =>
  [...lab.renderRoot.querySelectorAll(`[data-lab=${name}] td`)].map((cell) => cell.textContent);

describe("<headscope-score-lab>", () => {
  it("asks for what the slider says and shows both sides of the scale", async () => {
    const lab = await mount(new HeadscopeScoreLab(), {});
    await settled(lab);
    expect(asked.at(-1)).toEqual({ dim: 64, seed: 1 });
    await change(lab, "#dim", "8");
    expect(asked.at(-1)).toEqual({ dim: 8, seed: 1 });
    expect(numbers(lab, "variance").map(Number)).toEqual([8, 1]);
    expect(lab.renderRoot.querySelectorAll("headscope-bars")).toHaveLength(2);
    const curves = [...lab.renderRoot.querySelectorAll("headscope-curves")];
    expect(curves.map(({ marked, lines }) => [marked, lines.length])).toEqual([
      [8, 2],
      [8, 3],
      [8, 2],
    ]);
    // The chosen width stands in its place among those that are always drawn.
    expect(curves[0]?.lines[0]?.points).toEqual([
      { x: 1, y: 1 },
      { x: 8, y: 8 },
      { x: 64, y: 64 },
    ]);
    expect(curves[1]?.lines[2]?.points.map(({ y }) => y)).toEqual([3.5, 3.5, 3.5]);
  });

  it("says when there is no answer, and asks again", async () => {
    const lab = await mount(new HeadscopeScoreLab(), {});
    await change(lab, "#lab-seed", "13");
    expect(lab.renderRoot.querySelector("[role=status]")).not.toBeNull();
    expect(lab.renderRoot.querySelector(".refusal")).toBeNull();
    await change(lab, "#lab-seed", "-4");
    expect([
      asked.at(-1)?.seed,
      lab.renderRoot.querySelector(".refusal code")?.textContent,
    ]).toEqual([13, "field/out-of-range"]);
    await change(lab, "#lab-seed", "4");
    expect(numbers(lab, "jacobian")).toHaveLength(2);
  });

  it("leaves no question open when it leaves the page, and asks it anew when it comes back", async () => {
    const lab = await mount(new HeadscopeScoreLab(), {});
    await settled(lab);
    const before = signals.length;
    expect(signals.at(-1)?.aborted).toBe(false);
    lab.remove();
    expect(signals.at(-1)?.aborted).toBe(true);
    document.body.append(lab);
    await settled(lab);
    expect([signals.length, signals.at(-1)?.aborted]).toEqual([before + 1, false]);
  });
});
