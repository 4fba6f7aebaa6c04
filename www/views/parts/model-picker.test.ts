// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeModelPicker } from "./model-picker.js";

afterEach(() => document.body.replaceChildren());

/** A list opens: happy-dom has no popovers. */
function opening(): Event {
  const Toggle = class extends Event {
    readonly newState = "open";
  };
  Object.assign(globalThis, { ToggleEvent: Toggle });
  return new Toggle("beforetoggle");
}

describe("<headscope-model-picker>", () => {
  it("marks the models that are kept for a visit without a network, as they are when the list opens", async () => {
    const picker = await mount(new HeadscopeModelPicker(), {
      opened: ["opened/mine" as const],
      ready: ["models/en-fr" as const],
    });
    let kept: ("models/en-fr" | "models/tiny-gpt")[] = ["models/en-fr"];
    picker.findKept = () => Promise.resolve(kept);
    const marked = (): (string | undefined)[] =>
      [...picker.renderRoot.querySelectorAll("[role=menuitemradio]")].map(
        (item) => item.querySelector(".kept")?.textContent,
      );
    const open = async (): Promise<void> => {
      picker.renderRoot.querySelector(".list")?.dispatchEvent(opening());
      await Promise.resolve();
      await picker.updateComplete;
    };
    expect(marked()).toEqual([undefined, undefined, undefined, undefined]);
    await open();
    expect(marked()).toEqual(["works offline", undefined, undefined, undefined]);
    kept = ["models/en-fr", "models/tiny-gpt"];
    await open();
    expect(marked()).toEqual(["works offline", "works offline", undefined, undefined]);
  });

  it("names fields of the config without effect under the model in use", async () => {
    const picker = await mount(new HeadscopeModelPicker(), {
      model: "opened/mine" as const,
      opened: ["opened/mine" as const, "opened/other" as const],
      warnings: [{ field: "eos_token_id", value: "50256" }],
    });
    const named = [...picker.renderRoot.querySelectorAll("[role=menuitemradio]")].filter((item) =>
      item.textContent.includes("Without effect in config.json: eos_token_id = 50256"),
    );
    expect(named.map((item) => item.querySelector(".name")?.textContent)).toEqual(["mine"]);
  });
});
