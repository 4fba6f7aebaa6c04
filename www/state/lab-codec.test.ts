import { describe, expect, it } from "vitest";
import { decodeState } from "./link.js";

describe("laboratories in the address", () => {
  it("are read by their names and settings; anything else is named as unread", () => {
    expect(decodeState("labs=places(open-yes,part-rotary)rotary(base-0.5)").state.labs).toBe(
      "places(open-yes,part-rotary)rotary(base-0.5)",
    );
    const own = `pad(text-The_dog.2e.)lengths(from-own,text-${"word_".repeat(2000)})`;
    expect(decodeState(`labs=${own}`).state.labs).toBe(own);
    const workbench = "numbers(head-2)worked(digits-8)overflow(times-120)projection(at-paper)";
    expect(decodeState(`labs=${workbench}`).state.labs).toBe(workbench);
    for (const labs of [
      "",
      "kitchen(knife-1)",
      "waves",
      "waves(dim-1",
      "waves(<b>)",
      `waves(dim-${"1".repeat(4000)})`,
      "pad(text-é)",
      "pad(text-a b)",
      `pad(text-a)waves(dim-${"1".repeat(4000)})`,
    ])
      expect(decodeState(`labs=${labs}`), labs).toMatchObject({
        unread: ["labs"],
        state: { labs: null },
      });
  });
});
