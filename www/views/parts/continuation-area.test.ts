// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import type { State } from "../../state/index.js";
import type { Continuation } from "../run/continuation.js";
import { HeadscopeContinuationArea } from "./continuation-area.js";

const CONTINUATION: Continuation = {
  text: "The dog",
  written: " sleeps.",
  candidates: [
    { prediction: { id: 5, text: "sleeps", logit: 2, probability: 0.5 }, addition: " sleeps" },
    { prediction: { id: 0, text: "<|endoftext|>", logit: 1, probability: 0.25 }, addition: "" },
  ],
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-continuation-area>", () => {
  it("adds the candidate that is clicked to the text that it was written for", async () => {
    const changes: Partial<State>[] = [];
    const element = await mount(new HeadscopeContinuationArea(), {
      continuation: CONTINUATION,
      endToken: 0,
    });
    element.addEventListener("headscope-patch", (event) => changes.push(event.detail));
    expect(element.renderRoot.querySelector(".written")?.textContent).toBe("sleeps.");
    element.renderRoot.querySelector("button")?.click();
    expect(changes).toEqual([{ text: "The dog sleeps" }]);
  });

  it("names the end of the text, which cannot be added", async () => {
    const element = await mount(new HeadscopeContinuationArea(), {
      continuation: CONTINUATION,
      endToken: 0,
    });
    expect(element.renderRoot.querySelectorAll("button")).toHaveLength(1);
    expect(element.renderRoot.querySelector("li:last-child bdi")?.textContent).toBe("end");
  });

  it("says of a part of a character why it cannot be added", async () => {
    const half = {
      prediction: { id: 7, text: "⟨F0⟩", logit: 1, probability: 0.25 },
      addition: null,
    };
    const element = await mount(new HeadscopeContinuationArea(), {
      continuation: { ...CONTINUATION, candidates: [half] },
      endToken: 0,
    });
    expect(element.renderRoot.querySelector("button")).toBeNull();
    expect(element.renderRoot.querySelector("li")?.textContent).toMatch(
      /^⟨F0⟩ part of a character 25\.0%$/,
    );
  });

  it("says when the model has nothing to add, but not before it was asked", async () => {
    const element = await mount(new HeadscopeContinuationArea(), {});
    expect(element.renderRoot.textContent.trim()).toBe("");
    element.settled = true;
    await element.updateComplete;
    expect(element.renderRoot.textContent.trim()).toBe("The model has nothing to add.");
  });
});
