import fc from "fast-check";
import { expect, it } from "vitest";
import { csv, shortest, tableCsv } from "./number-files.js";
import { labelled, PROVENANCE } from "./testing/labelled.js";

/** The lines below those about where the numbers come from. */
const below = (pieces: Iterable<string>): string =>
  [...pieces].join("").replace(/^\uFEFF(#.*\r\n)+/, "");

it("a CSV has no field that a spreadsheet would run or a reader would take for a comment", () => {
  const names = ["=1+1", "-1", "@a", "#", 'a "b", # c', "\t=1"];
  expect(below(csv(labelled([-1, 1, 1, 1, 1, 1], [["+1"], names]), PROVENANCE))).toBe(
    'query\\key,1 =1+1,2 -1,3 @a,"4 #","5 a ""b"", # c",6 \t=1\r\n1 +1,-1,1,1,1,1,1\r\n',
  );
  const rows = [["\r=HYPERLINK(1)", "\n=1", -1, NaN]];
  expect(below(tableCsv({ columns: ["=1+1", "\r=1", "p", "q"], rows }, PROVENANCE))).toBe(
    `'=1+1,"'\r=1",p,q\r\n"'\r=HYPERLINK(1)","'\n=1",-1,\r\n`,
  );
});

it("a CSV says above the table where the numbers come from, any text on its line and in one field", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom(',=HYPERLINK("x")', "a;=1", '","', '\\"', "a\r\n#b", "\t=1"),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const lines = [...csv(labelled([], [[], []]), { ...PROVENANCE, text })].join("");
      const field = /^# text: (.*?)\r$/ms.exec(lines)?.[1] ?? "";
      expect(field).not.toMatch(/[,;\t\r\n]/);
      expect(JSON.parse(field)).toBe(text);
    }),
  );
});

it("a decimal reads back as the same number, in no more digits than single precision has", () => {
  fc.assert(
    fc.property(fc.float(), (value) => Object.is(Math.fround(Number(shortest(value))), value)),
    { numRuns: 2000 },
  );
  const values = [0.1, 1 / 3, 16777216, 1.1754943508222875e-38, 3.4028234663852886e38];
  expect(
    [...values, -0, -Infinity, NaN].map((value) => shortest(Math.fround(value))).join(" "),
  ).toBe("0.1 0.33333334 16777216 1.1754944e-38 3.4028235e+38 -0 -Infinity NaN");
});
