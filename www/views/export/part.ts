// A picture that shows a part of a large pattern, and files that hold this part alone.
import type { Tensor } from "../../data/index.js";
import { cutOut, regionOf, type Extent } from "../../draw/region.js";
import type { Axis, Part } from "../../export/exhibit.js";
import { exhibit, type NumbersChoice } from "./choice.js";
import type { ExportSubject } from "./subject.js";

/** Which part of a pattern of that size the picture shows; null for one that shows all of it, or none of it. */
export function partShown(
  { state: { picture, region }, compared }: ExportSubject,
  whole: Extent,
): Part | null {
  const enlarges = compared !== null || picture === "heatmap" || picture === "mask";
  const shown = enlarges ? regionOf(region, whole) : null;
  return shown && { region: shown, whole };
}

/** The same numbers in the rows and columns that the picture shows; null where it shows all there are, or others. */
export function shownPart(choice: NumbersChoice, subject: ExportSubject): NumbersChoice | null {
  const [rows = 0, columns = 0] = choice.shape.slice(-2);
  const part =
    choice.pattern && isOfPicture({ rows, columns }, subject)
      ? partShown(subject, { rows, columns })
      : null;
  if (!part) return null;
  const { region } = part;
  return {
    ...choice,
    shape: [...choice.shape.slice(0, -2), region.rows, region.columns],
    read: async () => {
      const { tensor, axes, provenance } = await choice.read();
      return exhibit(cut(tensor, part), cutAxes(axes, part), { ...provenance, part });
    },
  };
}

/** Whether rows and columns are those of the picture: by token there may be more than by word. In a comparison each picture counts its own. */
function isOfPicture({ rows, columns }: Extent, { looked, compared }: ExportSubject): boolean {
  return compared !== null || (rows === looked.queries.length && columns === looked.keys.length);
}

/** The part of each pattern of a tensor, be there one or many behind each other. */
function cut(tensor: Tensor, { region, whole }: Part): Tensor {
  const size = whole.rows * whole.columns;
  const behind = tensor.shape.slice(0, -2);
  const count = behind.reduce((product, length) => product * length, 1);
  const data = new Float32Array(count * region.rows * region.columns);
  for (let at = 0; at < count; at++) {
    const pattern = {
      data: tensor.data.subarray(at * size, (at + 1) * size),
      shape: [whole.rows, whole.columns],
      axes: tensor.axes.slice(-2),
    };
    data.set(cutOut(pattern, region).data, at * region.rows * region.columns);
  }
  return { data, shape: [...behind, region.rows, region.columns], axes: tensor.axes };
}

/** Places keep the numbers that they have in the whole. */
function cutAxes(axes: readonly Axis[], { region: { query, key, rows, columns } }: Part): Axis[] {
  const of = ({ name, labels, first }: Axis, start: number, length: number): Axis => ({
    name,
    labels: labels?.slice(start, start + length) ?? null,
    first: first + start,
  });
  return axes.map((axis, index) => {
    if (index === axes.length - 2) return of(axis, query, rows);
    return index === axes.length - 1 ? of(axis, key, columns) : axis;
  });
}
