// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { message } from "../../i18n/index.js";
import { BENCHES } from "../../state/index.js";
import { HeadscopeBench } from "./bench.js";
import { ON_BENCH } from "./testing/on-bench.js";
import { BENCH_PARTS } from "./benches.js";
import type { OnBench } from "./on-bench.js";

afterEach(() => document.body.replaceChildren());

const ON: OnBench = { ...ON_BENCH, head: { stack: "encoder", layer: 0, head: 0 } };

const doors = (bench: HeadscopeBench): HTMLButtonElement[] => [
  ...bench.renderRoot.querySelectorAll<HTMLButtonElement>(".doors button[aria-expanded]"),
];

describe("<headscope-bench>", () => {
  it("has a door for every part, and behind the open one what belongs to it", async () => {
    const bench = await mount(new HeadscopeBench(), { on: ON });
    expect(doors(bench).map((door) => door.textContent)).toEqual(
      BENCHES.map((name) => message(`bench.${name}`)),
    );
    for (const name of BENCHES) {
      await BENCH_PARTS[name].later.come();
      bench.open = name;
      await bench.updateComplete;
      expect(
        doors(bench).map((door) => door.ariaExpanded ?? door.getAttribute("aria-expanded")),
      ).toEqual(BENCHES.map((one) => String(one === name)));
      expect(bench.renderRoot.querySelector(".body")?.firstElementChild?.localName, name).toMatch(
        /^headscope-\w+-bench$/,
      );
    }
  });

  it("asks for a sentence only where there is none, and else says what it waits for", async () => {
    const bench = await mount(new HeadscopeBench(), { on: ON_BENCH });
    for (const name of ["masks", "positions", "kinds", "heads"] as const) {
      await BENCH_PARTS[name].later.come();
      bench.open = name;
      const said = async (text: string): Promise<string> => {
        bench.on = { ...ON_BENCH, text };
        await bench.updateComplete;
        const part = bench.renderRoot.querySelector<LitElement>(".body > *");
        await part?.updateComplete;
        return part?.shadowRoot?.querySelector(".muted")?.textContent ?? "";
      };
      expect(await said(" "), name).toMatch(/^Type a sentence first/);
      expect(await said("The dog bites the man."), name).toBe(
        "This opens as soon as the model has read your sentence.",
      );
    }
  });

  it("folds down when its door closes, or nothing could fold it any more", async () => {
    const bench = await mount(new HeadscopeBench(), { on: ON, open: "masks" });
    const told: boolean[] = [];
    bench.addEventListener("headscope-bench-fold", (event) => {
      if (event instanceof CustomEvent) told.push(event.detail === true);
    });
    bench.renderRoot.querySelector<HTMLButtonElement>(".fold")?.click();
    bench.open = null;
    await bench.updateComplete;
    expect([told, bench.unfolded]).toEqual([[true, false], false]);
  });
});
