// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { loadSentences } from "../../i18n/index.js";
import { DEFAULT_STATE, linkTo, type State } from "../../state/index.js";
import { home } from "../home.js";
import { provide, sessionWith } from "../testing/session.js";
import { HeadscopeEmbedButtons } from "./embed-buttons.js";

const copied = vi.fn<(text: string) => Promise<void>>();

beforeAll(() => loadSentences("bench"));

beforeEach(() => {
  copied.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText: copied } });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

async function put(shown: State | null): Promise<HeadscopeEmbedButtons> {
  const buttons = Object.assign(new HeadscopeEmbedButtons(), {
    shown,
    kinds: [
      ["grid", "embed.copyGrid"],
      ["spectrum", "embed.copySpectrum"],
    ],
  });
  document.body.append(buttons);
  await buttons.updateComplete;
  return buttons;
}

const all = (buttons: HeadscopeEmbedButtons, selector: string): HTMLElement[] => [
  ...buttons.renderRoot.querySelectorAll<HTMLElement>(selector),
];
const said = (buttons: HeadscopeEmbedButtons): string | undefined =>
  all(buttons, "[aria-live]")[0]?.textContent.trim();

describe("the buttons that copy embed code", () => {
  it("show the code where it cannot be copied, and say why there is none", async () => {
    copied.mockRejectedValue(new Error("not allowed"));
    const buttons = await put({ ...DEFAULT_STATE, text: "A cat" });
    all(buttons, "button")[0]?.click();
    await vi.waitFor(() =>
      expect(all(buttons, "textarea").map((area) => (area as HTMLTextAreaElement).value)).toEqual([
        expect.stringContaining('text="A cat"'),
      ]),
    );
    buttons.shown = { ...DEFAULT_STATE, model: "opened/mine" };
    all(buttons, "button")[0]?.click();
    await vi.waitFor(() => expect(said(buttons)).toContain("nobody else has it"));
    expect(all(buttons, "textarea")).toHaveLength(0);
  });

  it("ask for the link to the page where they offer it, and say that it was copied", async () => {
    const asked: string[] = [];
    const session = sessionWith({}, { command: (name: string) => asked.push(name) });
    provide(session);
    const buttons = await put(DEFAULT_STATE);
    const labels = (): string[] => all(buttons, "button").map(({ textContent }) => textContent);
    const codes = labels();
    buttons.link = true;
    await buttons.updateComplete;
    expect(labels()).toEqual(["Copy link", ...codes]);
    all(buttons, "button")[0]?.click();
    expect(asked).toEqual(["copy-link"]);
    expect(copied).not.toHaveBeenCalled();
    session.links.linkCopied = true;
    await buttons.updateComplete;
    expect(labels()).toEqual(["Link copied", ...codes]);
  });

  it("copy the link to the page with a figure as it is then, and an explorer that shows it", async () => {
    const session = sessionWith({ labs: "places(open-yes)waves(dim-128)" });
    provide(session);
    const buttons = await put(null);
    const say = vi.fn();
    Object.assign(buttons, { heading: "Waves", say });
    await buttons.updateComplete;
    const press = async (label: string, report: string): Promise<string | undefined> => {
      all(buttons, `[aria-label="${label}: Waves"]`)[0]?.click();
      await vi.waitFor(() => expect(say).toHaveBeenLastCalledWith(report));
      return copied.mock.lastCall?.[0];
    };
    expect(await press("Copy link", "Link copied")).toBe(linkTo(session.state, home()));
    expect(await press("Copy embed code", "Copied. Paste it into the HTML of a page.")).toContain(
      ' labs="places(open-yes)waves(dim-128)"></head-scope>',
    );
    session.store.replace({ ...session.state, model: "opened/mine" });
    await press("Copy link", "A model from your own disk is in no link: nobody else has it.");
  });
});
