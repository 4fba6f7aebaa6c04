// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Bench } from "../../state/index.js";
import { BenchWatch } from "./bench-watch.js";

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
