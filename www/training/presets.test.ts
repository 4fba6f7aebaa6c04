import { describe, expect, it } from "vitest";
import { type Preset, PRESETS } from "./presets.js";
import { decodeSettings, encodeSettings, type TrainingSettings } from "./settings.js";

const ALL: [string, Preset][] = Object.entries(PRESETS);

describe.each(ALL)("the preset %s", (_name, links) => {
  it("has links as the page writes them", () => {
    for (const link of links) expect(encodeSettings(decodeSettings(link ?? ""))).toBe(link);
  });

  it("changes one setting in the training beside it", () => {
    const [first, second = first] = links.map((link) => decodeSettings(link ?? ""));
    const names = Object.keys(first ?? {}) as (keyof TrainingSettings)[];
    const changed = names.filter((name) => first?.[name] !== second?.[name]);
    expect(changed).toHaveLength(links.length - 1);
  });
});
