// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Adapter, BlockRef, Stack } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { loadSentences } from "../../i18n/index.js";
import { HeadscopeGpuSwitch } from "./gpu-switch.js";

const ADAPTER: Adapter = {
  vendor: "maker",
  architecture: "line",
  description: "",
  software: false,
};

beforeAll(() => loadSentences("gpu"));

afterEach(() => document.body.replaceChildren());

describe("<headscope-gpu-switch>", () => {
  const textOf = async (given: Partial<HeadscopeGpuSwitch>): Promise<string> => {
    const element = await mount(new HeadscopeGpuSwitch(), { adapter: ADAPTER, ...given });
    return element.renderRoot.textContent.replaceAll(/\s+/g, " ").trim();
  };

  it("names the adapter, and is not there without one", async () => {
    expect(await textOf({})).toBe("Compute on the GPU (maker line)");
    expect(await textOf({ adapter: { ...ADAPTER, vendor: "", architecture: "" } })).toBe(
      "Compute on the GPU (unnamed)",
    );
    expect(await textOf({ adapter: null })).toBe("");
  });

  it("says how much of a run is left to the CPU, but only of one on the GPU", async () => {
    const of = (stack: Stack, ...layers: number[]): BlockRef[] =>
      layers.map((layer) => ({ stack, layer }));
    expect(await textOf({ on: true, onCpu: of("encoder", 0, 2) })).toContain(
      "The CPU computes the attention of 2 layers.",
    );
    expect(await textOf({ on: true, onCpu: of("decoder", 1) })).toContain(
      "The CPU computes the attention of 1 layer.",
    );
    // Of three layers, of which one is the encoder's.
    expect(
      await textOf({
        on: true,
        onCpu: [...of("encoder", 1), ...of("decoder", 1, 2), ...of("cross", 1, 2)],
      }),
    ).toContain("The CPU computes the attention of 3 layers.");
    expect(await textOf({ on: true, onCpu: [] })).not.toContain("The CPU");
    expect(await textOf({ on: true })).not.toContain("The CPU");
    expect(await textOf({ onCpu: of("encoder", 0, 2) })).not.toContain("The CPU");
  });
});
