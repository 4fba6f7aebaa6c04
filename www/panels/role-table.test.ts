// @vitest-environment happy-dom
// The table of the roles of a head: the formula, the scores and the threshold of each.
import { render } from "lit";
import { beforeAll, expect, it } from "vitest";
import { type Role, ROLES, type RoleScores } from "../data/index.js";
import { loadSentences, message } from "../i18n/index.js";
import { words } from "../ui/testing/controls.js";
import { roleTable } from "./role-table.js";

/** The formula of each role as `docs/roles.md` defines it, read along the line. */
const FORMULAS: Readonly<Record<Role, string>> = {
  induction: "∑ j<q−1, xj=xq Aq,j+1",
  duplicate: "∑ k≠q, xk=xq Aq,k",
  aligned: "Aq,sq",
  previous: "Aq,q−1",
  next: "Aq,sq+1",
  self: "Aq,q",
  separator: "∑ k∈S Aq,k",
  first: "Aq,0",
  rare: "[argmaxk Aq,k = argmink f(xk)]",
  near: "[|argmaxk Aq,k − sq+1| ≤ 1]",
  positional: "[argmaxk Aq,k = q+δ]",
  broad: "H(q) ln nq",
};
const NONE = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
const HERE: RoleScores = { ...NONE, first: 0.25, broad: 0.5 };
const DEFINED = ROLES.filter(({ role }) => HERE[role] !== null);

beforeAll(() => loadSentences("menus"));

function table(...given: Parameters<typeof roleTable>): HTMLElement {
  const place = document.createElement("div");
  render(roleTable(...given), place);
  return place;
}
const cells = (place: HTMLElement, rows: string): string[][] =>
  [...place.querySelectorAll(rows)].map(({ children }) => [...children].map(words));

it("has the formula of every role", () => {
  const written = cells(table(ROLES, null, null, null), ".formula").flat();
  const bare = (text: string): string => text.replaceAll(/\s/g, "");
  expect(written.map(bare)).toEqual(ROLES.map(({ role }) => bare(FORMULAS[role])));
});

it("has the score on the present text, and marks the role that the head has", () => {
  const place = table(DEFINED, "broad", null, HERE);
  const [head, ...rows] = cells(place, "tr:not(.formula)");
  expect(head).toEqual(
    (["roles.role", "roles.here", "roles.threshold"] as const).map((key) => message(key)),
  );
  const threshold = (role: Role): string =>
    ROLES.find((one) => one.role === role)?.threshold.toFixed(2) ?? "";
  expect(rows).toEqual([
    [message("role.first"), "0.25", threshold("first")],
    [message("role.broad"), "0.50", threshold("broad")],
  ]);
  expect(cells(place, ".assigned")).toEqual([rows[1]]);
  expect(place.querySelector(".assigned")?.getAttribute("title")).toBe(
    message("role.broad.meaning"),
  );
  expect(place.querySelector("[colspan]")?.getAttribute("colspan")).toBe("3");
});

it("has the score on held-out text beside it, where both are known", () => {
  const place = table(DEFINED, null, { ...NONE, first: 0.75 }, null);
  const columns = cells(place, "tr:not(.formula)").map((row) => row.slice(1, 3));
  expect(columns).toEqual([
    [message("roles.before"), message("roles.here")],
    ["0.75", "–"],
    ["–", "–"],
  ]);
  expect(place.querySelector("[colspan]")?.getAttribute("colspan")).toBe("4");
  expect(place.querySelector(".assigned")).toBeNull();
});
