import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv, npy, npyText } from "./number-files.js";
import { isAmbiguous, numberIn, readNpy, readTable, Unreadable } from "./read-matrix.js";
import { labelled, PROVENANCE } from "./testing/labelled.js";

const MOST = 32;

/** The reason of a refusal, or the note that the text is read. */
function reason(read: () => unknown): string {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof Unreadable) return thrown.reason;
    throw thrown;
  }
  return "read";
}

/** A file of the format with any header and any bytes. */
function file(header: string, bytes: number, version = 1): Uint8Array {
  const text = new TextEncoder().encode(header);
  const before = version === 1 ? 10 : 12;
  const out = new Uint8Array(before + text.length + bytes);
  out.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(out.buffer);
  if (version === 1) view.setUint16(8, text.length, true);
  else view.setUint32(8, text.length, true);
  out.set(text, before);
  return out;
}

const header = (descr: string, shape: string, fortran = "False"): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;

/** `1 2|3 4`: numbers of a matrix, row by row. */
const rowsOf = (text: string): number[][] =>
  text.split("|").map((row) => row.split(" ").map(Number));

describe("a .npy file", () => {
  it("is read back to the last bit, without the text that follows it", () => {
    const matrix = fc.array(fc.array(fc.double(), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(matrix, (rows) => {
        const data = Float64Array.from(rows.flat());
        const written = npy({ data, shape: [rows.length, 3] });
        expect((new DataView(written.buffer).getUint16(8, true) + 10) % 64).toBe(0);
        expect(readNpy(Uint8Array.of(...written, ...npyText("where from")), MOST).rows).toEqual(
          rows,
        );
      }),
    );
    const single = npy({ data: Float32Array.from([1.5, -Infinity]), shape: [2] });
    expect(readNpy(single, MOST)).toEqual({ rows: [[1.5, -Infinity]], labels: null });
  });

  it("may count columns first, be big-endian, whole numbers, of version 2, or a vector", () => {
    const fortran = file(header("<f8", "(2, 3)", "True"), 48);
    const view = new DataView(fortran.buffer, fortran.length - 48);
    [1, 2, 3, 4, 5, 6].forEach((value, index) => view.setFloat64(8 * index, value, true));
    expect(readNpy(fortran, MOST).rows).toEqual(rowsOf("1 3 5|2 4 6"));
    const big = file(header(">i4", "(2,)"), 8, 2);
    new DataView(big.buffer, big.length - 8).setInt32(4, -7);
    expect(readNpy(big, MOST).rows).toEqual([[0, -7]]);
    const bytes = file(header("|b1", "(1, 2, 1)"), 2);
    bytes[bytes.length - 1] = 1;
    expect(readNpy(bytes, MOST).rows).toEqual([[0], [1]]);
  });

  const lying = file(header("<f8", "(1, 1)"), 8);
  new DataView(lying.buffer).setUint16(8, 0xffff, true);

  it.each<[why: string, file: Uint8Array]>([
    ["notNumpy", new Uint8Array()],
    ["notNumpy", new TextEncoder().encode("PK\u0003\u0004 a zip file")],
    ["truncated", file(header("<f8", "(4, 4)"), 127)],
    ["truncated", file("", 0, 2).subarray(0, 11)],
    ["truncated", lying],
    ["tooLarge", file(header("<f8", "(99999999999999999999999, 1)"), 8)],
    ["tooLarge", file(header("<f8", "(33, 1)"), 8 * 33)],
    ["empty", file(header("<f8", "(0, 3)"), 0)],
    ["axes", file(header("<f8", "(2, 2, 2)"), 64)],
    ["axes", file(header("<f8", "__import__('os')"), 64)],
    ...["|O", "<c16", "<U8", "<f2", "constructor", "<toString"].map(
      (descr): [string, Uint8Array] => ["numberType", file(header(descr, "(1, 1)"), 64)],
    ),
  ])("that promises what it does not hold is refused: %s", (why, given) => {
    expect(reason(() => readNpy(given, MOST))).toBe(why);
  });

  it("of any bytes breaks nothing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0, 10, 60), (noise, keep) => {
        const broken = file(header("<f8", "(2, 2)"), 32);
        broken.set(noise.subarray(0, Math.max(0, broken.length - keep)), keep);
        expect(reason(() => readNpy(broken, MOST))).not.toBe("");
      }),
    );
  });
});

