import { describe, expect, it } from "vitest";
import { ROLES } from "./generated.js";
import type { RoleScores } from "./notes.js";
import { wornRole } from "./roles.js";

const NONE = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;

describe("the role that a head wears", () => {
  it("is none below every threshold", () => {
    expect(wornRole(NONE)).toBeNull();
    expect(wornRole({ ...NONE, previous: 0.499, positional: 0.899, broad: 0.799 })).toBeNull();
  });

  it.each(ROLES)("is $role from $threshold on", ({ role, threshold }) => {
    expect(wornRole({ ...NONE, [role]: threshold })).toBe(role);
  });

  it("is the most specific of several", () => {
    expect(wornRole({ ...NONE, broad: 1, positional: 1, previous: 0.6, duplicate: 0.4 })).toBe(
      "previous",
    );
    expect(wornRole({ ...NONE, induction: 0.5, previous: 1 })).toBe("induction");
  });
});
