import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv } from "./csv.js";
import { npy, npyText } from "./npy.js";
import { readNpy } from "./read-npy.js";
import { isAmbiguous, numberIn, readTable } from "./read-table.js";
import { exhibitOf } from "./testing/exhibit.js";
import { Unreadable } from "./unreadable.js";

const MOST = 32;

/** Why something is refused; fails if it is not. */
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

describe("a .npy file", () => {
  it("is read back to the last bit", () => {
    const matrix = fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
      .chain(([rows, columns]) =>
        fc.array(fc.array(fc.double(), { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      );
    fc.assert(
      fc.property(matrix, (rows) => {
        const written = npy({
          data: Float64Array.from(rows.flat()),
          shape: [rows.length, rows[0]?.length ?? 0],
        });
        expect(readNpy(written, MOST).rows).toEqual(rows);
      }),
    );
    const single = npy({ data: Float32Array.from([1.5, -Infinity, 3, 4]), shape: [2, 2] });
    expect(readNpy(single, MOST)).toEqual({
      rows: [
        [1.5, -Infinity],
        [3, 4],
      ],
      labels: null,
    });
  });

  it("is read without the text that follows it", () => {
    const numbers = npy({ data: Float32Array.of(1, 2), shape: [1, 2] });
    expect(readNpy(Uint8Array.of(...numbers, ...npyText("where from")), MOST).rows).toEqual([
      [1, 2],
    ]);
  });

  it("may count columns first, be big-endian, whole numbers, of version 2, or a vector", () => {
    const fortran = file(header("<f8", "(2, 3)", "True"), 48);
    const view = new DataView(fortran.buffer, fortran.length - 48);
    [1, 2, 3, 4, 5, 6].forEach((value, index) => view.setFloat64(8 * index, value, true));
    expect(readNpy(fortran, MOST).rows).toEqual([
      [1, 3, 5],
      [2, 4, 6],
    ]);
    const big = file(header(">i4", "(2,)"), 8, 2);
    new DataView(big.buffer, big.length - 8).setInt32(4, -7);
    expect(readNpy(big, MOST).rows).toEqual([[0, -7]]);
    const bytes = file(header("|b1", "(1, 2, 1)"), 2);
    bytes[bytes.length - 1] = 1;
    expect(readNpy(bytes, MOST).rows).toEqual([[0], [1]]);
  });

  it("that promises what it does not hold is refused, and none breaks the page", () => {
    expect(reason(() => readNpy(new Uint8Array(), MOST))).toBe("notNumpy");
    expect(reason(() => readNpy(new TextEncoder().encode("PK\u0003\u0004 a zip file"), MOST))).toBe(
      "notNumpy",
    );
    expect(reason(() => readNpy(file(header("<f8", "(4, 4)"), 127), MOST))).toBe("truncated");
    expect(reason(() => readNpy(file("", 0, 2).subarray(0, 11), MOST))).toBe("truncated");
    expect(
      reason(() => readNpy(file(header("<f8", "(99999999999999999999999, 1)"), 8), MOST)),
    ).toBe("tooLarge");
    expect(reason(() => readNpy(file(header("<f8", "(33, 1)"), 8 * 33), MOST))).toBe("tooLarge");
    expect(reason(() => readNpy(file(header("<f8", "(0, 3)"), 0), MOST))).toBe("empty");
    expect(reason(() => readNpy(file(header("<f8", "(2, 2, 2)"), 64), MOST))).toBe("axes");
    expect(reason(() => readNpy(file(header("<f8", "__import__('os')"), 64), MOST))).toBe("axes");
    for (const descr of ["|O", "<c16", "<U8", "<f2", "constructor", "<toString"])
      expect(
        reason(() => readNpy(file(header(descr, "(1, 1)"), 64), MOST)),
        descr,
      ).toBe("numberType");
    const lying = file(header("<f8", "(1, 1)"), 8);
    new DataView(lying.buffer).setUint16(8, 0xffff, true);
    expect(reason(() => readNpy(lying, MOST))).toBe("truncated");
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
  it.each([
    [
      "1\t2\n3\t4",
      [
        [1, 2],
        [3, 4],
      ],
      null,
    ],
    [
      "1,2\r\n3,4\r\n",
      [
        [1, 2],
        [3, 4],
      ],
      null,
    ],
    [
      "0,5;1,25\n−2;1e-3",
      [
        [0.5, 1.25],
        [-2, 0.001],
      ],
      null,
    ],
    [
      "1 2\n3 4",
      [
        [1, 2],
        [3, 4],
      ],
      null,
    ],
    ["7", [[7]], null],
    [
      ",a,b\nthe,1,2\ndog,3,4",
      [
        [1, 2],
        [3, 4],
      ],
      ["the", "dog"],
    ],
    ["a,b\n1,2", [[1, 2]], null],
    [
      '\uFEFFquery\\key,1 the,2 dog\r\n1 the,0.5,-Infinity\r\n"2 a ""b"", c",1,2\r\n',
      [
        [0.5, -Infinity],
        [1, 2],
      ],
      ["the", 'a "b", c'],
    ],
    ["word\\dimension,1,2\n1984,3,4", [[3, 4]], ["1984"]],
    // As pandas and spreadsheets write them: over the names of rows stands nothing, or what they are.
    [
      ",0,1,2\nw1,1,2,3\nw2,4,5,6\nw3,7,8,9",
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ],
      ["w1", "w2", "w3"],
    ],
    [
      'word,1,2,3\n"x, y",1,2,3\nz,4,5,6',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      ["x, y", "z"],
    ],
    ["Token\t0\t1\nthe\t5\t6", [[5, 6]], ["the"]],
    ["词;1;2\n猫;0,5;6", [[0.5, 6]], ["猫"]],
    [
      ",10,20\nthe,1,2\ndog,3,4",
      [
        [1, 2],
        [3, 4],
      ],
      ["the", "dog"],
    ],
    [
      ",a,b\n1984,1,2\n1985,3,4",
      [
        [1, 2],
        [3, 4],
      ],
      ["1984", "1985"],
    ],
    // Rows that are only counted have no names.
    [
      ",0,1,2\n0,1,2,3\n1,4,5,6",
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      null,
    ],
    [
      ",a,b\n0,1,2\n1,3,4",
      [
        [1, 2],
        [3, 4],
      ],
      null,
    ],
    // The first line may be a word's as well as any other.
    [
      "the,1,2,3\ndog,4,5,6",
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      ["the", "dog"],
    ],
    ["word,1,2,3", [[1, 2, 3]], ["word"]],
    [
      "\t1\t2\n\t3\t4",
      [
        [1, 2],
        [3, 4],
      ],
      ["", ""],
    ],
    // Commas before decimals: told by semicolons, or by a number that they cannot mean anything else in.
    [
      "1,250;0,5\n2,000;3",
      [
        [1.25, 0.5],
        [2, 3],
      ],
      null,
    ],
    ["1,250\t0,5", [[1.25, 0.5]], null],
  ])("%j is read with its names", (text, rows, labels) => {
    expect(readTable(text, MOST)).toEqual({ rows, labels });
  });

  it("of this page is read whatever it says above itself, and so is another's with such lines", () => {
    const exhibit = exhibitOf(
      { data: Float32Array.of(0.5, -Infinity), shape: [1, 2], axes: ["query", "key"] },
      [["#"], ["a, b", "c"]],
      { text: 'a, "b"; c' },
    );
    expect(readTable([...csv(exhibit)].join(""), MOST)).toEqual({
      rows: [[0.5, -Infinity]],
      labels: ["#"],
    });
    expect(readTable("# made by hand\n#\n1;2\n3;4\n", MOST).rows).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(reason(() => readTable("# nothing else\n", MOST))).toBe("empty");
  });

  it.each([
    "NaN,NaN,NaN\n1,2,3\n4,5,6",
    "nan,1,2\nnan,4,5",
    "inf,1,2\ninf,4,5",
    "1e400,1\n1e400,2",
    "1e400,-1e400\n1,2",
    "∞\t∞\n1\t2",
    "+Infinity,1\n−1e999,2",
    ",a,b\nnan,1,2",
    "a,b\nNaN,1",
  ])("%j has numbers that cannot be used, which are no names", (text) => {
    expect(reason(() => readTable(text, MOST))).toBe("notANumber");
  });

  it.each([",1,2\n3,4,5\n6,7,8", ",5,7\n3,4,5"])("%j lacks a number", (text) => {
    expect(reason(() => readTable(text, MOST))).toBe("notANumber");
  });

  it.each(["1,000\t2,500\n3\t4", '"1,000","2,500"\n3,4'])(
    "%j may mean thousands or decimals",
    (text) => {
      expect(reason(() => readTable(text, MOST))).toBe("ambiguous");
    },
  );

  it("that is too large is told with all that it has", () => {
    expect(() => readTable("1,2\n".repeat(300), MOST)).toThrow("tooLarge: 300 × 2");
    expect(() => readTable("1,".repeat(99_999) + "1", MOST)).toThrow("tooLarge: 1 × 100000");
    expect(() => readTable("1,2\n".repeat(300_000), MOST)).toThrow("tooLarge: 1.2 MB");
  });

  it("that is none is refused", () => {
    expect(reason(() => readTable("", MOST))).toBe("empty");
    expect(reason(() => readTable("\n \n", MOST))).toBe("empty");
    expect(reason(() => readTable("1,2\n3", MOST))).toBe("ragged");
    expect(reason(() => readTable("1,2\n3,four", MOST))).toBe("notANumber");
    expect(reason(() => readTable("1,2\n3,", MOST))).toBe("notANumber");
    expect(reason(() => readTable("1,1e999\n3,4", MOST))).not.toBe("read");
    expect(reason(() => readTable("1\n".repeat(100), MOST))).toBe("tooLarge");
    expect(reason(() => readTable("1,".repeat(100_000), MOST))).toBe("tooLarge");
    expect(reason(() => readTable('"'.repeat(100_001), MOST))).not.toBe("read");
  });
});

describe("a number", () => {
  it.each([
    ["1", 1],
    [" 0.5 ", 0.5],
    ["0,5", 0.5],
    [".5", 0.5],
    ["−2", -2],
    ["+3e-2", 0.03],
    ["-inf", -Infinity],
    ["−∞", -Infinity],
    ["-0", 0],
  ])("%j is %d", (text, value) => {
    expect(numberIn(text)).toBe(value);
  });

  it.each(["", "abc", "1.2.3", "1,2,3", "0x10", "NaN", "inf", "Infinity", "1e999", "1 2", "--1"])(
    "%j is none",
    (text) => {
      expect(numberIn(text)).toBeUndefined();
    },
  );

  it.each([
    ["1,000", true],
    ["−12,345", true],
    ["999,999", true],
    ["0,125", false],
    ["1,0", false],
    ["1,0000", false],
    ["1234,567", false],
    ["1.000", false],
    ["1,000,000", false],
    ["1,000.5", false],
  ])("%j may mean a thousand or decimals: %s", (text, expected) => {
    expect(isAmbiguous(text)).toBe(expected);
    if (expected) expect(numberIn(text)).toBeUndefined();
  });
});
