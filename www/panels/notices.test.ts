// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_INFO } from "../../tests/support/fake-model.js";
import { all, textsOf } from "../elements/testing/mount.js";
import { formatBytes, loadSentences, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import { NO_EDITS } from "../state/index.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeEditsPanel } from "./edits-panel.js";
import { HeadscopeDownloadStatus, HeadscopeNotices } from "./notices.js";

beforeAll(() => loadSentences("pairs", "rules"));
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

const COMPUTATION = {
  slow: false,
  progress: null,
  stopped: false,
  silence: { state: null },
  failure: null,
  download: { phase: "ready" },
};
type Known = Partial<Record<keyof Session, unknown>>;
/** The notices while this much is known of the computation; commands are only recorded. */
async function notices(computation: object, known: Known = {}) {
  const command = vi.fn<(name: string) => void>();
  const facts = { sizes: FAKE_INFO.stacks, command, ...known };
  const session = sessionWith({}, { ...facts, computation: { ...COMPUTATION, ...computation } });
  return { part: await show(new HeadscopeNotices(), session), command, session };
}
const bar = (part: Element & { renderRoot: ParentNode }): HTMLProgressElement | null =>
  part.renderRoot.querySelector("progress");

describe("the progress of a run", () => {
  const progress = { at: { stack: "encoder", layer: 1 }, generated: 0, done: 3, total: 12 };

  it("names the layer while a text is read, then the steps, and stops the run", async () => {
    const { part, command } = await notices({ slow: true, progress });
    const layer = { stack: message("stack.encoder"), layer: 2, layers: 3 };
    expect(textsOf(part, ".band p")).toEqual([message("run.layer", layer)]);
    expect([bar(part)?.max, bar(part)?.value]).toEqual([12, 3]);
    button(part, message("run.stop")).click();
    expect(command.mock.calls).toEqual([["stop-run"]]);
    part.remove();
    const written = await notices({ slow: true, progress: { ...progress, generated: 1 } });
    const steps = message("run.progress", { done: 3, total: 12 });
    expect(textsOf(written.part, ".band p")).toEqual([steps]);
  });

  it.each<[string, object]>([
    ["a fast run", { progress }],
    ["one that has not begun", { slow: true }],
    ["one that was stopped", { slow: true, progress, stopped: true }],
  ])("is not shown of %s", async (_, computation) => {
    expect(bar((await notices(computation)).part)).toBeNull();
  });

  it("that was stopped is begun again, and a silent engine started anew once it is lost", async () => {
    const stopped = await notices({ stopped: true });
    button(stopped.part, message("run.again")).click();
    expect(stopped.command.mock.calls).toEqual([["run-again"]]);
    stopped.part.remove();
    const lost = await notices({ silence: { state: "lost" } });
    expect(textsOf(lost.part, ".band p")).toEqual([message("run.lost")]);
    button(lost.part, message("run.restart")).click();
    expect(lost.command.mock.calls).toEqual([["load-model"]]);
  });
});

describe("a failure", () => {
  const failure = { sentence: "It failed.", code: "load/network", retry: "load-model" };

  it("has its code, another try, and the way back to the model before", async () => {
    const goBack = vi.fn<() => void>();
    const known = { failure, back: "models/tiny-gpt", goBack };
    const { part, command } = await notices({}, known);
    expect(textsOf(part, "[role=alert] code")).toEqual(["load/network"]);
    const [again, back] = all(part, "[role=alert] button");
    again?.click();
    back?.click();
    expect([command.mock.calls, goBack.mock.calls]).toEqual([[["load-model"]], [[]]]);
  });

  it.each<[string, object, string | null, number]>([
    ["without another try", { ...failure, retry: null }, "models/tiny-gpt", 0],
    ["of a run", { ...failure, retry: "run-again" }, "models/tiny-gpt", 1],
    ["without a model before", failure, null, 1],
  ])("%s leads back to none", async (_, given, back, buttons) => {
    const { part } = await notices({}, { failure: given, back });
    expect(all(part, "[role=alert] button")).toHaveLength(buttons);
  });
});

it("what is read of a folder is shown with its bytes, and can be cancelled", async () => {
  const reading = new AbortController();
  const download = { phase: "loading", file: "a.bin", loadedBytes: 2e6, totalBytes: 4e6 };
  const opening = { name: "mine", reading, download };
  const { part } = await notices({}, { opening });
  const loaded = formatBytes(2e6);
  const words = message("load.reading", { name: "mine", file: "a.bin", loaded });
  expect(textsOf(part, ".band p")).toEqual([words]);
  expect([bar(part)?.max, bar(part)?.value]).toEqual([4e6, 2e6]);
  button(part, message("load.cancel")).click();
  expect(reading.signal.aborted).toBe(true);
  part.remove();
  const unknown = { ...opening, download: { ...download, totalBytes: null } };
  const { part: other } = await notices({}, { opening: unknown });
  // Without a value a bar shows that something is going on.
  expect(bar(other)?.hasAttribute("value")).toBe(false);
});

describe("the download of a model", () => {
  const loading = { phase: "loading", loadedBytes: 2e6, totalBytes: 8e6, file: "m.safetensors" };
  const command = vi.fn<(name: string) => void>();
  const status = async (download: object, thin = false): Promise<HeadscopeDownloadStatus> => {
    const session = sessionWith({}, { computation: { ...COMPUTATION, download }, command });
    return show(new HeadscopeDownloadStatus(), session, { thin });
  };

  it("says how much is there, how fast it comes and what is left", async () => {
    const part = await status({ ...loading, bytesPerSecond: 2e6 });
    const [, bytes = ""] = textsOf(part, "p");
    expect(bytes.split(" · ")).toEqual([
      "m.safetensors",
      message("load.bytes", { loaded: formatBytes(2e6), total: formatBytes(8e6) }),
      message("load.rate", { rate: formatBytes(2e6) }),
      expect.stringMatching(/\b3\b/),
    ]);
    expect([bar(part)?.max, bar(part)?.value]).toEqual([8e6, 2e6]);
  });

  it("says less where less is known, and nothing beside the bar above another picture", async () => {
    const unknown = await status({ ...loading, totalBytes: null, file: "", bytesPerSecond: 0 });
    expect(textsOf(unknown, "p").at(-1)).toBe(formatBytes(2e6));
    expect(bar(unknown)?.hasAttribute("value")).toBe(false);
    unknown.remove();
    const begun = await status({ ...loading, totalBytes: null, loadedBytes: 0 });
    expect(textsOf(begun, "p")).toEqual([message("load.model")]);
    begun.remove();
    const thin = await status(loading, true);
    expect([textsOf(thin, "p"), bar(thin)?.value]).toEqual([[], 2e6]);
    thin.remove();
    expect(textsOf(await status({ phase: "ready" }), "*")).toEqual([]);
  });

  it("waits for another page, and is begun again once it was cancelled", async () => {
    const waits = await status({ ...loading, waitsForPage: true });
    expect(textsOf(waits, "p").at(-1)).toBe(message("load.waitsForPage"));
    waits.remove();
    const cancelled = await status({ phase: "cancelled" });
    button(cancelled, message("load.again")).click();
    expect(command.mock.calls).toEqual([["load-model"]]);
  });
});

describe("the edits", () => {
  const edits = { ...NO_EDITS, heads: [{ gate: 0 }] };
  const chip = { id: "heads:0", label: "all heads ablated" };
  const COMPUTED = { ...COMPUTATION, output: null, unedited: null };
  const panel = (known: Known = {}, state: object = { edits }): Promise<HeadscopeEditsPanel> =>
    show(
      new HeadscopeEditsPanel(),
      sessionWith(state, { chips: [chip], computation: COMPUTED, pairs: null, ...known }),
    );
  const labels = (part: HeadscopeEditsPanel): string[] => textsOf(part, ".history button");

  it("are undone and done again, and compared with none", async () => {
    const part = await panel({ chips: [] });
    part.session.update({ edits: NO_EDITS });
    await part.updateComplete;
    expect(labels(part)).toEqual([message("edits.undo")]);
    expect(textsOf(part, ".chips p")).toEqual([message("edits.none")]);
    button(part, message("edits.undo")).click();
    await part.updateComplete;
    expect(part.session.state.edits).toEqual(edits);
    const all = [message("pairs.withOriginal"), message("edits.undo"), message("edits.redo")];
    expect(labels(part)).toEqual(all);
    button(part, message("pairs.withOriginal")).click();
    await part.updateComplete;
    expect(part.session.state.compare).toBe("original");
    expect(labels(part)).not.toContain(message("pairs.withOriginal"));
  });

  it("are all removed without their words, else one by one or all", async () => {
    const wordless = await panel({ chips: [] });
    wordless.renderRoot.querySelector<HTMLElement>(".clear")?.click();
    expect(wordless.session.state.edits).toEqual(NO_EDITS);
    wordless.remove();
    for (const [name, detail] of [
      ["headscope-chip-remove", { id: "heads:0" }],
      ["headscope-chips-clear", null],
    ] as const) {
      const part = await panel();
      const chips = part.renderRoot.querySelector("headscope-chips");
      chips?.dispatchEvent(new CustomEvent(name, { detail }));
      expect([name, part.session.state.edits]).toEqual([name, NO_EDITS]);
      part.remove();
    }
  });

  it("have both outputs beside each other, each with the words that the other lacks", async () => {
    const outputs = (edited: string, unedited: string, of = "1"): Known => ({
      computation: {
        ...COMPUTED,
        output: { of: "1", words: edited },
        unedited: { of, words: unedited },
      },
    });
    const part = await panel(outputs("le chat noir", "le chien noir"));
    await vi.waitFor(() => expect(textsOf(part, ".outputs mark")).toEqual(["chat", "chien"]));
    part.remove();
    const same = await panel(outputs("le chat", "le chat"));
    expect(all(same, ".sentence")).toHaveLength(1);
    expect(textsOf(same, ".outputs p").at(-1)).toBe(message("text.unchanged"));
    same.remove();
    const nothing = await panel(outputs(" ", "le chat"));
    expect(textsOf(nothing, ".edited")[0]).toContain(message("go.nothing"));
    nothing.remove();
    // Outputs of two texts are no pair.
    expect(all(await panel(outputs("a", "b", "2")), ".effect")).toEqual([]);
  });
});
