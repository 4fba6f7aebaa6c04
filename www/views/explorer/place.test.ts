// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { language, setLanguage } from "../../i18n/index.js";
import { type Bench, DEFAULT_STATE, Store } from "../../state/index.js";
import { Exchange } from "../run/links.js";
import { NoticeBoard } from "../run/notices.js";
import { Session } from "../session.js";
import { BenchWatch, Ground, Stay } from "./place.js";

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
  const exchange = new Exchange(store, new NoticeBoard(), () => undefined);
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

/** An explorer in somebody's page, without its parts. */
class Guest extends LitElement {
  readonly place = document.createElement("div");
  readonly session = new Session({}, () => new Promise(() => undefined));
  readonly stay = new Stay(this, this.session, () => undefined);
}
customElements.define("test-guest", Guest);

describe("the stay of an explorer", () => {
  it("goes on where it is moved to, ends when it has gone, and begins again when it comes back", async () => {
    const [one, other] = [document.createElement("div"), document.createElement("div")];
    document.body.append(one, other);
    const guest = new Guest();
    const { session } = guest;
    const [begin, rest] = [vi.spyOn(session, "begin"), vi.spyOn(session, "rest")];
    const calls = (): number[] => [begin.mock.calls.length, rest.mock.calls.length];
    one.append(guest);
    session.store.update({ text: "A cat" });
    other.append(guest);
    await Promise.resolve();
    expect([calls(), session.state.text]).toEqual([[1, 0], "A cat"]);
    guest.remove();
    await Promise.resolve();
    expect(calls()).toEqual([1, 1]);
    session.store.update({ text: "A bird" });
    one.append(guest);
    expect([calls(), session.state.text]).toEqual([[2, 1], "A bird"]);
    session.rest();
  });
});

class Host extends LitElement {
  bench: Bench | null = null;
  sticky = true;
  settled = true;
  untouched = true;
  readonly scrolled: (ScrollIntoViewOptions | boolean | undefined)[] = [];
  readonly watch = new BenchWatch(
    this,
    () => this.bench,
    () => {
      const picture = document.createElement("div");
      picture.scrollIntoView = (how) => void this.scrolled.push(how);
      const drawer = document.createElement("div");
      if (this.sticky) drawer.style.position = "sticky";
      document.body.append(drawer);
      return { picture, drawer, settled: this.settled, untouched: this.untouched };
    },
  );

  async to(bench: Bench | null): Promise<void> {
    this.bench = bench;
    this.requestUpdate();
    await this.updateComplete;
    await new Promise((done) => requestAnimationFrame(done));
  }
}
customElements.define("test-bench-watch", Host);

async function mounted(
  bench: Bench | null,
  at: Partial<Pick<Host, "settled" | "untouched">> = {},
): Promise<Host> {
  const host = Object.assign(new Host(), at);
  host.bench = bench;
  document.body.append(host);
  await host.to(bench);
  return host;
}

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe("BenchWatch", () => {
  it("brings the picture up when the bench is opened, and not again from door to door", async () => {
    const host = await mounted(null);
    await host.to("masks");
    expect(host.scrolled).toEqual([{ block: "start" }]);
    await host.to("kinds");
    await host.to(null);
    expect(host.scrolled).toHaveLength(1);
    await host.to("heads");
    expect(host.scrolled).toHaveLength(2);
  });

  it("brings it up once on a page that came with its bench open, as soon as the picture stands", async () => {
    const host = await mounted("masks", { settled: false });
    expect(host.scrolled).toEqual([]);
    host.settled = true;
    await host.to("masks");
    expect(host.scrolled).toEqual([{ block: "start" }]);
    await host.to("masks");
    expect(host.scrolled).toHaveLength(1);
  });

  it("leaves a page that came with its bench open where it is when somebody has begun to use it", async () => {
    const host = await mounted("masks", { untouched: false });
    host.untouched = true;
    await host.to("masks");
    expect(host.scrolled).toEqual([]);
  });

  it("forgets that the page came with its bench open when it is closed meanwhile", async () => {
    const host = await mounted("masks", { settled: false });
    await host.to(null);
    host.settled = true;
    await host.to(null);
    expect(host.scrolled).toEqual([]);
  });

  it("moves nothing where the drawer covers nothing", async () => {
    const host = await mounted(null);
    host.sticky = false;
    await host.to("masks");
    expect(host.scrolled).toEqual([]);
  });
});
