// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Bench } from "../../state/index.js";
import { BenchWatch } from "./bench-watch.js";

class Host extends LitElement {
  bench: Bench | null = null;
  sticky = true;
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
      return { picture, drawer };
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

async function mounted(bench: Bench | null): Promise<Host> {
  const host = new Host();
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

  it("leaves a page that came with its bench open where it is", async () => {
    const host = await mounted("masks");
    expect(host.scrolled).toEqual([]);
  });

  it("moves nothing where the drawer covers nothing", async () => {
    const host = await mounted(null);
    host.sticky = false;
    await host.to("masks");
    expect(host.scrolled).toEqual([]);
  });
});
