// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { unzipSync } from "fflate";
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
import type { HeadscopeTrainingFigures } from "./training-figures.js";
import type { HeadscopeTrainingSettings } from "./training-settings.js";
import { HeadscopeTraining } from "./training-page.js";

beforeAll(async () => {
  stubPainting(600);
  await loadSentences("training", "experiments", "notices");
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** Waits until a check holds: a busy machine is no failure. */
const waitFor = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000 });

const found = (page: HeadscopeTraining, selector: string): HTMLElement => {
  const element = page.renderRoot.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`there is no ${selector}`);
  return element;
};

/** The figures of each training that is shown. */
const figuresOf = (page: HeadscopeTraining): HeadscopeTrainingFigures[] =>
  all(page, "headscope-training-figures") as HeadscopeTrainingFigures[];

const gridsOf = (page: HeadscopeTraining): HeadscopeGrid[] =>
  figuresOf(page).flatMap((figures) => all(figures, "headscope-grid") as HeadscopeGrid[]);

/** The headings of the grids. */
const titles = (page: HeadscopeTraining): string[] =>
  figuresOf(page).map((figures) => textOf(figures.renderRoot.querySelector("h3")));

const inFigures = (page: HeadscopeTraining, words: string): HTMLButtonElement => {
  const [figures] = figuresOf(page);
  if (!figures) throw new Error("no training is shown");
  return button(figures, words);
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
    const [grid] = gridsOf(page);
    if (!grid) throw new Error("there is no grid");
    const newest = grid.thumbnails;
    const slider = found(page, "#checkpoint") as HTMLInputElement;
    expect(slider.max).toBe("2");
    slider.value = "0";
    slider.dispatchEvent(new Event("input"));
    await waitFor(() => expect(grid.thumbnails).not.toBe(newest));
    expect(titles(page)).toEqual(["All heads at step 0"]);
    button(page, "Show the newest").click();
    await waitFor(() => expect(grid.thumbnails).toBe(newest));
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
    expect(gridsOf(page)).toEqual([]);
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
    await waitFor(() => expect(inFigures(page, "Open in the explorer").disabled).toBe(false));
    inFigures(page, "Open in the explorer").click();
    await waitFor(() => expect(stateOf(session).training).toBeNull());
    const paths = opened.mock.calls.flatMap(([files]) => files.map(({ path }) => path));
    expect(paths).toEqual(["/copy/model.safetensors"]);
    expect(stateOf(session)).toMatchObject({
      text: "one two",
      edits: { blocks: [{ residual: false }] },
    });
  });

  it("saves a folder as one zip file, and says what another library cannot compute", async () => {
    const { page, until } = await pageOf("copy");
    const saved: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      saved.push(blob as Blob);
      return "blob:saved";
    });
    // A click would lead this page away.
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    await until(over);
    await waitFor(() => expect(inFigures(page, "Save folder").disabled).toBe(false));
    inFigures(page, "Save folder").click();
    await waitFor(() => expect(saved).toHaveLength(1));
    const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? []);
    expect(Object.keys(unzipSync(bytes))).toEqual(["copy/model.safetensors"]);
    await waitFor(() => expect(words(page)).toContain("no model without residual connections"));
  });

  it("shows the heads of two runs side by side, and each alone again", async () => {
    const { page, session, until } = await pageOf("copy");
    await until(over);
    const [before] = figuresOf(page);
    const kept = before?.training;
    button(page, "Keep it beside a second run").click();
    await waitFor(() => expect(stateOf(session).training).toBe("copy:copy"));
    await until(/Run A Step 0 of/);
    await waitFor(() => expect(gridsOf(page)).toHaveLength(2));
    await waitFor(() =>
      expect(titles(page)).toEqual([
        "Run A: all heads at step 0",
        `Run B: all heads at step ${FAKE_STEPS}`,
      ]),
    );
    button(page, "Show run B alone").click();
    await waitFor(() => expect(gridsOf(page)).toHaveLength(1));
    expect(figuresOf(page)[0]?.training).toBe(kept);
    await until(over);
  });

  it("goes on from a checkpoint beside the training, and begins anew when it is asked to", async () => {
    const { page, session, until } = await pageOf("copy");
    await until(over);
    const slider = found(page, "#checkpoint") as HTMLInputElement;
    await waitFor(() => expect(slider.max).toBe("2"));
    slider.value = "1";
    slider.dispatchEvent(new Event("input"));
    await page.updateComplete;
    button(page, "Second run from step 20").click();
    const status = (): string[] => all(page, ".status").map((one) => textOf(one).slice(0, 15));
    await waitFor(() => {
      page.requestUpdate();
      expect(status()).toEqual(["Run A Step 20 o", "Run B Step 40 o"]);
    });
    expect(stateOf(session).training).toBe("copy:copy");
    button(page, "From the start").click();
    await waitFor(() => {
      page.requestUpdate();
      expect(status()).toEqual(["Run A Step 40 o", "Run B Step 40 o"]);
    });
    button(page, "Show run A alone").click();
    await until(over);
  });

  it("shows the numbers of a chosen chart, with the shown step marked where it is not the newest", async () => {
    const { page, until } = await pageOf("copy");
    await until(over);
    await waitFor(() => expect((found(page, "#checkpoint") as HTMLInputElement).max).toBe("2"));
    const curves = async (): Promise<HeadscopeCurves[]> => {
      await page.updateComplete;
      return all(page, "headscope-curves") as HeadscopeCurves[];
    };
    const choose = (chart: string): void =>
      void found(page, ".curves headscope-choice").dispatchEvent(
        new CustomEvent("headscope-choose", { detail: chart }),
      );
    const [loss, accuracy] = await curves();
    expect([loss?.range, accuracy?.range.y]).toEqual([{ x: [0, FAKE_STEPS] }, [0, 1]]);
    expect([loss?.marked, accuracy?.lines.length]).toEqual([null, 2]);
    choose("entropy");
    const [, entropy] = await curves();
    expect([entropy?.lines.length, entropy?.range.y]).toEqual([24, undefined]);
    const slider = found(page, "#checkpoint") as HTMLInputElement;
    slider.value = "1";
    slider.dispatchEvent(new Event("input"));
    expect((await curves()).map(({ marked, markedAs }) => [marked, markedAs])).toEqual(
      Array(2).fill([20, "step 20"]),
    );
    slider.value = "2";
    slider.dispatchEvent(new Event("input"));
    expect((await curves()).map(({ marked }) => marked)).toEqual([null, null]);
  });

  it("takes both runs back to the step of the slider", async () => {
    const { page, until } = await pageOf("copy:copy");
    await until(over);
    const slider = found(page, "#checkpoint") as HTMLInputElement;
    await waitFor(() => expect(slider.max).toBe("2"));
    slider.value = "1";
    slider.dispatchEvent(new Event("input"));
    await page.updateComplete;
    button(page, "Go back to step 20").click();
    const status = (): string[] => all(page, ".status").map(textOf);
    await waitFor(() => {
      page.requestUpdate();
      expect(status()).toEqual([
        expect.stringMatching(/^Run A Step 20 of/),
        expect.stringMatching(/^Run B Step 20 of/),
      ]);
    });
  });
});

const stateOf = (session: Session): Session["state"] => session.store.state;
