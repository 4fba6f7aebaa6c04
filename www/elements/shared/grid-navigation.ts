export interface Place {
  row: number;
  column: number;
}

/** The place to which a moving key leads in a grid, kept inside it; null for every other key. */
export function moveInGrid(key: string, at: Place, rows: number, columns: number): Place | null {
  const { row, column } = at;
  const steps: Record<string, Place> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
    PageUp: { row: 0, column },
    PageDown: { row: rows - 1, column },
  };
  const to = steps[key];
  const within = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
  return to ? { row: within(to.row, rows), column: within(to.column, columns) } : null;
}

const ACROSS = /^(ArrowLeft|ArrowRight|Home|End)$/;

/**
 * The place to which a key leads in a row of `count` places, kept inside it; null for every other
 * key, including up and down.
 */
export function moveInRow(key: string, at: number, count: number): number | null {
  const to = moveInGrid(key, { row: 0, column: at }, 1, count);
  return to && ACROSS.test(key) ? to.column : null;
}

/**
 * The place to which a moving key leads in a ring of `count` places: the keys `back` and `forth` go
 * one step; null for every other key.
 */
export function moveInRing(
  key: string,
  at: number,
  count: number,
  [back, forth]: readonly [back: string, forth: string],
): number | null {
  const steps: Record<string, number> = { [back]: at - 1, [forth]: at + 1, Home: 0, End: -1 };
  const to = steps[key];
  return to === undefined ? null : (to + count) % count;
}

export function isShortcut(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** A key listener; unless `handle` returns false, the key has no other effect. */
export function keyListener(
  handle: (key: string, event: KeyboardEvent) => unknown,
): (event: KeyboardEvent) => void {
  return (event) => {
    if (isShortcut(event) || handle(event.key, event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
