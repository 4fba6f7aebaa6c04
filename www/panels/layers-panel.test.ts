// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import type { HeadscopeLens } from "../elements/lens.js";
import { nameOf, press, spoken } from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import { button, words } from "../ui/testing/controls.js";
import type { State } from "../state/index.js";
import { shadedBy, strongestParts } from "../session/run/layer-words.js";
import type { Session, SessionPart } from "../session/session.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import { HeadscopeLayersInspector } from "./layers-inspector.js";
import { HeadscopeLayersPanel } from "./layers-panel.js";

const WRITER = { model: "models/tiny-gpt", text: "one two three", stack: "decoder" } as const;

let session: Session | null = null;
beforeAll(() => loadSentences("layers"));
afterEach(() => {
  document.body.replaceChildren();
  session?.end();
  session = null;
});

async function live(part: SessionPart, state: Partial<State> = {}): Promise<Session> {
  session = await sessionOf(
    { ...WRITER, picture: "layers", ...state },
    new FakeModel({ ...FAKE_WRITER, vocabSize: 2000 }),
  );
  await show(part, session);
  return session;
}

async function settled(part: SessionPart): Promise<void> {
  await answered(part.session);
  await part.updateComplete;
}

const figureIn = (part: HeadscopeLayersPanel): HeadscopeLens => {
  const { figure } = part;
  if (!figure) throw new Error("there is no figure");
  return figure;
};

describe("the predictions of layers", () => {
  it("are a table of tokens and depths, of which a key selects a cell", async () => {
    const part = new HeadscopeLayersPanel();
    const page = await live(part);
    const figure = figureIn(part);
    await figure.updateComplete;
    expect(nameOf(figure)).toBe("Predictions: 4 tokens by 4 depths");
    expect(figure.chosen).toEqual({ layer: 3, position: 3 });
    await press(figure, "ArrowLeft", "ArrowUp");
    expect(spoken(figure)).toMatch(/^three, depth 2: and · probability 0\.500$/);
    await press(figure, "Enter");
    expect(page.state.depth).toEqual({ layer: 2, position: 2 });
  });

  it("are coloured by what is chosen, of the chosen entry where there is one", async () => {
    const part = new HeadscopeLayersPanel();
    const page = await live(part, { entry: 2 });
    expect(figureIn(part).numbers?.data[0]).toBe(0.25);
    expect(figureIn(part).quantity).toBe("probability of the chosen token");
    page.update({ shade: "rank" });
    await settled(part);
    expect(figureIn(part).numbers?.data[0]).toBe(0.5);
    button(part, "Back to the likeliest").click();
    await settled(part);
    expect(page.state.entry).toBeNull();
    const { layers } = page;
    if (!layers) throw new Error("nothing was read");
    expect(shadedBy(layers, "rank").data.every((one) => one === 1)).toBe(true);
    expect(shadedBy(layers, "divergence").data[0]).toBe(3);
  });

  it("are saved as they are shown", async () => {
    const part = new HeadscopeLayersPanel();
    await live(part);
    const figure = figureIn(part);
    const { width, height } = figure.print(figure.inks) ?? {};
    expect([width, height]).toEqual([92 + 4 * 92 + 2, 24 + 4 * 22 + 42]);
  });
});

describe("the details of a prediction", () => {
  it("are its likeliest entries, one of which can be chosen, and what adds up to it", async () => {
    const part = new HeadscopeLayersInspector();
    const page = await live(part, { layer: 1, head: 2 });
    const entries = [...part.renderRoot.querySelectorAll(".entries li > button:first-child")];
    expect(entries.map(words).slice(0, 3)).toEqual(["and 50.0%", "so 25.0%", "on 12.5%"]);
    button(part, "so 25.0%").click();
    await settled(part);
    expect(page.state.entry).toBe(1001);
    const marked = part.renderRoot.querySelector(".entries .marked > button");
    expect(words(marked ?? part)).toBe("so 25.0%");
    expect(words(part.renderRoot.querySelector("h2 + ol.shares + p") ?? part)).toMatch(
      /^All parts: (−?[\d.]+); the logit: \1\.$/,
    );
    const [first, second] = part.renderRoot.querySelectorAll<HTMLElement>(".shares button");
    expect([words(first), first?.getAttribute("aria-pressed")]).toEqual([
      "layer 2: head 3 −1.00",
      "true",
    ]);
    second?.click();
    expect(page.state).toMatchObject({ stack: "decoder", layer: 1, head: 5 });
    expect(words(part.renderRoot.querySelector(".keys") ?? part)).toContain("Adds to the logit");
    button(part, "By tokens: integrated gradients").click();
    expect(page.state).toMatchObject({ experiment: "heads", demos: "heads(room-gradients)" });
  });

  it("are of a difference once another entry is taken off, until one logit is wanted", async () => {
    const part = new HeadscopeLayersInspector();
    const page = await live(part, { layer: 1, head: 2 });
    const heading = (): string => words(part.renderRoot.querySelector("h2:has(+ button)") ?? part);
    button(part, "−").click();
    await settled(part);
    expect(page.state.against).toBe(1001);
    expect(page.attributed?.asked).toMatchObject({ id: 1000, against: 1001 });
    expect(heading()).toBe("What adds up to the logit of “and” less that of “so”");
    button(part, "“and” alone").click();
    await settled(part);
    expect(page.state.against).toBeNull();
    expect(page.attributed?.asked).not.toHaveProperty("against");
    // An id is another token in another vocabulary.
    page.update({ entry: 1001, against: 1002 });
    page.switchTo("models/tiny-bert");
    expect(page.state).toMatchObject({ entry: null, against: null });
  });

  it("joins the small parts of a logit", () => {
    const part = (value: number) =>
      ({ kind: "feed-forward", stack: "decoder", layer: 0, head: null, value }) as const;
    const named = strongestParts([...Array(14).keys()].map((at) => part(at - 10)));
    expect(named.map(({ value }) => value).slice(-3)).toEqual([2, -1, 1]);
    expect(named.at(-1)).toMatchObject({ label: "2 smaller parts", head: null });
  });
});
