// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { language, setLanguage } from "../../i18n/index.js";
import { DEFAULT_STATE, Store } from "../../state/index.js";
import { Exchange } from "./exchange.js";
import { Ground } from "./ground.js";
import { NoticeBoard } from "./notice-board.js";

let leave: () => void = () => undefined;

beforeEach(() => {
  history.replaceState(null, "", "#");
  document.documentElement.lang = "fr";
  delete document.documentElement.dataset.theme;
  document.title = "Somebody's page";
  setLanguage("en");
});

afterEach(() => {
  leave();
  document.body.replaceChildren();
});

function enter(
  page: boolean,
  attributes: Record<string, string> = {},
): { store: Store; tenant: HTMLElement; pressed: string[]; again: () => void } {
  const tenant = document.createElement("div");
  for (const [name, value] of Object.entries(attributes)) tenant.setAttribute(name, value);
  document.body.append(tenant);
  const store = new Store(DEFAULT_STATE);
  const pressed: string[] = [];
  const exchange = new Exchange(
    store,
    new NoticeBoard(() => undefined),
    () => undefined,
    () => undefined,
  );
  const ground = new Ground(page ? null : tenant, store, exchange);
  const again = (): void => {
    leave = ground.enter(({ key }) => pressed.push(key));
  };
  again();
  return { store, tenant, pressed, again };
}

const press = (target: EventTarget, key: string): boolean =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));

describe("the ground of an explorer that is a page", () => {
  it("is the document: its title, theme, language, and all its keys", () => {
    const { store, pressed } = enter(true);
    store.update({ theme: "dark", language: "zh-CN" });
    expect([
      document.documentElement.dataset.theme,
      document.documentElement.lang,
      language(),
    ]).toEqual(["dark", "zh-CN", "zh-CN"]);
    expect(document.title).not.toBe("Somebody's page");
    press(document.body, "s");
    expect(pressed).toEqual(["s"]);
  });

  it("is the address, until it leaves", async () => {
    history.replaceState(null, "", "#v=1&text=one");
    const { store, pressed } = enter(true);
    expect(store.state.text).toBe("one");
    store.update({ text: "two" });
    await vi.waitFor(() => expect(location.hash).toContain("text=two"));
    leave();
    const theme = document.documentElement.dataset.theme;
    store.update({ theme: theme === "dark" ? "light" : "dark" });
    press(document.body, "s");
    expect([document.documentElement.dataset.theme, pressed.length]).toEqual([theme, 0]);
  });
});

describe("the ground of an explorer in somebody's page", () => {
  it("is the element: it begins with the attributes, and leaves the document alone", () => {
    const { store, tenant, pressed } = enter(false, {
      text: "A cat",
      layer: "2",
      theme: "dark",
      language: "zh-CN",
    });
    expect(store.state).toMatchObject({ text: "A cat", layer: 1 });
    expect([tenant.dataset.theme, language(), tenant.lang]).toEqual(["dark", "zh-CN", "zh-CN"]);
    setLanguage("en");
    expect(tenant.lang).toBe("en");
    store.update({ text: "A dog", theme: "light" });
    expect(tenant.dataset.theme).toBe("light");
    expect([
      location.hash,
      document.title,
      document.documentElement.lang,
      document.documentElement.dataset.theme,
    ]).toEqual(["", "Somebody's page", "fr", undefined]);
    press(document.body, "s");
    press(tenant, "]");
    expect(pressed).toEqual(["]"]);
  });

  it("goes on with what it showed when it is moved, whatever the attributes say", () => {
    const { store, again } = enter(false, { text: "A cat" });
    store.update({ text: "A dog" });
    leave();
    again();
    expect([store.state.text, store.undoes]).toEqual(["A dog", "text"]);
  });
});
