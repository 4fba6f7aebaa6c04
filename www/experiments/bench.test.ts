// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import { message } from "../i18n/index.js";
import { BENCHES } from "../state/index.js";
import { BENCH_PARTS, HeadscopeBench } from "./bench.js";
import { sessionOf, sessionWith, show } from "../session/testing/session.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-bench>", () => {
  it("shows the open part", async () => {
    const session = await sessionOf();
    const bench = await show(new HeadscopeBench(), session);
    for (const name of BENCHES) {
      await BENCH_PARTS[name].come();
      session.update({ bench: name });
      await bench.updateComplete;
      expect(bench.renderRoot.querySelector("h2")?.textContent).toBe(message(`bench.${name}`));
      expect(bench.renderRoot.querySelector(".body")?.childElementCount, name).toBeGreaterThan(1);
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
        const part = bench.renderRoot.querySelector<LitElement>(".body > :not(header)");
        await part?.updateComplete;
        return (part?.shadowRoot?.querySelector(".muted") ?? part)?.textContent ?? "";
      };
      expect(await wordsFor(" "), name).toMatch(/^Type a sentence first/);
      expect(await wordsFor("The dog bites the man."), name).toBe(
        "Available once the model has computed the sentence.",
      );
    }
  });
});
