// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { HeadscopeCurves } from "../../elements/curves.js";
import type { HeadscopeGrid } from "../../elements/grid/element.js";
import { all, textOf } from "../../elements/testing/mount.js";
import { stubPainting } from "../../elements/testing/painted.js";
import { loadSentences } from "../../i18n/index.js";
import { GUIDES } from "../../session/guides.js";
import { Session } from "../../session/session.js";
import { show } from "../../session/testing/session.js";
import { button } from "../../ui/testing/controls.js";
import { PRESETS } from "../presets.js";
import { FAKE_STEPS, fakeTraining, memory } from "../testing/fake-training.js";
import { BESIDE } from "./trainings.js";
import type { HeadscopeTrainingSettings } from "./training-settings.js";
import { HeadscopeTraining } from "./training-page.js";

beforeAll(async () => {
  stubPainting(600);
  await loadSentences("training", "experiments", "notices");
});
afterEach(() => document.body.replaceChildren());

/** Waits until a check holds: a busy machine is no failure. */
const waitFor = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000 });

const found = (page: HeadscopeTraining, selector: string): HTMLElement => {
  const element = page.renderRoot.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`there is no ${selector}`);
  return element;
};

const words = (page: HeadscopeTraining): string => textOf(found(page, ".training"));

/** The page with a training, once `until` holds of its status. */
async function pageOf(training: string, failsAt?: number) {
  const session = new Session({ load: () => new Promise(() => undefined) });
  session.store.replace({ ...session.state, training });
  const page = await show(new HeadscopeTraining(fakeTraining(failsAt), memory()), session);
  const status = (): string => textOf(page.renderRoot.querySelector(".status"));
  const until = (text: RegExp): Promise<unknown> =>
    waitFor(() => {
      page.requestUpdate();
      expect(status()).toMatch(text);
    });
  return { page, session, until };
}

const over = new RegExp(`Step ${FAKE_STEPS} of ${FAKE_STEPS}\\.`);

it("is opened by its question at the preset of induction", () => {
  expect(GUIDES.forming.state.training).toBe(PRESETS.induction.join(BESIDE));
});

describe("the training part", () => {
  it("trains at once from a link, and shows the heads of each kept checkpoint", async () => {
    const { page, until } = await pageOf("copy");
    await until(over);
    await waitFor(() => expect(button(page, "Go on").disabled).toBe(true));
    const grid = found(page, "headscope-grid") as HeadscopeGrid;
    const newest = grid.thumbnails;
    const slider = found(page, "#checkpoint") as HTMLInputElement;
    expect(slider.max).toBe("2");
    slider.value = "0";
    slider.dispatchEvent(new Event("input"));
    await page.updateComplete;
    expect(grid.thumbnails).not.toBe(newest);
    expect(words(page)).toContain("All heads at step 0");
    button(page, "Show the newest").click();
    await page.updateComplete;
    expect(grid.thumbnails).toBe(newest);
  });

  it("goes back to a checkpoint, and on from there", async () => {
    const { page, until } = await pageOf("copy");
    await until(over);
    const slider = found(page, "#checkpoint") as HTMLInputElement;
    await waitFor(() => expect(slider.max).toBe("2"));
    slider.value = "1";
    slider.dispatchEvent(new Event("input"));
    await page.updateComplete;
    button(page, "Go back to step 20").click();
    await until(/Step 20 of/);
    button(page, "Go on").click();
    await until(over);
  });

  it("waits for Start without settings, and takes one step at a time", async () => {
    const { page, until } = await pageOf("");
    await until(/Step 0 of/);
    const axis = (found(page, "headscope-curves") as HeadscopeCurves).range.x;
    expect(axis, "whole steps, none before the first").toEqual([0, 10]);
    button(page, "One step").click();
    await until(/Step 1 of/);
    expect(button(page, "Go on").disabled).toBe(false);
  });

  it("says at which step a loss is no number, and why", async () => {
    const { page } = await pageOf("copy", 30);
    await waitFor(() => expect(words(page)).toContain("The training stopped after step 29"));
    expect(button(page, "Go on").disabled).toBe(false);
  });

  it("says what is wrong with settings that no model has", async () => {
    const { page } = await pageOf("copy_layers.9");
    await waitFor(() => {
      page.requestUpdate();
      expect(words(page)).toContain("training/bad-setting");
    });
    expect(all(page, "headscope-grid")).toEqual([]);
  });

  it("takes a text file of one's own for a task that learns one, and says what is wrong with it", async () => {
    const { page, until } = await pageOf("characters");
    await until(over);
    const form = found(page, "headscope-training-settings") as HeadscopeTrainingSettings;
    expect(all(form, "input[type=file]")).toHaveLength(1);
    form.takeFile(new File([new Uint8Array([0xff, 0xfe, 0x41, 0])], "a.txt"));
    await waitFor(() => expect(words(page)).toContain("training/text-encoding"));
    form.takeFile(new File(["to be or not to be"], "b.txt"));
    await waitFor(() => expect(words(page)).not.toContain("training/text-encoding"));
    await until(over);
  });

  it("opens what it trained in the explorer, with the edits of its training", async () => {
    const { page, session, until } = await pageOf("copy");
    const opened = vi.spyOn(session, "openPicked").mockResolvedValue();
    await until(over);
    await waitFor(() => expect(button(page, "Open in the explorer").disabled).toBe(false));
    button(page, "Open in the explorer").click();
    await waitFor(() => expect(stateOf(session).training).toBeNull());
    const paths = opened.mock.calls.flatMap(([files]) => files.map(({ path }) => path));
    expect(paths).toEqual(["/copy/model.safetensors"]);
    expect(stateOf(session)).toMatchObject({
      text: "one two",
      edits: { blocks: [{ residual: false }] },
    });
  });

  it("keeps a run beside another one, whose heads are shown by choice", async () => {
    const { page, session, until } = await pageOf("copy");
    await until(over);
    button(page, "Keep it beside a second run").click();
    await waitFor(() => expect(stateOf(session).training).toBe("copy:copy"));
    await until(/Step 0 of/);
    expect(all(page, ".heads headscope-choice")).toHaveLength(1);
  });
});

const stateOf = (session: Session): Session["state"] => session.store.state;
