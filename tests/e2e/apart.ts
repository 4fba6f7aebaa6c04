/**
 * Every number of two answers, where it stands, if they are further apart than the GPU's may be from the CPU's: 2e-4,
 * relative where they are larger than one. In a list they may also be apart by a millionth of its largest number: of
 * what cancels, single precision leaves no more. What is put in the place of −∞, −1e9 and what was added to it, is no
 * number of a list in that sense. Entries of a vocabulary that are as good as each other within that may have changed
 * places, or one of them be beyond the last rank. Stands alone, so that it can be handed to a page.
 */
export function apart(one: unknown, other: unknown, at = "", scale = 0): string[] {
  if (typeof one === "number" && typeof other === "number") {
    const between = Math.abs(one - other);
    // From what is infinite everything else is infinitely far, however much that allows.
    const near =
      Object.is(one, other) ||
      (between < Infinity && between <= Math.max(2e-4 * Math.max(1, Math.abs(one)), 1e-6 * scale));
    return near ? [] : [`${at}: ${one} and ${other}`];
  }
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other ? [] : [`${at}: ${String(one)} and ${String(other)}`];
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  interface Ranked {
    id: number;
    logit: number;
    probability: number;
  }
  const isRanked = (list: unknown): list is Ranked[] =>
    Array.isArray(list) &&
    list.length > 0 &&
    list.every(
      (entry: unknown) =>
        typeof entry === "object" && entry !== null && "id" in entry && "logit" in entry,
    );
  if (isRanked(one) && isRanked(other) && one.length === other.length) {
    const there = new Map(other.map((entry) => [entry.id, entry]));
    const last = other.at(-1);
    const twice = other.flatMap(({ id }, rank) =>
      other.findIndex((entry) => entry.id === id) === rank
        ? []
        : [`${at}.${rank}: ${id} stands there twice`],
    );
    const wrong = one.flatMap((entry, rank) =>
      (["logit", "probability"] as const).flatMap((number) => [
        ...apart(entry[number], other[rank]?.[number], `${at}.${rank}.${number}`),
        ...apart(
          entry[number],
          (there.get(entry.id) ?? last)?.[number],
          `${at}.${rank}.${number} of ${entry.id}`,
        ),
      ]),
    );
    return [...twice, ...wrong];
  }
  const isList = Array.isArray(one) || ArrayBuffer.isView(one);
  const counts = (value: unknown): value is number =>
    typeof value === "number" && value > -1e8 && value < Infinity;
  const largest = isList
    ? Object.values(left).reduce<number>(
        (most, value) => (counts(value) ? Math.max(most, Math.abs(value)) : most),
        0,
      )
    : scale;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
    apart(left[name], right[name], `${at}.${name}`, largest),
  );
}
