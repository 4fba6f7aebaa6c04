import fc from "fast-check";
import { withMatrix } from "../workbench.js";
import { LONGEST_WORD, type MatrixName, type MatrixInputs, type Rows } from "../workbench.js";

const side = fc.integer({ min: 1, max: 4 });
/** A minus before nothing is not written down. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const cells = (
  rows: number,
  columns: number,
  cell: fc.Arbitrary<number> = number,
): fc.Arbitrary<Rows> =>
  fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  });

/** Numbers of all sizes that a workbench can have, whether they go together or not. */
export const matrixInputs: fc.Arbitrary<MatrixInputs> = fc
  .record({ words: side, inner: side, other: side, heads: side, key: side, value: side, out: side })
  .chain(({ words, inner, other, heads, key, value, out }) =>
    fc.record({
      words: fc.array(fc.string({ maxLength: LONGEST_WORD }), {
        minLength: words,
        maxLength: words,
      }),
      x: cells(words, inner),
      query: cells(inner, heads * key),
      key: cells(other, heads * key),
      value: cells(inner, heads * value),
      output: fc.option(cells(heads * value, out)),
      mask: cells(words, words, fc.oneof(number, fc.constant(-Infinity), fc.constant(0))),
      heads: fc.constant(heads),
      divisor: fc.oneof(
        fc.constant("root" as const),
        fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      ),
    }),
  );

/** Numbers after one matrix was replaced by another of any size, as a file or a paste brings it. */
export const replacedNumbers: fc.Arbitrary<MatrixInputs> = fc
  .record({
    inputs: matrixInputs,
    name: fc.constantFrom<MatrixName[]>("x", "query", "key", "value", "output", "mask"),
    rows: side,
    columns: fc.integer({ min: 1, max: 9 }),
  })
  .chain(({ inputs, name, rows, columns }) =>
    cells(rows, columns).map((matrix) => withMatrix(inputs, name, matrix)),
  );
