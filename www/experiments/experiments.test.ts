// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import { message } from "../i18n/index.js";
import { EXPERIMENTS } from "../state/index.js";
import { EXPERIMENT_PARTS, HeadscopeExperiments } from "./experiments.js";
import { sessionOf, sessionWith, show } from "../session/testing/session.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-experiments>", () => {
  it("shows the open part", async () => {
    const session = await sessionOf();
    const experiment = await show(new HeadscopeExperiments(), session);
    for (const name of EXPERIMENTS) {
      await EXPERIMENT_PARTS[name].come();
      session.update({ experiment: name });
      await experiment.updateComplete;
      expect(experiment.renderRoot.querySelector("h2")?.textContent).toBe(
        message(`experiments.${name}`),
      );
      expect(experiment.renderRoot.querySelector(".body")?.childElementCount, name).toBeGreaterThan(
        1,
      );
    }
  });

  it("asks for a sentence only where there is none, and else says what it waits for", async () => {
    const session = sessionWith();
    const experiment = await show(new HeadscopeExperiments(), session);
    for (const name of ["masks", "positions", "variants", "heads"] as const) {
      await EXPERIMENT_PARTS[name].come();
      const wordsFor = async (text: string): Promise<string> => {
        session.store.update({ experiment: name, text });
        await experiment.updateComplete;
        const part = experiment.renderRoot.querySelector<LitElement>(".body > :not(.ends)");
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
