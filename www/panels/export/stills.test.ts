// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { PAPER_INKS } from "../../export/sheet.js";
import { sessionOf } from "../../session/testing/session.js";
import { offerStills } from "./stills.js";

it("a picture of what is still being computed is made once it is there", async () => {
  const session = await sessionOf({ text: "one two" });
  offerStills(session, () => ({ inks: PAPER_INKS, print: () => null }));
  // The first picture takes time to load its code, in which everything else would be there.
  await session.page.still?.("shown");
  session.update({ text: "three" });
  expect(session.subject).toBeNull();

  const still = await session.page.still?.("shown");

  expect([session.busy, session.subject?.state.text]).toEqual([false, "three"]);
  expect(still?.lines).toEqual(expect.arrayContaining([expect.stringContaining("three")]));
  session.end();
});
