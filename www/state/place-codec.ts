// Places as the address shows them: they count from one.

/** Positions as the address shows them, such as `3,5`. */
export function encodeIndices(indices: readonly number[] = []): string {
  return indices.map((index) => index + 1).join(",");
}

/** Reads such positions; undefined when any of them is none. */
export function decodeIndices(text: string): number[] | undefined {
  const indices = text === "" ? [] : text.split(",").map(decodeIndex);
  return indices.every((index) => index !== undefined) ? indices : undefined;
}

/** A cell as the address shows it, such as `5-7`. */
export function encodeCell({ query, key }: { query: number; key: number }): string {
  return `${query + 1}-${key + 1}`;
}

/** Reads such a cell; undefined when it is none. */
export function decodeCell(text: string): { query: number; key: number } | undefined {
  const [query, key, ...rest] = text.split("-").map(decodeIndex);
  return query === undefined || key === undefined || rest.length > 0 ? undefined : { query, key };
}

/** Reads a position that counts from one; undefined when it is none. */
export function decodeIndex(text: string): number | undefined {
  const shown = /^\d+$/.test(text) ? Number(text) : 0;
  return shown >= 1 && Number.isSafeInteger(shown) ? shown - 1 : undefined;
}
