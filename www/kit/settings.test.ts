// @vitest-environment happy-dom
import { html, type TemplateResult } from "lit";
import { afterEach, expect, it, vi } from "vitest";
import { SessionPart, type Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import { number, type Fields, type Values } from "./fields.js";
import { Settings } from "./settings.js";

const FIELDS = {
  query: number(9, "rotaryDemo.query", { least: 0, most: 127 }),
  key: number(4, "rotaryDemo.key", { least: 0, most: 127 }),
  alike: { control: "flag", opens: false, label: "rotaryDemo.alike" },
} as const satisfies Fields;
const PLACES = { open: { control: "flag", opens: false } } as const satisfies Fields;

/** A demo whose model has so many positions. */
class Demo extends SessionPart {
  most: number | null = Infinity;
  readonly settings = new Settings(this, "rotary", FIELDS, () => this.fitted());

  private fitted(): Values | null {
    const { values } = this.settings;
    return this.most === null ? null : { ...values, key: Math.min(values.key, this.most) };
  }

  override render(): TemplateResult {
    return html`${this.settings.values.key}`;
  }
}
customElements.define("settings-host", Demo);

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

async function open(demos: string | null, element = new Demo()): Promise<[Demo, Session]> {
  const session = sessionWith({ demos, experiment: "positions" });
  return [await show(element, session), session];
}

async function update(element: Demo): Promise<void> {
  element.requestUpdate();
  await element.updateComplete;
}

it("settings are in the State beside those of others, and are undone; places on the page are no step", async () => {
  const [element, { store }] = await open("scores(dim-8)");
  const { settings } = element;
  settings.set("query", 20);
  settings.set("alike", true);
  expect(store.state.demos).toBe("scores(dim-8)rotary(query-20,alike-yes)");
  settings.set("query", 9);
  store.undo();
  expect(settings.values).toMatchObject({ query: 20, alike: true });
  const undoes = vi.spyOn(store, "set");
  const place = new Settings(element, "places", PLACES);
  place.set("open", true);
  expect([place.values.open, undoes.mock.calls]).toEqual([true, []]);
});

it("each move of a slider is one step of undo, however long it lasts, and keys from pause to pause", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const [element, { store }] = await open(null);
  const set = vi.spyOn(store, "set");
  const to = async (key: "key" | "query", value: number, after = 100): Promise<void> => {
    vi.advanceTimersByTime(after);
    element.settings.set(key, value);
    await update(element);
  };
  const drag = async (...values: number[]): Promise<void> => {
    element.dispatchEvent(new Event("pointerdown"));
    for (const value of values) await to("key", value, 5000);
    window.dispatchEvent(new Event("pointerup"));
  };
  await drag(66, 68, 70);
  await drag(72);
  await to("key", 74);
  await to("key", 76);
  await to("query", 30);
  await to("query", 40, 2000);
  // No step continues what was undone.
  store.undo();
  await update(element);
  await to("query", 50);
  const steps = [false, true, true, false, false, true, false, false, false];
  expect(set.mock.calls.map(([, goesOn]) => goesOn)).toEqual(steps);
});

it("settings that the model does not have are named and replaced once that is known, and only shown nearer from then on", async () => {
  const waiting = new Demo();
  waiting.most = null;
  const [element, session] = await open("rotary(key-50,query-x)", waiting);
  expect(session.notices.list).toEqual([]);
  for (const most of [4, 2]) {
    element.most = most;
    await update(element);
    expect([session.state.demos, element.settings.values.key]).toEqual([null, 4]);
    expect(session.notices.list.map(({ values }) => values)).toEqual([
      { fields: "demos: query,key" },
    ]);
  }
  expect(session.store.undoes).toBeNull();
});
