import { expect, it } from "vitest";
import {
  directionOf,
  isolated,
  ROLES,
  assignedRole,
  reachedRoles,
  type RoleScores,
} from "./index.js";

it.each([
  ["rtl", ["שלום", "كلب", "«كلب", "3 ילדים", "ܫܠܡܐ", "𞤀"]],
  ["ltr", ["dog", "狗", "dog שלום", "", "…", "42", "٣", "␣"]],
] as const)("a text is read %s by its first letter, whatever stands before it", (way, texts) => {
  expect(texts.map(directionOf)).toEqual(texts.map(() => way));
});

it("what is read from the right is set apart among other words, and nothing else", () => {
  expect(isolated("כלב!")).toBe("\u2068כלב!\u2069");
  expect([isolated("dog"), isolated("狗"), isolated("−0.5")]).toEqual(["dog", "狗", "−0.5"]);
});

const NONE = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;

it.each(ROLES)("the role of a head is $role from $threshold on", ({ role, threshold }) => {
  expect(assignedRole({ ...NONE, [role]: threshold - 0.001 })).toBeNull();
  expect(assignedRole({ ...NONE, [role]: threshold })).toBe(role);
});

it("the role of a head is the most specific of several", () => {
  expect(assignedRole({ ...NONE, broad: 1, previous: 0.6, duplicate: 0.4 })).toBe("previous");
  expect(assignedRole({ ...NONE, induction: 0.5, previous: 1 })).toBe("induction");
});

it("a head has all roles that it reaches, but none that a more specific one makes plain", () => {
  expect(reachedRoles({ ...NONE, first: 0.9, induction: 0.97 })).toEqual(["induction", "first"]);
  expect(reachedRoles({ ...NONE, previous: 0.9, positional: 1 })).toEqual(["previous"]);
  expect(reachedRoles({ ...NONE, positional: 1 })).toEqual(["positional"]);
  expect(reachedRoles({ ...NONE, next: 0.6, near: 0.8 })).toEqual(["next"]);
  expect(reachedRoles({ ...NONE, aligned: 0.6, near: 0.7 })).toEqual(["aligned"]);
  expect(reachedRoles({ ...NONE, near: 0.6, broad: 0.9 })).toEqual(["near", "broad"]);
  expect(reachedRoles(NONE)).toEqual([]);
});
