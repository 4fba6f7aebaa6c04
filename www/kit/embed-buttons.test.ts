// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadSentences } from "../i18n/index.js";
import { DEFAULT_STATE, linkTo, NO_EDITS, type State } from "../state/index.js";
import { provide, sessionOf, sessionWith } from "../session/testing/session.js";
import { type Embedded, embedCode, HeadscopeEmbedButtons } from "./embed-buttons.js";

vi.mock("../export/download.js", () => ({ download: () => Promise.resolve() }));

const copied = vi.fn<(text: string) => Promise<void>>();
const say = vi.fn<(report: string) => void>();
const DEMOS = "places(open-yes)waves(dim-128)";
const OWN = "A model from your own disk is not part of links. Serve it at a URL.";
const FILE = "No link can hold a model from your own disk. Send the model and the saved file:";

beforeAll(() => loadSentences("experiments"));
beforeEach(() => {
  copied.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText: copied } });
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("copy the link to the page and an explorer with it as they are then, or say why not", async () => {
  const session = sessionWith({ demos: DEMOS });
  provide(session);
  const buttons = Object.assign(new HeadscopeEmbedButtons(), { heading: "Waves", say });
  document.body.append(buttons);
  await buttons.updateComplete;
  const press = async (label: string, report: string): Promise<string | undefined> => {
    buttons.renderRoot.querySelector<HTMLElement>(`[aria-label="${label}: Waves"]`)?.click();
    await vi.waitFor(() => expect(say).toHaveBeenLastCalledWith(report));
    return copied.mock.lastCall?.[0];
  };
  expect(await press("Copy link", "Link copied")).toBe(linkTo(session.state, session.home));
  expect(await press("Copy embed code", "Copied. Paste it into the HTML of a page.")).toContain(
    ' demos="places(open-yes)waves(dim-128)">An interactive figure (English → French · ',
  );
  session.store.replace({ ...session.state, compare: "other", otherModel: "opened/mine" });
  await press("Copy link", OWN);
});

it("offer the file of a page with a model from the disk, which no link holds", async () => {
  const session = sessionWith({ model: "opened/mine" });
  const command = vi.spyOn(session, "command").mockReturnValue(undefined);
  provide(session);
  const buttons = Object.assign(new HeadscopeEmbedButtons(), { heading: "Waves", say });
  document.body.append(buttons);
  await buttons.updateComplete;
  const all = [...buttons.renderRoot.querySelectorAll("button")];
  expect(all.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Save page as file: Waves",
  ]);
  all[0]?.click();
  expect(command).toHaveBeenCalledExactlyOnceWith("save-page");
  expect(say).toHaveBeenLastCalledWith(expect.stringContaining(FILE));
});

it("leave in the clipboard what was asked for last, though a picture before is ready later", async () => {
  const session = sessionWith({});
  let draw = (): void => undefined;
  const drawn = new Promise<null>((resolve) => (draw = () => resolve(null)));
  session.page.still = () => drawn;
  provide(session);
  const buttons = Object.assign(new HeadscopeEmbedButtons(), { kinds: "picture link", say });
  document.body.append(buttons);
  await buttons.updateComplete;
  for (const button of buttons.renderRoot.querySelectorAll("button")) button.click();
  await vi.waitFor(() => expect(say).toHaveBeenLastCalledWith("Link copied"));
  draw();
  await new Promise((resolve) => setTimeout(resolve));
  expect(copied.mock.calls).toEqual([[linkTo(session.state, session.home)]]);
});

