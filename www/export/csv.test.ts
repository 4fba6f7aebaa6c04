import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv, tableCsv } from "./csv.js";
import type { Provenance } from "./exhibit.js";
import { exhibitOf, PROVENANCE } from "./testing/exhibit.js";

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

const matrix = (
  rows: number,
  columns: number,
  data: Iterable<number>,
): { data: Float32Array; shape: number[]; axes: string[] } => ({
  data: Float32Array.from(data),
  shape: [rows, columns],
  axes: ["query", "key"],
});
const written = (...given: Parameters<typeof exhibitOf>): string =>
  [...csv(exhibitOf(...given))].join("");
/** What stands below the lines about where the numbers come from. */
const table = (text: string): string => text.replace(/^\uFEFF(#.*\r\n)+/, "");

describe("csv", () => {
  it("names every row and column by its place and its token, in UTF-8 that Excel recognises", () => {
    const text = written(matrix(1, 2, [0.25, -Infinity]), [["été"], ["the", "the"]]);
    expect(text.startsWith("\uFEFF# headscope: ")).toBe(true);
    expect(table(text)).toBe("query\\key,1 the,2 the\r\n1 été,0.25,-Infinity\r\n");
  });

  it("quotes what would break a table", () => {
    const [head] = read(table(written(matrix(0, 4, []), [[], [",", '"', "a\nb", "\r"]])));
    expect(head).toEqual(["query\\key", "1 ,", '2 "', "3 a\nb", "4 \r"]);
  });

  it("has no field that a spreadsheet would run", () => {
    const rows = read(
      table(
        written(matrix(4, 4, new Array<number>(16).fill(1)), [
          ["=1+1", "+1", "-1", "@a"],
          ["=HYPERLINK(1)", "\t=1", "|", "%"],
        ]),
      ),
    );
    for (const field of rows.flat()) expect(field).toMatch(/^(\d|query)/);
  });

  it("has none in a table of its own columns either, nor among their names", () => {
    const rows = read(
      table(
        [...tableCsv(["=1+1", "\r=1", "p"], [["\r=HYPERLINK(1)", "\n=1", -1]], PROVENANCE)].join(
          "",
        ),
      ),
    );
    expect(rows).toEqual([
      ["'=1+1", "'\r=1", "p"],
      ["'\r=HYPERLINK(1)", "'\n=1", "-1"],
    ]);
  });

  it("reads back as the same single-precision numbers and the same names, whatever they are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.float()), {
          minLength: 1,
          maxLength: 6,
        }),
        (columns) => {
          const names = columns.map(([name]) => name.replace(/\r$/, ""));
          const numbers = columns.map(([, number]) => number);
          const [head, row] = read(
            table(written(matrix(1, columns.length, numbers), [["q"], names])),
          );
          expect(head?.slice(1)).toEqual(names.map((name, index) => `${index + 1} ${name}`));
          expect(row?.slice(1).map((field) => Math.fround(Number(field)))).toEqual(numbers);
        },
      ),
    );
  });

  it("quotes what a reader that leaves out comments would cut off", () => {
    expect(table(written(matrix(1, 1, [1]), [["#"], ["a # b"]]))).toBe(
      'query\\key,"1 a # b"\r\n"1 #",1\r\n',
    );
  });

  const origin = (provenance: Partial<Provenance>): string[] =>
    written(matrix(0, 0, []), [[], []], provenance)
      .slice(1)
      .split("\r\n")
      .filter((line) => line.startsWith("#"));

  it("says above the table where the numbers come from, and nothing of what there is not", () => {
    expect(origin({ text: "She gave him", link: null })).toEqual([
      '# headscope: "1.2.3"',
      '# model: "en-fr"',
      '# text: "She gave him"',
      '# quantity: "weights"',
      '# stack: "cross"',
      '# layer: {"index":1,"number":2}',
      '# head: {"index":2,"number":3}',
    ]);
  });

  it("keeps any text there on its line, in one field, and to be read as JSON", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", minLength: 1 }),
          fc.constantFrom(',=HYPERLINK("x")', "a;=1", '","', '\\"', "a\r\n#b", "\t=1"),
        ),
        (text) => {
          const line = origin({ text }).find((one) => one.startsWith("# text: "));
          expect(line?.slice("# text: ".length)).not.toMatch(/[,;\t\r\n]/);
          expect(JSON.parse(line?.slice("# text: ".length) ?? "")).toBe(text);
        },
      ),
    );
  });

  it("gives each axis but the last a column of its own", () => {
    const tensor = {
      data: Float32Array.from({ length: 12 }, (_, index) => index),
      shape: [2, 3, 2],
      axes: ["stage", "query", "key"],
    };
    const rows = read(table(written(tensor, [["raw", "weights"], null, ["x", "y"]])));
    expect(rows[0]).toEqual(["stage", "query\\key", "1 x", "2 y"]);
    expect(rows.slice(1).map((row) => row.slice(0, 3))).toEqual([
      ["1 raw", "1", "0"],
      ["1 raw", "2", "2"],
      ["1 raw", "3", "4"],
      ["2 weights", "1", "6"],
      ["2 weights", "2", "8"],
      ["2 weights", "3", "10"],
    ]);
  });
});
