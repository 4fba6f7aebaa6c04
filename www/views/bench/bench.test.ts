// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import { message } from "../../i18n/index.js";
import { BENCHES } from "../../state/index.js";
import { BENCH_PARTS, HeadscopeBench } from "./bench.js";
import { sessionOf, sessionWith, show } from "../testing/session.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-bench>", () => {
  it("shows the part whose button is open", async () => {
    const session = await sessionOf();
    const bench = await show(new HeadscopeBench(), session);
    for (const name of BENCHES) {
      await BENCH_PARTS[name].come();
      session.update({ bench: name });
      await bench.updateComplete;
      const open = bench.renderRoot.querySelectorAll(".part-buttons [aria-expanded=true]");
      expect([...open].map(({ textContent }) => textContent)).toEqual([message(`bench.${name}`)]);
      expect(bench.renderRoot.querySelector(".body")?.childElementCount, name).toBeGreaterThan(0);
    }
  });

  it("asks for a sentence only where there is none, and else says what it waits for", async () => {
    const session = sessionWith();
    const bench = await show(new HeadscopeBench(), session);
    for (const name of ["masks", "positions", "kinds", "heads"] as const) {
      await BENCH_PARTS[name].come();
      const wordsFor = async (text: string): Promise<string> => {
        session.store.update({ bench: name, text });
        await bench.updateComplete;
        const part = bench.renderRoot.querySelector<LitElement>(".body > *");
        await part?.updateComplete;
        return (part?.shadowRoot?.querySelector(".muted") ?? part)?.textContent ?? "";
      };
      expect(await wordsFor(" "), name).toMatch(/^Type a sentence first/);
      expect(await wordsFor("The dog bites the man."), name).toBe(
        "Available once the model has computed the sentence.",
      );
    }
  });

  it("folds down when its part closes, or nothing could fold it any more", async () => {
    const session = sessionWith({ bench: "masks" });
    const bench = await show(new HeadscopeBench(), session);
    const folds: boolean[] = [];
    bench.addEventListener("headscope-bench-fold", ({ detail }) => folds.push(detail));
    bench.renderRoot.querySelector<HTMLButtonElement>(".fold")?.click();
    session.update({ bench: null });
    await bench.updateComplete;
    expect([folds, bench.unfolded]).toEqual([[true, false], false]);
  });
});
