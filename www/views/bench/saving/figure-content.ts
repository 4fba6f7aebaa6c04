// What a figure shows, apart from the figure itself, which goes on to show other things.
import type { Part } from "../../../export/exhibit.js";
import {
  isTensor,
  numbersOf,
  shownPart,
  type BenchFigure,
  type FigureTable,
  type FigureTensor,
} from "./figure-numbers.js";

export interface FigureContent {
  name: string;
  numbers: FigureTensor | FigureTable | null;
  part: Part | null;
}

export function contentOf([name, figure]: readonly [
  name: string,
  figure: BenchFigure,
]): FigureContent {
  return { name, numbers: numbersOf(figure), part: shownPart(figure) };
}

/** Whether both show the same: a figure may be handed what it has once more. */
export function isSameContent(one: FigureContent, other: FigureContent | undefined): boolean {
  return (
    one.name === other?.name &&
    JSON.stringify(one.part) === JSON.stringify(other.part) &&
    isSameNumbers(one.numbers, other.numbers)
  );
}

function isSameNumbers(one: FigureContent["numbers"], other: FigureContent["numbers"]): boolean {
  const [before, after] = [one, other].map((numbers) =>
    numbers && isTensor(numbers) ? numbers : null,
  );
  if (!before || !after) return JSON.stringify(one) === JSON.stringify(other);
  if (
    JSON.stringify([before.axes, before.tensor.shape]) !==
    JSON.stringify([after.axes, after.tensor.shape])
  )
    return false;
  return (
    before.tensor.data === after.tensor.data ||
    before.tensor.data.every((value, at) => Object.is(value, after.tensor.data[at]))
  );
}