it("copy the numbers of a model from the disk, which no address has", async () => {
  const session = await sessionOf();
  const state = { ...session.state, model: "opened/mine" as const };
  const subject = { value: { ...session.subject, state } };
  const opened = Object.create(session, {
    state: { value: state },
    subject,
    firstSubject: subject,
  }) as typeof session;
  provide(opened);
  const buttons = Object.assign(new HeadscopeEmbedButtons(), { kinds: "picture grid", say });
  document.body.append(buttons);
  await buttons.updateComplete;
  const codes = [
    /<headscope-heatmap caption>\n<script type="application\/json">{"format":"headscope-figure"/,
    /<headscope-grid src="figure\.json" caption>/,
  ];
  for (const [at, code] of codes.entries()) {
    buttons.renderRoot.querySelectorAll("button")[at]?.click();
    const said = expect.stringMatching(/^Copied with its numbers/) as unknown as string;
    // The code of numbers is imported first.
    await vi.waitFor(() => expect(say).toHaveBeenLastCalledWith(said), { timeout: 20_000 });
    expect(copied.mock.lastCall?.[0]).toMatch(code);
    say.mockClear();
  }
});

it("show what the browser does not copy, and say that a model from the disk has no code", async () => {
  copied.mockRejectedValue(new Error("not allowed"));
  const session = sessionWith({ text: "A cat" });
  provide(session);
  const buttons = Object.assign(new HeadscopeEmbedButtons(), { kinds: "grid" });
  document.body.append(buttons);
  await buttons.updateComplete;
  const texts = (): string[] =>
    [...buttons.renderRoot.querySelectorAll("textarea")].map(({ value }) => value);
  const press = (): void => buttons.renderRoot.querySelector("button")?.click();
  press();
  await vi.waitFor(() => expect(texts()).toEqual([expect.stringContaining('text="A cat"')]));
  session.store.replace({ ...session.state, model: "opened/mine" });
  press();
  await vi.waitFor(() => expect(buttons.renderRoot.textContent).toContain("the model at a URL"));
  expect(texts()).toEqual([]);
});

const HOME = "https://example.org/headscope/";
const SHOWN: State = {
  ...DEFAULT_STATE,
  text: 'A "cat"',
  locked: { query: 1, key: 0 },
  region: { query: 0, key: 0, rows: 2, columns: 2 },
  theme: "dark",
  language: "zh-CN",
  lesson: "dots.1",
  unit: "word",
};
const HEAD = 'text="A &quot;cat&quot;" stack="cross" layer="2" head="5"';
/** A folder with a relative URL on this page. */
const MINE = new URL("mine/", document.baseURI).href;
const INSTEAD = "An interactive figure (English → French · Cross-attention · Layer 2 · head 5)";

it.each<[Embedded, Partial<State>, string[]]>([
  [
    "picture",
    {},
    [
      `<headscope-heatmap model="models/en-fr" ${HEAD} cell="2-1" by="word" region="1-2x1-2" caption>`,
    ],
  ],
  [
    "picture",
    { picture: "lines" },
    [`<headscope-lines model="models/en-fr" ${HEAD} cell="2-1" by="word" caption>`],
  ],
  [
    "picture",
    { picture: "layers" },
    [`<headscope-lens model="models/en-fr" ${HEAD} cell="2-1" by="word" caption>`],
  ],
  [
    "picture",
    { compare: "other", otherText: "Two", otherModel: "at/mine" },
    [
      `<headscope-difference model="models/en-fr" ${HEAD} cell="2-1" by="word" region="1-2x1-2" compare="other" other="Two" othermodel="${MINE}" caption>`,
    ],
  ],
  // Every other figure is of one run.
  [
    "grid",
    { compare: "other", otherText: "Two" },
    [`<headscope-grid model="models/en-fr" ${HEAD} cell="2-1" by="word" caption>`],
  ],
  [
    "spectrum",
    { model: "at/mine" },
    [`<headscope-spectrum model="${MINE}" ${HEAD} cell="2-1" by="word" caption>`],
  ],
  ["tokens", {}, [`<headscope-tokens model="models/en-fr" ${HEAD} by="word" caption>`]],
  [
    "both-tokens",
    {},
    ["encoder", "decoder"].map(
      (stack) =>
        `<headscope-tokens model="models/en-fr" ${HEAD.replace("cross", stack)} by="word" caption>`,
    ),
  ],
  [
    "explorer",
    { edits: { ...NO_EDITS, heads: [{ gate: 0 }] } },
    [
      `<head-scope model="models/en-fr" ${HEAD} cell="2-1" by="word" region="1-2x1-2" edits="{'heads':[{'gate':0}]}" lesson="dots.1" theme="dark" language="zh-CN">`,
    ],
  ],
])("the code of %s with %j is a script, and a tag with what belongs to it", (what, more, tags) => {
  const [script, ...figures] = embedCode(what, { ...SHOWN, ...more }, HOME)?.split("\n") ?? [];
  expect(script).toBe(`<script type="module" src="${HOME}embed.js"></script>`);
  expect(figures.map((line) => line.replace(/>[^>]*<.*/, ">"))).toEqual([...tags, ""]);
});

it("the code of a figure has words for where its script does not run", () => {
  const code = embedCode("grid", SHOWN, HOME) ?? "";
  expect(code).toContain(`>${INSTEAD}`);
  expect(code.trimEnd()).toMatch(/<\/headscope-grid>$/);
});

it("there is no code of a model that only its user has, on either side of a comparison", () => {
  const mine = { otherModel: "opened/mine", compare: "other" } as const;
  const codeOf = (what: Embedded, more: Partial<State>): string | null =>
    embedCode(what, { ...SHOWN, ...more }, HOME);
  expect(codeOf("grid", { model: "opened/mine" })).toBeNull();
  expect(codeOf("picture", mine)).toBeNull();
  expect(codeOf("explorer", { otherModel: "opened/mine" })).toBeNull();
  expect(codeOf("grid", mine)).not.toBeNull();
  expect(codeOf("picture", { otherModel: "opened/mine" })).not.toBeNull();
});
