// Figures of the bench as files take them: a tensor where there is one, or else a table; and what they are of.
import type { HeadRef, Region } from "../../../data/index.js";
import { numberAt, placesOf, printBars } from "../../../draw/charts.js";
import { regionOf } from "../../../draw/region.js";
import { HeadscopeBars } from "../../../elements/bars.js";
import { HeadscopeCurves } from "../../../elements/curves.js";
import { HeadscopeHeatmap } from "../../../elements/heatmap.js";
import { HeadscopeMask, HeadscopeNumbers } from "../../../elements/matrices.js";
import { measurer } from "../../../elements/matrix/canvas.js";
import { MatrixFigure } from "../../../elements/matrix/figure.js";
import { HeadscopePositions } from "../../../elements/positions.js";
import { sceneOf, type Scene } from "../../../elements/shared/figure.js";
import type { LabelledTensor, Part, Provenance, Table } from "../../../export/provenance.js";
import { message } from "../../../i18n/index.js";
import { HeadscopeRotaryDials } from "../../demos/dials.js";
import { sideBySide, type Snapshot } from "../../export/save.js";
import {
  folderName,
  provenanceOf,
  runLines,
  tokenAxis,
  VERSION,
  type ExportSubject,
} from "../../export/subject.js";
import { modelLabel } from "../../models.js";

const FIGURES = [
  HeadscopeBars,
  HeadscopeCurves,
  HeadscopeHeatmap,
  HeadscopeMask,
  HeadscopeNumbers,
  HeadscopePositions,
  HeadscopeRotaryDials,
];

export type BenchFigure = InstanceType<(typeof FIGURES)[number]>;

export function isBenchFigure(element: Element): element is BenchFigure {
  return FIGURES.some((figure) => element instanceof figure);
}

export function numbersOf(figure: BenchFigure): LabelledTensor | Table | null {
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
  if (figure instanceof HeadscopeRotaryDials) return figure.table();
  const tensor = figure instanceof HeadscopeMask ? figure.mask : figure.tensor;
  return tensor && { tensor, axes: axesOf(figure) };
}

function axesOf(
  figure: Exclude<BenchFigure, HeadscopeCurves | HeadscopeBars | HeadscopeRotaryDials>,
): LabelledTensor["axes"] {
  if (figure instanceof HeadscopePositions)
    return (figure.tensor?.axes ?? []).map((name) => ({ name, labels: null, first: 1 }));
  if (!(figure instanceof HeadscopeNumbers))
    return [tokenAxis("query", figure.queries), tokenAxis("key", figure.keys)];
  const { rowNames, columnNames, titles } = figure;
  return [
    { name: titles.rows, labels: rowNames, first: 1 },
    { name: titles.columns, labels: columnNames, first: 1 },
  ];
}

/** Whether its numbers are a tensor, whatever it shows now. */
export function isOfTensor(figure: BenchFigure): boolean {
  return !(
    figure instanceof HeadscopeCurves ||
    figure instanceof HeadscopeBars ||
    figure instanceof HeadscopeRotaryDials
  );
}

function pictureOf(figure: BenchFigure): Scene {
  if (!(figure instanceof HeadscopeBars)) return sceneOf(figure);
  const { items, heading, max } = figure;
  return (inks) => (items.length === 0 ? null : printBars(items, heading, max, inks, measurer));
}

/** What it calls itself, where nothing stands above it. */
export function titleOf(figure: BenchFigure): string {
  if (figure instanceof HeadscopeCurves) return figure.titles.y;
  return figure instanceof HeadscopeNumbers ? figure.titles.values : "";
}

/** A saved figure, and the run or model that it shows. */
export interface Described {
  name: string;
  title: string;
  /** What else decides it, such as what was chosen beside it. */
  details: readonly string[];
  /** The part of the run that it shows; `model` for the model alone, `lab` for no model. */
  of: Partial<HeadRef> | "model" | "lab";
  /** What the page is about; null where no model is needed. */
  subject: ExportSubject | null;
}

/** Figures as one picture, side by side, each under its title where there are several. */
export function pictureSnapshot(
  figures: readonly (readonly [title: string, figure: BenchFigure])[],
  described: Described,
): Snapshot {
  const { title, details } = described;
  const scenes = figures.map(([name, figure]) => [name, pictureOf(figure)] as const);
  return {
    title,
    lines: [...details, ...linesOf(described)],
    provenance: {
      ...provenanceFor(described, ""),
      part: sharedPart(figures.map(([, figure]) => figure)),
    },
    scene: (inks) => {
      const shown = scenes.filter(([, scene]) => scene(inks) !== null);
      const [first] = shown;
      if (!first || shown.length === 1) return first?.[1](inks) ?? null;
      const parts = shown.flatMap(([, scene]) => scene(inks)?.part ?? []);
      const row = sideBySide(shown)(inks);
      return row && parts.length > 0 ? { ...row, part: [...new Set(parts)].join("\n") } : row;
    },
  };
}

export function numbersSnapshots(
  figures: readonly (readonly [title: string, figure: BenchFigure])[],
  described: Described,
): Snapshot[] {
  return figures.flatMap(([title, figure]) => {
    const data = numbersOf(figure);
    return data ? [dataSnapshot(data, described, figures.length > 1 ? title : "")] : [];
  });
}

export function dataSnapshot(
  data: LabelledTensor | Table,
  described: Described,
  title = "",
): Snapshot {
  return { provenance: provenanceFor(described, title), data: () => Promise.resolve(data) };
}

/** Which part of their matrices figures show; null where that is all, or where they do not agree. */
function sharedPart(figures: readonly BenchFigure[]): Part | null {
  const [first, ...others] = figures.map((figure) => {
    if (!(figure instanceof MatrixFigure)) return null;
    const { rows, columns } = figure;
    const region = regionOf(figure.region, { rows, columns });
    return region && { region, whole: { rows, columns } };
  });
  return first && others.every((other) => JSON.stringify(other) === JSON.stringify(first))
    ? first
    : null;
}

/** A figure of the bench keeps the part of it that is shown by itself: no address says it. */
export function keepRegion(event: CustomEvent<Region | null>): void {
  event.stopPropagation();
  if (event.target instanceof MatrixFigure) event.target.region = event.detail;
}

function linesOf({ of, subject }: Described): string[] {
  if (of === "lab" || !subject) return [];
  return of === "model"
    ? [message("model.label", { name: modelLabel(subject.state.model) })]
    : runLines(subject);
}

function provenanceFor({ name, of, subject }: Described, title: string): Provenance {
  const quantity = title === "" ? name : `${name} ${title}`;
  if (of === "lab" || !subject) return { ...NO_MODEL, quantity };
  if (of === "model") return { ...NO_MODEL, quantity, model: folderName(subject.state.model) };
  // Of two compared runs it shows the first.
  return provenanceOf({ ...subject, compared: null }, { quantity, ...of });
}

const NO_MODEL: Omit<Provenance, "quantity"> = {
  model: "",
  text: "",
  target: null,
  hidden: [],
  stack: null,
  layer: null,
  head: null,
  edits: {},
  beside: [],
  hiddenStates: null,
  view: null,
  part: null,
  compared: null,
  aligned: null,
  link: null,
  version: VERSION,
};
