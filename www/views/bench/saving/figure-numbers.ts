// The numbers behind the figures of the bench, as files take them: a tensor where it is one, or else a table.
import type { Tensor } from "../../../data/index.js";
import { printBars } from "../../../draw/bars.js";
import { numberAt, placesOf } from "../../../draw/curves.js";
import type { Print, Inks } from "../../../draw/theme.js";
import { regionOf } from "../../../draw/region.js";
import { HeadscopeBars } from "../../../elements/bars.js";
import { HeadscopeCurves } from "../../../elements/curves.js";
import { HeadscopeHeatmap } from "../../../elements/heatmap.js";
import { HeadscopeMask, HeadscopeNumbers } from "../../../elements/matrices.js";
import { measurer } from "../../../elements/matrix/canvas.js";
import { MatrixFigure } from "../../../elements/matrix/figure.js";
import { HeadscopePositions } from "../../../elements/positions.js";
import type { Axis, Part } from "../../../export/exhibit.js";
import { tokenAxis } from "../../export/choice.js";
import { HeadscopeTurningHands } from "../../demos/hands.js";

/** Columns with names, and rows of them; what is no number is left empty. */
export interface FigureTable {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export interface FigureTensor {
  tensor: Tensor;
  axes: readonly Axis[];
}

/** A figure that can be saved. */
export type BenchFigure =
  | HeadscopeBars
  | HeadscopeCurves
  | HeadscopeHeatmap
  | HeadscopeMask
  | HeadscopeNumbers
  | HeadscopePositions
  | HeadscopeTurningHands;

export function isBenchFigure(element: Element): element is BenchFigure {
  return [
    HeadscopeBars,
    HeadscopeCurves,
    HeadscopeHeatmap,
    HeadscopeMask,
    HeadscopeNumbers,
    HeadscopePositions,
    HeadscopeTurningHands,
  ].some((figure) => element instanceof figure);
}

/** Its numbers; null while it shows none. */
export function numbersOf(figure: BenchFigure): FigureTensor | FigureTable | null {
  if (figure instanceof HeadscopeCurves)
    return {
      columns: [figure.titles.x, ...figure.lines.map(({ name }) => name)],
      rows: placesOf(figure.lines).map((place) => [
        place,
        ...figure.lines.map((line) => numberAt(line, place, figure.stepped)),
      ]),
    };
  if (figure instanceof HeadscopeBars)
    return {
      columns: [figure.heading, ""],
      rows: figure.items.map(({ label, value }) => [label, value]),
    };
  if (figure instanceof HeadscopeTurningHands) return figure.table();
  if (figure instanceof HeadscopeNumbers) {
    const { tensor, rowNames, columnNames, titles } = figure;
    return (
      tensor && {
        tensor,
        axes: [
          { name: titles.rows, labels: rowNames, first: 1 },
          { name: titles.columns, labels: columnNames, first: 1 },
        ],
      }
    );
  }
  if (figure instanceof HeadscopePositions) {
    const { tensor } = figure;
    return (
      tensor && { tensor, axes: tensor.axes.map((name) => ({ name, labels: null, first: 1 })) }
    );
  }
  const tensor = figure instanceof HeadscopeMask ? figure.mask : figure.tensor;
  return (
    tensor && { tensor, axes: [tokenAxis("query", figure.queries), tokenAxis("key", figure.keys)] }
  );
}

/** Its picture apart from the page; null while it shows nothing. */
export function printOf(figure: BenchFigure, inks: Inks): Print | null {
  if (!(figure instanceof HeadscopeBars)) return figure.print(inks);
  return figure.items.length === 0
    ? null
    : printBars(figure.items, figure.heading, figure.max, inks, measurer);
}

/** Which part of their matrices figures show; null where that is all, or where they do not agree. */
export function partOf(figures: readonly BenchFigure[]): Part | null {
  const [first, ...others] = figures.map(shownPart);
  return first && others.every((other) => JSON.stringify(other) === JSON.stringify(first))
    ? first
    : null;
}

/** Which part of its matrix a figure shows; null where that is all, or where it has none. */
export function shownPart(figure: BenchFigure): Part | null {
  if (!(figure instanceof MatrixFigure)) return null;
  const { rows, columns } = figure;
  const region = regionOf(figure.region, { rows, columns });
  return region && { region, whole: { rows, columns } };
}

/** Whether its numbers are a tensor, whatever it shows now. */
export function isOfTensor(figure: BenchFigure): boolean {
  return !(
    figure instanceof HeadscopeCurves ||
    figure instanceof HeadscopeBars ||
    figure instanceof HeadscopeTurningHands
  );
}

/** What it calls itself, where nothing stands above it. */
export function titleOf(figure: BenchFigure): string {
  if (figure instanceof HeadscopeCurves) return figure.titles.y;
  return figure instanceof HeadscopeNumbers ? figure.titles.values : "";
}

export function isTensor(numbers: FigureTensor | FigureTable): numbers is FigureTensor {
  return "tensor" in numbers;
}
