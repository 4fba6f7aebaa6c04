// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { message } from "../../i18n/index.js";
import { BENCHES } from "../../state/index.js";
import { BENCH_PARTS, HeadscopeBench } from "./bench.js";
import { BENCH_CONTEXT } from "./testing/context.js";
import type { BenchContext } from "./context.js";

afterEach(() => document.body.replaceChildren());

const ON: BenchContext = { ...BENCH_CONTEXT, head: { stack: "encoder", layer: 0, head: 0 } };

describe("<headscope-bench>", () => {
  it("shows the part whose button is open", async () => {
    const bench = await mount(new HeadscopeBench(), { on: ON });
    for (const name of BENCHES) {
      await BENCH_PARTS[name].come();
      bench.open = name;
      await bench.updateComplete;
      const open = bench.renderRoot.querySelectorAll(".part-buttons [aria-expanded=true]");
      expect([...open].map(({ textContent }) => textContent)).toEqual([message(`bench.${name}`)]);
      expect(bench.renderRoot.querySelector(".body")?.childElementCount, name).toBeGreaterThan(0);
    }
  });

  it("asks for a sentence only where there is none, and else says what it waits for", async () => {
    const bench = await mount(new HeadscopeBench(), { on: BENCH_CONTEXT });
    for (const name of ["masks", "positions", "kinds", "heads"] as const) {
      await BENCH_PARTS[name].come();
      bench.open = name;
      const wordsFor = async (text: string): Promise<string> => {
        bench.on = { ...BENCH_CONTEXT, text };
        await bench.updateComplete;
        const part = bench.renderRoot.querySelector<LitElement>(".body > *");
        await part?.updateComplete;
        return (part?.shadowRoot?.querySelector(".muted") ?? part)?.textContent ?? "";
      };
      expect(await wordsFor(" "), name).toMatch(/^Type a sentence first/);
      expect(await wordsFor("The dog bites the man."), name).toBe(
        "This opens as soon as the model has read your sentence.",
      );
    }
  });

  it("folds down when its part closes, or nothing could fold it any more", async () => {
    const bench = await mount(new HeadscopeBench(), { on: ON, open: "masks" });
    const folds: boolean[] = [];
    bench.addEventListener("headscope-bench-fold", (event) => {
      if (event instanceof CustomEvent) folds.push(event.detail === true);
    });
    bench.renderRoot.querySelector<HTMLButtonElement>(".fold")?.click();
    bench.open = null;
    await bench.updateComplete;
    expect([folds, bench.unfolded]).toEqual([[true, false], false]);
  });
});
