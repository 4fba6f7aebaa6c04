// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadSentences } from "../i18n/index.js";
import { linkTo } from "../state/index.js";
import { provide, sessionOf, sessionWith } from "../session/testing/session.js";
import { HeadscopeEmbedButtons } from "./embed-buttons.js";

vi.mock("../export/download.js", () => ({ download: () => Promise.resolve() }));

const copied = vi.fn<(text: string) => Promise<void>>();
const say = vi.fn<(report: string) => void>();
const DEMOS = "places(open-yes)waves(dim-128)";
const OWN = "A model from your own disk is not part of links. Serve it at a URL.";

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
  session.store.replace({ ...session.state, model: "opened/mine" });
  await press("Copy link", OWN);
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