describe("a table", () => {
  it.each<[text: string, rows: string, labels: string[] | null]>([
    ["1\t2\n3\t4", "1 2|3 4", null],
    ["0,5;1,25\n−2;1e-3", "0.5 1.25|-2 0.001", null],
    ["1 2\n3 4", "1 2|3 4", null],
    [",a,b\nthe,1,2\ndog,3,4", "1 2|3 4", ["the", "dog"]],
    ["a,b\n1,2", "1 2", null],
    [
      '\uFEFFquery\\key,1 the,2 dog\r\n1 the,0.5,-Infinity\r\n"2 a ""b"", c",1,2\r\n',
      "0.5 -Infinity|1 2",
      ["the", 'a "b", c'],
    ],
    ["word\\dimension,1,2\n1984,3,4", "3 4", ["1984"]],
    // As pandas and spreadsheets write them: over the names of rows stands nothing, or what they
    // are.
    [",0,1,2\nw1,1,2,3\nw2,4,5,6\nw3,7,8,9", "1 2 3|4 5 6|7 8 9", ["w1", "w2", "w3"]],
    ['word,1,2,3\n"x, y",1,2,3\nz,4,5,6', "1 2 3|4 5 6", ["x, y", "z"]],
    ["Token\t0\t1\nthe\t5\t6", "5 6", ["the"]],
    ["词;1;2\n猫;0,5;6", "0.5 6", ["猫"]],
    [",10,20\nthe,1,2\ndog,3,4", "1 2|3 4", ["the", "dog"]],
    [",a,b\n1984,1,2\n1985,3,4", "1 2|3 4", ["1984", "1985"]],
    // Rows that are only counted have no names.
    [",0,1,2\n0,1,2,3\n1,4,5,6", "1 2 3|4 5 6", null],
    [",a,b\n0,1,2\n1,3,4", "1 2|3 4", null],
    // The first line may be a word's as well as any other.
    ["the,1,2,3\ndog,4,5,6", "1 2 3|4 5 6", ["the", "dog"]],
    ["word,1,2,3", "1 2 3", ["word"]],
    ["\t1\t2\n\t3\t4", "1 2|3 4", ["", ""]],
    // Commas before decimals: told by semicolons, or by a number that they cannot mean anything
    // else in.
    ["1,250;0,5\n2,000;3", "1.25 0.5|2 3", null],
    // Lines above it that begin with # are no part of it.
    ["# made by hand\n#\n1;2\n3;4\n", "1 2|3 4", null],
  ])("%j is read with its names", (text, rows, labels) => {
    expect(readTable(text, MOST)).toEqual({ rows: rowsOf(rows), labels });
  });

  it("of this page is read whatever it says above itself", () => {
    const own = csv(labelled([0.5, -Infinity], [["#"], ["a, b", "c"]]), {
      ...PROVENANCE,
      text: 'a, "b"; c',
    });
    const read = { rows: [[0.5, -Infinity]], labels: ["#"] };
    expect(readTable([...own].join(""), MOST)).toEqual(read);
  });

  it.each<[string, number[][]]>([
    // Between semicolons, and beside a comma that can only be a decimal comma, commas are decimal.
    [
      "1,000;2\n3;4",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      "0,5\t1,000\n3\t4",
      [
        [0.5, 1],
        [3, 4],
      ],
    ],
    [
      "1;2\n\n3;4\n",
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])("%j is the rows %j", (text, rows) => {
    expect(readTable(text, MOST).rows).toEqual(rows);
  });

  it("is read up to its largest size; what is refused is named by its place, in few letters", () => {
    const square = `${Array<string>(3).fill("1,2,3").join("\n")}\n`;
    expect(readTable(square, 3).rows).toHaveLength(3);
    expect(() => readTable("1,2\n3", MOST)).toThrow("ragged: 2: 1 / 2");
    expect(() => readTable(`1,2\n3,${"x".repeat(99)}`, MOST)).toThrow(
      new RegExp(`notANumber: x{40}$`),
    );
  });

  it.each([
    ["notANumber", "NaN,NaN,NaN\n1,2,3\n4,5,6"],
    ["notANumber", "1e400,1\n1e400,2"],
    ["notANumber", "∞\t∞\n1\t2"],
    ["notANumber", "+Infinity,1\n−1e999,2"],
    ["notANumber", ",a,b\nnan,1,2"],
    ["notANumber", ",1,2\n3,4,5\n6,7,8"],
    ["notANumber", "1,2\n3,four"],
    ["notANumber", "1,1e999\n3,4"],
    // It may mean thousands or decimals.
    ["ambiguous", "1,000\t2,500\n3\t4"],
    ["empty", ""],
    ["empty", "# nothing else\n"],
    ["ragged", "1,2\n3"],
  ])("is refused as %s: %j", (why, text) => {
    expect(reason(() => readTable(text, MOST))).toBe(why);
  });

  it("that is too large is refused with its size", () => {
    expect(() => readTable("1,2\n".repeat(300), MOST)).toThrow("tooLarge: 300 × 2");
    expect(() => readTable("1,2\n".repeat(300_000), MOST)).toThrow("tooLarge: 1.2 MB");
    expect(reason(() => readTable('"'.repeat(100_001), MOST))).not.toBe("read");
  });
});

it.each<[text: string, value: number | undefined]>([
  [" 0.5 ", 0.5],
  ["0,5", 0.5],
  [".5", 0.5],
  ["−2", -2],
  ["+3e-2", 0.03],
  ["−∞", -Infinity],
  ["-inf", -Infinity],
  ["-0", 0],
  ...["", "abc", "1.2.3", "1,2,3", "0x10", "NaN", "inf", "1e999", "1 2", "--1"].map(
    (text): [string, undefined] => [text, undefined],
  ),
])("%j is the number %s", (text, value) => {
  expect(numberIn(text)).toBe(value);
});

it("a comma before three digits may part thousands or decimals", () => {
  for (const text of ["1,000", "−12,345", "999,999"])
    expect([isAmbiguous(text), numberIn(text)], text).toEqual([true, undefined]);
  const plain = ["0,125", "1,0", "1,0000", "1234,567", "1.000", "1,000,000", "1,000.5"];
  expect(plain.filter(isAmbiguous)).toEqual([]);
});
