// A tensor as JSON that explains itself: where it comes from, what its axes are, and its numbers, nested as its shape says.
import { shortest } from "./decimal.js";
import { provenanceRecord, type Exhibit } from "./exhibit.js";

const FORMAT = { format: "headscope-tensor", formatVersion: 1 };
const NOTES =
  "index counts from 0, number from 1; data is nested in the order of axes; numbers are single precision and read back exactly; " +
  'JSON has no infinities, so a forbidden score is the string "-Infinity", and a difference that cannot be said "NaN"';

/** The file, a row of numbers at a time. */
export function* json({ tensor, axes, provenance }: Exhibit): Generator<string> {
  const head = {
    ...FORMAT,
    ...provenanceRecord(provenance),
    notes: NOTES,
    axes: tensor.axes,
    shape: tensor.shape,
    labels: Object.fromEntries(
      axes.flatMap(({ name, labels }) => (labels ? [[name, labels]] : [])),
    ),
  };
  const fields = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  yield `{\n${fields.join("")}  "data": `;
  yield* nested(tensor.data, tensor.shape, 0);
  yield "\n}\n";
}

function* nested(data: Float32Array, shape: readonly number[], start: number): Generator<string> {
  const [size = 0, ...inner] = shape;
  if (inner.length === 0) {
    yield `[${Array.from(data.subarray(start, start + size), written).join(", ")}]`;
    return;
  }
  const stride = inner.reduce((product, length) => product * length, 1);
  yield "[";
  for (let index = 0; index < size; index++) {
    if (index > 0) yield ",\n    ";
    yield* nested(data, inner, start + index * stride);
  }
  yield "]";
}

function written(value: number): string {
  return Number.isFinite(value) ? shortest(value) : JSON.stringify(shortest(value));
}
