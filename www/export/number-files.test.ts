import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv, npy, shortest, tableCsv } from "./number-files.js";
import { labelled, PROVENANCE } from "./testing.js";

/** A reader of RFC 4180, character by character. */
function read(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') field += text[++at] ?? "";
      else quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === "," || sign === "\n") {
      rows.at(-1)?.push(field.replace(/\r$/, ""));
      field = "";
      if (sign === "\n") rows.push([]);
    } else field += sign;
  }
  rows.pop();
  return rows;
}

/** What stands below the lines about where the numbers come from. */
const below = (pieces: Iterable<string>): string =>
  [...pieces].join("").replace(/^\uFEFF(#.*\r\n)+/, "");
const table = (...given: Parameters<typeof labelled>): string =>
  below(csv(labelled(...given), PROVENANCE));
const exactly = (value: number): number => Math.fround(Number(shortest(value)));

describe("CSV", () => {
  it("has no field that a spreadsheet would run, in tensors and in tables", () => {
    const names = ["=1+1", "+1", "-1", "@a", "\t=1"];
    for (const field of read(table(new Array<number>(25).fill(1), [names, names])).flat())
      expect(field).toMatch(/^(\d|query)/);
    const rows = [["\r=HYPERLINK(1)", "\n=1", -1, NaN]];
    expect(
      read(below(tableCsv({ columns: ["=1+1", "\r=1", "p", "q"], rows }, PROVENANCE))),
    ).toEqual([
      ["'=1+1", "'\r=1", "p", "q"],
      ["'\r=HYPERLINK(1)", "'\n=1", "-1", ""],
    ]);
  });

  it("reads back as the same single-precision numbers and the same names, whatever they are", () => {
    const columns = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.float()), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(columns, (given) => {
        const names = given.map(([name]) => name.replace(/\r$/, ""));
        const numbers = given.map(([, number]) => number);
        const [head, row] = read(table(numbers, [["q"], names]));
        expect(head?.slice(1)).toEqual(names.map((name, index) => `${index + 1} ${name}`));
        expect(row?.slice(1).map((field) => Math.fround(Number(field)))).toEqual(numbers);
      }),
    );
    expect(table([1], [["#"], ["a # b"]])).toBe('query\\key,"1 a # b"\r\n"1 #",1\r\n');
  });

  it("says above the table where the numbers come from, any text on its line and in one field", () => {
    const origin = (text: string): string[] =>
      [...csv(labelled([], [[], []]), { ...PROVENANCE, text })]
        .join("")
        .slice(1)
        .split("\r\n")
        .filter((line) => line.startsWith("#"));
    const texts = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.constantFrom(',=HYPERLINK("x")', "a;=1", '","', '\\"', "a\r\n#b", "\t=1"),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const said =
          origin(text)
            .find((one) => one.startsWith("# text: "))
            ?.slice(8) ?? "";
        expect(said).not.toMatch(/[,;\t\r\n]/);
        expect(JSON.parse(said)).toBe(text);
      }),
    );
  });
});

describe("a decimal", () => {
  it("reads back as the same number, in no more digits than single precision has", () => {
    fc.assert(
      fc.property(fc.float(), (value) => Object.is(exactly(value), value)),
      { numRuns: 2000 },
    );
    const values = [0.1, 1 / 3, 16777216, 1.1754943508222875e-38, 3.4028234663852886e38];
    expect([...values, -0, -Infinity, NaN].map((value) => shortest(Math.fround(value)))).toEqual([
      "0.1",
      "0.33333334",
      "16777216",
      "1.1754944e-38",
      "3.4028235e+38",
      "-0",
      "-Infinity",
      "NaN",
    ]);
  });
});

describe("npy", () => {
  /** Reads the format by its own description, without the writer's help. */
  function blockOf(file: Uint8Array): { dict: string; start: number; view: DataView } {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    expect(Array.from(file.subarray(0, 8))).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
    const start = 10 + view.getUint16(8, true);
    expect(start % 64).toBe(0);
    return { dict: new TextDecoder("ascii").decode(file.subarray(10, start)), start, view };
  }

  it.each([
    ["(2, 3)", [2, 3]],
    ["(3,)", [3]],
    ["(4, 1, 2)", [4, 1, 2]],
    ["(0, 5)", [0, 5]],
  ])("writes the shape %s and every number to the bit", (tuple, shape) => {
    const count = shape.reduce((product, size) => product * size, 1);
    fc.assert(
      fc.property(fc.float32Array({ minLength: count, maxLength: count }), (data) => {
        const { dict, start, view } = blockOf(npy({ data, shape }));
        expect(dict.trimEnd()).toBe(
          `{'descr': '<f4', 'fortran_order': False, 'shape': ${tuple}, }`,
        );
        expect(dict.endsWith("\n")).toBe(true);
        const read = Array.from(data, (_, index) => view.getFloat32(start + 4 * index, true));
        expect(read).toEqual(Array.from(data));
      }),
    );
  });
});
