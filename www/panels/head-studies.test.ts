// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_WRITER } from "../../tests/support/fake-model.js";
import { all, textOf, textsOf } from "../elements/testing/mount.js";
import type { ModelInfo } from "../data/index.js";
import { loadSentences, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeHeadsPanel } from "./heads-panel.js";

const HEAD = { stack: "encoder", layer: 0, head: 1 } as const;
const TEXTS = { name: "corpus.txt", count: 1000, failed: 0 };
const model = { hasTokenizer: true, info: FAKE_WRITER, notes: null };

beforeAll(() => loadSentences("menus", "roles"));
afterEach(() => document.body.replaceChildren());

const panel = async (
  known: Partial<Record<keyof Session, unknown>>,
): Promise<HeadscopeHeadsPanel> => {
  const { stacks } = FAKE_INFO;
  const facts = { sizes: stacks, stacks: Object.keys(stacks), stack: "encoder", shown: HEAD };
  const part = new HeadscopeHeadsPanel();
  await show(part, sessionWith(HEAD, { ...facts, computation: { model }, ...known }));
  return part;
};

/** Opens the typical sentences, and waits for their part. */
const opened = async (known: Partial<Record<keyof Session, unknown>>) => {
  const part = await panel(known);
  const details = [...part.renderRoot.querySelectorAll("details")].find((one) =>
    one.querySelector("summary")?.textContent.includes(message("roles.typical")),
  );
  if (!details) throw new Error("there are no typical sentences");
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  await vi.waitFor(() => expect(button(part, message("typical.choose"))).toBeDefined());
  return part;
};

const typical = {
  byHead: {
    encoder: [
      [
        null,
        {
          role: "previous",
          most: [{ text: "A bird.", score: 0.9 }],
          least: [{ text: "A cat.", score: 0.1 }],
        },
      ],
    ],
  },
  texts: TEXTS,
};

it("the typical texts of a study stand in place of the notes, with their file", async () => {
  const update = vi.fn<(change: object) => void>();
  const part = await opened({ studiedHere: { typical }, update });
  expect(textsOf(part, ".role li")).toEqual(["A bird. 0.90", "A cat. 0.10"]);
  const role = message("role.previous");
  expect(textsOf(part, ".role .muted")).toContain(
    message("typical.study", { name: "corpus.txt", count: 1000, role }),
  );
  button(part, "A cat. 0.10").click();
  expect(update).toHaveBeenCalledWith(expect.objectContaining({ ...HEAD, text: "A cat." }));
});

it("a head without a role says so", async () => {
  const none = { ...typical, byHead: { encoder: [[null, null]] } };
  const part = await opened({ studiedHere: { typical: none } });
  expect(textsOf(part, ".role .muted")).toContain(message("typical.noRole"));
});

it("a file that is chosen is studied, one at a time", async () => {
  const study = vi.fn<(how: string, file: File) => void>();
  const part = await opened({ study });
  const input = part.renderRoot.querySelector("input");
  if (!input) throw new Error("there is no choice of a file");
  const file = new File(["one"], "t.txt");
  Object.defineProperty(input, "files", { value: [file] });
  input.dispatchEvent(new Event("change"));
  expect(study).toHaveBeenCalledWith("compute", file);
  part.remove();
  const studying = { name: "t.txt", done: 3, total: 20, stopping: new AbortController() };
  const busy = await opened({ studying });
  expect(button(busy, message("typical.choose"))).toHaveProperty("disabled", true);
  await vi.waitFor(() => expect(all(busy, "progress")).toHaveLength(1));
  const words = message("studies.progress", { name: "t.txt", done: 3, total: 20 });
  expect(textsOf(busy, "p span")).toContain(words);
  button(busy, message("studies.stop")).click();
  expect(studying.stopping.signal.aborted).toBe(true);
});

it("the open studies are named with their texts, and closed", async () => {
  const roles = { scores: {}, texts: { ...TEXTS, failed: 2 } };
  const part = await panel({
    studiedHere: { roles, effects: { grids: [], texts: { ...TEXTS, name: "pairs.jsonl" } } },
  });
  await vi.waitFor(() => expect(button(part, message("studies.close"))).toBeDefined());
  const on = (name: string): string => message("studies.on", { name, count: 1000 });
  const texts = message("studies.failed", { texts: on("corpus.txt"), failed: 2 });
  expect(textsOf(part, "[role=status] p")).toEqual([
    message("studies.roles", { texts }),
    message("studies.effects", { texts: on("pairs.jsonl") }),
  ]);
  button(part, message("studies.show")).click();
  expect(part.session.state.experiment).toBe("patching");
  part.session.studied = {} as Session["studied"];
  button(part, message("studies.close")).click();
  expect(part.session.studied).toBeNull();
});

it("the roles of a study are said to be of its texts", async () => {
  const scores = [[{}, { previous: 0.9 }]];
  const part = await panel({ knownRoles: { basis: "sample", scores, texts: TEXTS } });
  expect(textsOf(part, ".role dt")).toEqual([
    message("studies.on", { name: "corpus.txt", count: 1000 }),
    message("roles.hereLong"),
  ]);
});

describe("roles measured on this text", () => {
  const here = { basis: "here", scores: [] };
  const offer = (part: HeadscopeHeadsPanel): HTMLButtonElement | undefined =>
    [...part.renderRoot.querySelectorAll("button")].find((one) =>
      [message("roles.study"), message("roles.studying")].includes(textOf(one)),
    );

  it("can be measured on more, once", async () => {
    const study = vi.fn<(how: string) => void>();
    const part = await panel({ knownRoles: here, study });
    await vi.waitFor(() => expect(offer(part)).toBeDefined());
    offer(part)?.click();
    expect(study.mock.calls).toEqual([["measure"]]);
    part.remove();
    const studying = { name: null, done: 0, total: 1, stopping: new AbortController() };
    const busy = await panel({ knownRoles: here, studying });
    await vi.waitFor(() => expect(offer(busy)).toBeDefined());
    expect([offer(busy)?.disabled, textOf(offer(busy))]).toEqual([true, message("roles.studying")]);
    expect(all(busy, "progress")).toEqual([]);
  });

  it.each<[string, object]>([
    ["that are known from other texts", { knownRoles: { basis: "heldOut", scores: [] } }],
    [
      "of a model of images",
      { knownRoles: here, info: { ...FAKE_INFO, image: {} } as unknown as ModelInfo },
    ],
  ])("are not offered of heads %s", async (_, known) => {
    const part = await panel(known);
    // The part of studies is there.
    await part.updateComplete;
    expect(offer(part)).toBeUndefined();
  });
});
