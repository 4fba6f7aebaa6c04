import { describe, expect, it } from "vitest";
import { directionOf, isolated, ROLES, assignedRole, type RoleScores } from "./index.js";

describe("which way a text is read", () => {
  it("is that of its first letter, whatever signs and digits stand before it", () => {
    expect(["שלום", "كلب", "«كلب", "3 ילדים", "ܫܠܡܐ", "𞤀"].map(directionOf)).toEqual([
      "rtl",
      "rtl",
      "rtl",
      "rtl",
      "rtl",
      "rtl",
    ]);
    expect(["dog", "狗", "dog שלום", "", "…", "42", "٣", "␣"].map(directionOf)).toEqual([
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
    ]);
  });

  it("sets apart what is read from the right among other words, and nothing else", () => {
    expect(isolated("כלב!")).toBe("\u2068כלב!\u2069");
    expect([isolated("dog"), isolated("狗"), isolated("−0.5")]).toEqual(["dog", "狗", "−0.5"]);
  });
});

const NONE = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;

describe("the role that is assigned to a head", () => {
  it("is none below every threshold", () => {
    expect(assignedRole(NONE)).toBeNull();
    expect(assignedRole({ ...NONE, previous: 0.499, positional: 0.899, broad: 0.799 })).toBeNull();
  });

  it.each(ROLES)("is $role from $threshold on", ({ role, threshold }) => {
    expect(assignedRole({ ...NONE, [role]: threshold })).toBe(role);
  });

  it("is the most specific of several", () => {
    expect(assignedRole({ ...NONE, broad: 1, positional: 1, previous: 0.6, duplicate: 0.4 })).toBe(
      "previous",
    );
    expect(assignedRole({ ...NONE, induction: 0.5, previous: 1 })).toBe("induction");
  });
});
