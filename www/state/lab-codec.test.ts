import { describe, expect, it } from "vitest";
import { decodeState } from "./hash.js";

describe("laboratories in the address", () => {
  it("are read by their names and settings; anything else is named as unread", () => {
    expect(decodeState("labs=places(open-yes,part-rotary)rotary(base-0.5)").state.labs).toBe("places(open-yes,part-rotary)rotary(base-0.5)");
    const workbench = "numbers(head-2)worked(digits-8)overflow(times-120)projection(at-paper)";
    expect(decodeState(`labs=${workbench}`).state.labs).toBe(workbench);
    for (const labs of ["", "kitchen(knife-1)", "waves", "waves(dim-1", "waves(<b>)", `waves(dim-${"1".repeat(4000)})`]) expect(decodeState(`labs=${labs}`), labs).toMatchObject({ unread: ["labs"], state: { labs: null } });
  });
});
