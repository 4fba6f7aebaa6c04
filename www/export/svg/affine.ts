// The brush's own coordinates, which painters move and turn, seen from the sheet.

/** `x' = a x + c y + e`, `y' = b x + d y + f`, as in a canvas and in SVG. */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** First `inner`, then `outer`. */
export function combined(outer: Affine, inner: Affine): Affine {
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    e: outer.a * inner.e + outer.c * inner.f + outer.e,
    f: outer.b * inner.e + outer.d * inner.f + outer.f,
  };
}

export function mapped({ a, b, c, d, e, f }: Affine, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Whether lengths and directions stay as they are. */
export function isShift({ a, b, c, d }: Affine): boolean {
  return a === 1 && b === 0 && c === 0 && d === 1;
}

/** By how much lines grow. */
export function growth({ a, b, c, d }: Affine): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}
