// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun, failed } from "../../../tests/support/fake-model.js";
import type { HeadRef } from "../../data/index.js";
import { readHead, type HeadFigures } from "../run/figures.js";
import { HeadscopeStepsPanel } from "./steps-panel.js";

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 1 };
const TORN = failed("engine/internal", { message: "torn", got: "a torn page" });

function newRun(): FakeRun {
  const model = new FakeModel();
  return new FakeRun(model, model.tokenize("one two three"), { text: "one two three" });
}

const figuresOf = (run: FakeRun): Promise<HeadFigures> =>
  readHead(run, HEAD, { beside: [], vectors: false });

async function panelOf(run: FakeRun): Promise<HeadscopeStepsPanel> {
  const panel = new HeadscopeStepsPanel();
  Object.assign(panel, { figures: await figuresOf(run), pair: { query: 1, key: 0 } });
  document.body.append(panel);
  await settled(panel);
  return panel;
}

async function settled(panel: HeadscopeStepsPanel): Promise<void> {
  await vi.waitFor(async () => {
    await panel.updateComplete;
    expect(panel.getAttribute("aria-busy")).toBe("false");
  });
  await panel.updateComplete;
}

const alert = (panel: HeadscopeStepsPanel): string | undefined =>
  panel.renderRoot.querySelector("[role=alert]")?.textContent;
const hidden = (panel: HeadscopeStepsPanel): boolean =>
  panel.renderRoot.querySelector("headscope-steps")?.parentElement?.hasAttribute("hidden") ?? true;
const again = (panel: HeadscopeStepsPanel): void =>
  panel.renderRoot.querySelector<HTMLButtonElement>(".failure button")?.click();

beforeAll(() => {
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext(): null {
        return null;
      }
    },
  );
});
afterEach(() => document.body.replaceChildren());

describe("<headscope-steps-panel>", () => {
  it("says why the steps could not be read, with the code, and reads them once more when it is asked to", async () => {
    const run = newRun();
    const read = vi.spyOn(run, "steps").mockRejectedValueOnce(TORN);
    const panel = await panelOf(run);
    expect(alert(panel)).toContain("The engine made a mistake: a torn page.");
    expect(alert(panel)).toContain("engine/internal");
    expect(hidden(panel)).toBe(true);
    again(panel);
    await settled(panel);
    expect(alert(panel)).toBeUndefined();
    expect(hidden(panel)).toBe(false);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("keeps the strip when only a number could not be explained", async () => {
    const run = newRun();
    const read = vi.spyOn(run, "explain").mockRejectedValueOnce(TORN);
    const panel = await panelOf(run);
    expect(alert(panel)).toContain("engine/internal");
    expect(hidden(panel)).toBe(false);
    again(panel);
    await settled(panel);
    expect(alert(panel)).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("does not stand in for a head whose steps could not be read with those of the one before", async () => {
    const run = newRun();
    const panel = await panelOf(run);
    vi.spyOn(run, "steps").mockRejectedValueOnce(TORN);
    panel.figures = await figuresOf(run);
    await settled(panel);
    expect(alert(panel)).toContain("engine/internal");
    expect(hidden(panel)).toBe(true);
    panel.figures = await figuresOf(run);
    await settled(panel);
    expect(alert(panel)).toBeUndefined();
    expect(hidden(panel)).toBe(false);
  });

  it("says nothing of a run that a newer one has replaced", async () => {
    const run = newRun();
    vi.spyOn(run, "steps").mockRejectedValue(failed("run/released", { got: "" }));
    const panel = await panelOf(run);
    expect(alert(panel)).toBeUndefined();
  });
});
