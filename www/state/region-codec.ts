import type { Region } from "../data/index.js";
import { decodeIndex } from "./place-codec.js";

/** A part of a picture as `11-40x1-30`: first and last row, first and last column, counted from one. */
export function encodeRegion({ query, key, rows, columns }: Region): string {
  return `${query + 1}-${query + rows}x${key + 1}-${key + columns}`;
}

export function decodeRegion(text: string): Region | undefined {
  const [, ...ends] = /^(\d+)-(\d+)x(\d+)-(\d+)$/.exec(text) ?? [];
  const [query, lastQuery, key, lastKey] = ends.map(decodeIndex);
  if (query === undefined || lastQuery === undefined || key === undefined || lastKey === undefined)
    return undefined;
  return lastQuery < query || lastKey < key
    ? undefined
    : { query, key, rows: lastQuery - query + 1, columns: lastKey - key + 1 };
}
