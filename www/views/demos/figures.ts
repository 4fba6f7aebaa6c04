import { html, type TemplateResult } from "lit";
import type { Cell, HeadRef, Region, Tensor } from "../../data/index.js";
import type { CurveLine } from "../../draw/charts.js";
import type { HeadscopeCurves } from "../../elements/curves.js";
import "../../elements/curves.js";
import "../../elements/matrices.js";
import { setProperties, styled } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import { keepRegion } from "../bench/save-figure.js";
import { patch } from "../parts/events.js";

/** What is pointed at in any of a demo's linked matrices. */
export interface Pointed {
  /** The pair under the pointer, the one that is held, and the part that all show. */
  cell: Cell | null;
  held: Cell | null;
  region: Region | null;
  /** The figure that it is in, where they are not of the same pairs. */
  at: string | null;
  put: (change: Partial<Omit<Pointed, "put">>) => void;
}

/** For a matrix that is linked with no other. */
export const UNLINKED: Pointed = {
  cell: null,
  held: null,
  region: null,
  at: null,
  put: () => undefined,
};

/** A matrix of a demo, and what its numbers are. */
export interface Matrix {
  tensor: Tensor;
  values: string;
  /** What rows and columns are, with their names; by default queries and keys, counted from 1. */
  rows?: { title: string; names: readonly string[] };
  columns?: { title: string; names: readonly string[] };
  signed?: boolean;
  /** Whether the numbers count something. */
  counts?: boolean;
  height?: number;
  /** Numbers that it shares its scale with. */
  beside?: Tensor | null;
  /** Whether the pair under the pointer is marked in every linked matrix of the demo. */
  linked?: boolean;
}

const HEIGHT = 280;

export function matrix(shown: Matrix): (pointed: Pointed) => TemplateResult {
  const { tensor, values, rows, columns, linked = false } = shown;
  const { signed = false, counts = false, height = HEIGHT, beside = null } = shown;
  const [queries = 0, keys = 0] = tensor.shape;
  const titles = {
    rows: rows?.title ?? message("figure.query"),
    columns: columns?.title ?? message("figure.key"),
    values,
  };
  const names = {
    rowNames: rows?.names ?? placeNames(queries),
    columnNames: columns?.names ?? placeNames(keys),
  };
  const properties = { tensor, titles, ...names, signed, counts, beside };
  return ({ cell, put }) =>
    html`<headscope-numbers ${setProperties(properties)} .comfortableHeight=${height} .focused=${linked ? cell : null} @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => linked && put({ cell: event.detail })} @headscope-region-change=${keepRegion}></headscope-numbers>`;
}

/** Numbers of every two positions, `[position, position]`. */
export function placeMatrix(
  numbers: readonly number[],
  length: number,
  values: string,
): ReturnType<typeof matrix> {
  const positions = { title: message("figure.position"), names: placeNames(length) };
  const tensor = tensorOf(numbers, length, ["position", "position"]);
  return matrix({ tensor, values, rows: positions, columns: positions, signed: true });
}

const CURVES = { stepped: false, scales: {}, range: {}, marked: null, markedAs: "", marks: [] };

/** The titles of both axes, how values are written on them, and properties of the figure. */
export interface Curves extends Partial<Pick<HeadscopeCurves, keyof typeof CURVES>> {
  x: string;
  y: string;
  words?: (y: number) => string;
  xWords?: (x: number) => string;
}

export function curves(lines: readonly CurveLine[], shown: Curves): () => TemplateResult {
  const { x, y, words, xWords, ...others } = shown;
  const written = { ...(xWords && { x: xWords }), ...(words && { y: words }) };
  const properties = { ...CURVES, ...others, lines, titles: { x, y }, words: written };
  return () => html`<headscope-curves ${setProperties(properties)}></headscope-curves>`;
}

export interface FactRow {
  /** Its own among the rows, for tests. */
  key: string;
  head: string | TemplateResult;
  cells: readonly (string | TemplateResult)[];
  chosen?: boolean;
}

/** A table that scrolls in its place. */
export function table(
  label: string,
  rows: readonly FactRow[],
  columns: readonly string[] = [],
): () => TemplateResult {
  const head =
    columns.length === 0
      ? ""
      : html`<thead><tr>${columns.map((column) => (column === "" ? html`<td></td>` : html`<th scope="col">${column}</th>`))}</tr></thead>`;
  return () => html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>${head}
      <tbody>${rows.map(
        ({ key, head: name, cells, chosen = false }) =>
          html`<tr data-row=${key} class=${chosen ? "chosen" : ""}><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody>
    </table>
  </div>`;
}

/** Heads with a number each, which open the head: `share` draws a bar of that part of the longest. */
export function headList(
  label: string,
  heads: readonly { head: HeadRef; name: string; value: string; raw: number; share?: number }[],
): TemplateResult {
  const open = ({ currentTarget }: Event, { stack, layer, head }: HeadRef): void => {
    if (currentTarget) patch(currentTarget, { stack, layer, head });
  };
  return html`<ol class="heads columns" aria-label=${label}>
    ${heads.map(
      ({ head, name, value, raw, share }) => html`<li>
        <button @click=${(event: Event) => open(event, head)}>
          <span>${name}</span>
          <span class="track" aria-hidden="true">${share === undefined ? "" : html`<i style=${styled({ width: `${share * 100}%` })}></i>`}</span>
          <span data-value=${raw}>${value}</span>
        </button>
      </li>`,
    )}
  </ol>`;
}

/** Numbers of an answer, row by row, as figures take them. */
export function tensorOf(
  numbers: readonly number[],
  columns: number,
  axes: [string, string],
): Tensor {
  return { data: Float32Array.from(numbers), shape: [numbers.length / columns, columns], axes };
}

/** Numbers from `first` on, by position or by distance; NaN is a gap. */
export function curveOf(name: string, numbers: readonly number[], first = 0): CurveLine {
  return { name, points: numbers.map((y, at) => ({ x: first + at, y })) };
}

export function placeNames(count: number): string[] {
  return Array.from({ length: count }, (_, position) => String(position + 1));
}
