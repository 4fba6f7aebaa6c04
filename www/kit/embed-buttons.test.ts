// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadSentences } from "../i18n/index.js";
import { linkTo } from "../state/index.js";
import { provide, sessionWith } from "../session/testing/session.js";
import { HeadscopeEmbedButtons } from "./embed-buttons.js";

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
  await vi.waitFor(() => expect(buttons.renderRoot.textContent).toContain("Serve it at a URL"));
  expect(texts()).toEqual([]);
});
